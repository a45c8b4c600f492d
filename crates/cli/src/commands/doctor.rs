//! `assize doctor`: what is wrong with a set-up, and what to do about it.

use std::path::PathBuf;

use anyhow::Result;
use assize_engine::ErrorKind;
use assize_engine::asking::Stop;
use assize_engine::doctor::{Condition, Finding, examine};
use clap::Args;

use crate::database_args::DatabaseArguments;
use crate::exit::Done;
use crate::model_args::variables;
use crate::output::{files, terminal};
use crate::runtime::block_on;

/// Check configuration, database, providers, clock and permissions, and suggest fixes.
#[derive(Debug, Args)]
#[command(after_help = "\
Nothing is changed and no model is called. Exit code 3: a check failed.")]
pub(crate) struct Arguments {
    /// The configuration file to check [default: the one every command uses]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    database: DatabaseArguments,
}

/// Prints what was found.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let place = arguments.database.place();
    let mut findings = block_on(&Stop::default(), async {
        Ok(examine(arguments.config.as_deref(), &place, &variables()).await)
    })?;
    findings.extend(identity_provider());
    for finding in &findings {
        files::print(&line(finding))?;
    }
    let is_broken = findings.iter().any(|one| one.condition == Condition::Broken);
    Ok(if is_broken { Done::Ended(ErrorKind::Store) } else { Done::Fine })
}

/// What `serve` would refuse about the provider of identities.
#[cfg(all(feature = "server", feature = "oidc"))]
fn identity_provider() -> Option<Finding> {
    let table = crate::configured::identity_provider()?;
    let part = "serve.oidc".to_owned();
    let settings = assize_server::auth::oidc::OidcSettings::new(table, &variables(), None);
    Some(match settings {
        Ok(made) => Finding {
            part,
            condition: Condition::Fine,
            message: format!("people sign in with {}", made.name),
            advice: String::new(),
        },
        Err(error) => Finding {
            part,
            condition: Condition::Broken,
            message: assize_engine::EngineError::of(&error).message,
            advice: "fix [serve.oidc] in assize.toml; `assize serve` refuses it".to_owned(),
        },
    })
}

#[cfg(not(all(feature = "server", feature = "oidc")))]
fn identity_provider() -> Option<Finding> {
    None
}

fn line(finding: &Finding) -> String {
    let word = match finding.condition {
        Condition::Fine => "fine   ",
        Condition::Warning => "warning",
        Condition::Broken => "BROKEN ",
    };
    let message = terminal::one_line(&finding.message, 500);
    let advice = match finding.advice.as_str() {
        "" => String::new(),
        advice => format!("        do: {advice}\n"),
    };
    format!("{word} {}: {message}\n{advice}", finding.part)
}
