//! `assize models …`: who can be asked, and whether they answer.

use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use assize_engine::asking::{AskOptions, AskSession, Catalogue, Config, ModelName, NoAnswer, Stop};
use clap::Subcommand;

use crate::exit::Done;
use crate::model_args::{ProviderArguments, variables};
use crate::output::asking::halted;
use crate::output::files;
use crate::output::table::{columns, numbers, table, words};
use crate::output::terminal;
use crate::runtime::block_on;

/// How long a reply to one harmless question may take.
const PATIENCE: Duration = Duration::from_mins(1);

/// Who can be asked, and whether they answer.
#[derive(Debug, Subcommand)]
pub(crate) enum Arguments {
    /// List the known providers, their addresses and the variables that hold their keys
    List(ProviderArguments),
    /// Send one short test request to a model and report how long the reply took
    Test {
        /// The model: PROVIDER/MODEL
        model: ModelName,
        #[command(flatten)]
        providers: ProviderArguments,
    },
}

/// Runs the one that was asked for.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    match arguments {
        Arguments::List(providers) => list(&providers.load()?),
        Arguments::Test { model, providers } => test(model, providers.load()?),
    }
}

fn list(config: &Config) -> Result<Done> {
    let headings = columns("provider | address | protocol | key");
    let variables = variables();
    let rows = config.endpoints.iter().map(|(name, endpoint)| {
        let key = match (&endpoint.key_file, &endpoint.key_variable) {
            (Some(path), _) => format!("in {}", path.display()),
            (None, Some(variable)) if variables.get(variable).is_some() => {
                format!("{variable} (set)")
            }
            (None, Some(variable)) => format!("{variable} (not set)"),
            (None, None) => "none needed".to_owned(),
        };
        let protocol = serde_json::to_value(endpoint.protocol).unwrap_or_default();
        let protocol = protocol.as_str().unwrap_or_default().to_owned();
        vec![name.to_owned(), endpoint.shown_url(), protocol, key]
    });
    let providers = table(&headings, rows.collect());
    files::print(&format!("{providers}\n{}", prices(&config.catalogue)))?;
    terminal::notice(
        "models are written PROVIDER/MODEL; add other providers as [endpoints.NAME] in assize.toml",
    );
    Ok(Done::Fine)
}

/// What is known about prices, with the day each was looked up.
fn prices(catalogue: &Catalogue) -> String {
    let headings = ["model", "input", "cached", "output", "as of"];
    let headings = headings.map(|name| if name == "model" { words(name) } else { numbers(name) });
    let rows = catalogue.lines().map(|(name, price, as_of)| {
        let amounts = price.a_million().map(|money| money.exact());
        let day = as_of.unwrap_or("unknown").to_owned();
        [name.to_owned()].into_iter().chain(amounts).chain([day]).collect()
    });
    let listed = table(&headings, rows.collect());
    format!(
        "Prices in US dollars per million tokens; verify them, providers change prices without \
         notice.\n\n{listed}"
    )
}

fn test(model: &ModelName, config: Config) -> Result<Done> {
    let options = AskOptions { reply_timeout: PATIENCE, ..AskOptions::default() };
    let stop = Stop::default();
    block_on(&stop, async {
        let session = AskSession::open(&options, config, stop.clone(), |_| {}).await?;
        let judge = session.judge(model)?;
        let begun = Instant::now();
        match session.greet(&judge).await {
            Ok(answered) => {
                let seconds = begun.elapsed().as_secs_f64();
                let (word, tokens) = (&answered.answer.word, answered.usage.total());
                files::report(&format!(
                    "{model} answered “{word}” in {seconds:.1} s, {tokens} tokens\n"
                ))
            }
            Err(NoAnswer::Unscored(unscored)) => {
                terminal::complain(&anyhow!(unscored.because), None);
                Ok(Done::Unscored)
            }
            Err(NoAnswer::Halt(halt)) => Ok(halted(&halt, None)),
        }
    })
}
