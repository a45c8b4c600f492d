//! `assize config …`: every value that takes effect, and where it comes from.

use anyhow::Result;
use assize_engine::configuration::{Caller, Effective, Origin, Written, effective};
use clap::Subcommand;

use crate::exit::Done;
use crate::model_args::{ProviderArguments, variables};
use crate::output::files;
use crate::output::table::{columns, table};

/// Show the configuration that takes effect.
#[derive(Debug, Subcommand)]
pub(crate) enum Arguments {
    /// Print every effective value and its origin; secrets are shown only as set or not set
    #[command(after_help = "\
Later sources override earlier ones: built-in defaults, assize.toml, environment variables, flags. The file is
the one given with --config, otherwise the first assize.toml in this folder or a parent folder, otherwise the
one in your configuration folder.")]
    Show {
        /// Use this database instead of the configured one
        #[arg(long, value_name = "FILE|URL")]
        database: Option<String>,
        #[command(flatten)]
        providers: ProviderArguments,
    },
}

/// Runs the one that was asked for.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let Arguments::Show { database, providers } = arguments;
    let variables = variables();
    let written = Written::load(providers.config.as_deref(), &variables)?;
    let caller = Caller { database: database.clone(), endpoints: providers.named_endpoints() };
    let all = effective(&written, &caller, &variables)?;
    let file = match &written.path {
        Some(path) => format!("File: {}\n\n", path.display()),
        None => "File: none\n\n".to_owned(),
    };
    let headings = columns("key | value | from");
    files::report(&(file + &table(&headings, all.iter().map(row).collect())))
}

fn row(one: &Effective) -> Vec<String> {
    let origin = match &one.origin {
        Origin::Default => "default".to_owned(),
        Origin::File => "file".to_owned(),
        Origin::Variable(name) => name.clone(),
        Origin::Caller => "flag".to_owned(),
    };
    vec![one.key.clone(), one.value.clone(), origin]
}
