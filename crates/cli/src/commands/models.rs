//! `assize models …`: who can be asked, and whether they answer.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use assize_engine::interview::{NoAnswer, Stop};
use assize_engine::summary::Settings;
use assize_engine::summary::model::{Config, Member, ModelName, Options, Session, block_on};
use clap::{Args, Subcommand};

use super::summary::NamedEndpoint;
use crate::exit::Done;
use crate::output::files;
use crate::output::table::{table, words};
use crate::output::terminal;

/// Who can be asked, and whether they answer.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the providers there are, where they listen and which variable holds their key
    List(Reach),
    /// Put one harmless question to a model and say how long the answer took
    Test {
        /// The model: PROVIDER/MODEL
        model: ModelName,
        #[command(flatten)]
        reach: Reach,
    },
}

#[derive(Debug, Args)]
struct Reach {
    /// A server that speaks OpenAI's protocol; models of NAME (else `local`) are asked there
    #[arg(long, value_name = "[NAME=]URL")]
    endpoint: Vec<NamedEndpoint>,
    /// Providers and prices [default: assize.toml, if there is one]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl Reach {
    fn load(&self) -> Result<Config> {
        let named = self.endpoint.iter().map(|named| (named.name.clone(), named.url.clone()));
        Ok(Config::load(self.config.as_deref(), &named.collect::<Vec<_>>())?)
    }
}

/// Runs the one that was asked for.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    match &arguments.command {
        Command::List(reach) => list(&reach.load()?),
        Command::Test { model, reach } => test(model, reach.load()?),
    }
}

fn list(config: &Config) -> Result<Done> {
    let headings = ["provider", "address", "protocol", "key"].map(words);
    let rows = config.endpoints.iter().map(|(name, endpoint)| {
        let key = match (&endpoint.key_file, &endpoint.key_variable) {
            (Some(path), _) => format!("in {}", path.display()),
            (None, Some(variable)) if std::env::var_os(variable).is_some() => {
                format!("{variable} (set)")
            }
            (None, Some(variable)) => format!("{variable} (not set)"),
            (None, None) => "none needed".to_owned(),
        };
        let protocol = serde_json::to_value(endpoint.protocol).unwrap_or_default();
        let protocol = protocol.as_str().unwrap_or_default().to_owned();
        vec![name.to_owned(), endpoint.base_url.clone(), protocol, key]
    });
    files::print(&table(&headings, rows.collect()))?;
    terminal::notice(
        "a model is named PROVIDER/MODEL; others are added as [endpoints.NAME] in assize.toml",
    );
    Ok(Done::Fine)
}

fn test(model: &ModelName, config: Config) -> Result<Done> {
    let options = Options {
        members: vec![Member::Model(model.clone())],
        settings: Settings::default(),
        store: None,
        budget: None,
        record: None,
        replay: None,
        samples: 1,
        is_fresh: false,
        concurrency: 1,
        reply_timeout: Duration::from_mins(1),
    };
    let stop = Stop::default();
    block_on(&stop, |_| {}, async {
        let session = Session::open(&options, config, stop.clone(), |_| {}).await?;
        let begun = Instant::now();
        match session.greet().await {
            Ok(answered) => {
                let seconds = begun.elapsed().as_secs_f64();
                let (word, tokens) = (&answered.answer.word, answered.usage.total());
                files::print(&format!(
                    "{model} answered “{word}” in {seconds:.1} s, {tokens} tokens\n"
                ))?;
                Ok(Done::Fine)
            }
            Err(NoAnswer::Unscored(unscored)) => {
                terminal::complain(&anyhow!(unscored.because));
                Ok(Done::JudgeFailed)
            }
            Err(NoAnswer::Halt(halt)) => {
                terminal::complain(&anyhow!(halt));
                Ok(Done::JudgeFailed)
            }
        }
    })
    .context("the work could not be begun")?
}
