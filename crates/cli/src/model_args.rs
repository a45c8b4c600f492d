//! Arguments about models, the same for every command that asks them.

use std::env;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Result, ensure};
use assize_engine::asking::{AskOptions, Config, Limit, Variables};
use assize_engine::store::Place;
use clap::Args;

use crate::configured;
use crate::database_args::DatabaseArguments;

/// How models are asked.
#[derive(Debug, Args)]
#[command(next_help_heading = "Models")]
pub(crate) struct ModelArguments {
    /// Stop before spending more than this: 200k tokens, or 5usd
    #[arg(long, value_name = "TOKENS|USD")]
    pub(crate) budget: Option<Limit>,
    /// Ignore stored replies and call the model again
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Record all requests and replies to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Replay such a recording instead of calling models; replies are not stored
    #[arg(long, value_name = "FILE", conflicts_with_all = ["record", "fresh", "budget"])]
    pub(crate) replay: Option<PathBuf>,
    /// Maximum concurrent items, and concurrent requests per provider
    #[arg(
        long,
        value_name = "N",
        default_value_t = configured::concurrency(),
        value_parser = at_least_one
    )]
    concurrency: usize,
    /// Timeout for a model reply
    #[arg(long, value_name = "SECONDS", default_value_t = configured::reply_timeout_seconds())]
    reply_timeout: u64,
    #[command(flatten)]
    pub(crate) providers: ProviderArguments,
}

/// How many at once: none would never come to an end.
fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("must be 1 or more".to_owned()),
        Ok(number) => Ok(number),
        Err(_) => Err("not a whole number".to_owned()),
    }
}

impl ModelArguments {
    /// What the engine needs to know.
    pub(crate) fn to_options(&self) -> AskOptions {
        AskOptions {
            database: None,
            // A replay costs nothing, and the flag is refused beside it.
            budget: if self.replay.is_some() {
                None
            } else {
                self.budget.or_else(configured::budget)
            },
            record: self.record.clone(),
            replay: self.replay.clone(),
            is_fresh: self.fresh,
            concurrency: self.concurrency,
            reply_timeout: Duration::from_secs(self.reply_timeout),
            sends_nothing: false,
            is_undefended: false,
            reader: configured::reader(),
        }
    }

    /// What makes no sense when rules judge is not passed over in silence.
    pub(crate) fn refuse_for_rules(&self) -> Result<()> {
        for (is_given, flag) in [
            (self.budget.is_some(), "--budget"),
            (self.fresh, "--fresh"),
            (self.record.is_some(), "--record"),
            (self.replay.is_some(), "--replay"),
        ] {
            refuse_flag_for_rules(is_given, flag)?;
        }
        Ok(())
    }
}

/// Refuses a flag that only models understand.
pub(crate) fn refuse_flag_for_rules(is_given: bool, flag: &str) -> Result<()> {
    ensure!(!is_given, "{flag} only applies to models; choose a model with --judge");
    Ok(())
}

/// How models are asked, and where their replies are kept.
#[derive(Debug, Args)]
pub(crate) struct AskingArguments {
    /// Print the estimated calls, tokens and cost without sending anything
    #[arg(long, help_heading = "Models")]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) models: ModelArguments,
    #[command(flatten)]
    database: DatabaseArguments,
}

impl AskingArguments {
    /// Where replies and runs are kept.
    pub(crate) fn place(&self) -> Place {
        self.database.place()
    }

    /// What the engine needs to know.
    pub(crate) fn to_options(&self) -> AskOptions {
        let options =
            AskOptions { database: Some(self.database.place()), ..self.models.to_options() };
        if self.dry_run { options.sending_nothing() } else { options }
    }

    /// What is said when the work ends early; a replay keeps nothing to go on from.
    pub(crate) fn how_to_go_on(&self) -> Option<&'static str> {
        let is_kept = self.models.replay.is_none();
        is_kept.then_some("replies so far are saved; run the same command again to continue")
    }
}

/// Which providers there are.
#[derive(Debug, Args)]
pub(crate) struct ProviderArguments {
    /// Server with an OpenAI-compatible API, for the models of provider NAME (default: `local`)
    #[arg(long, value_name = "[NAME=]URL", help_heading = "Models")]
    endpoint: Vec<NamedEndpoint>,
    /// Configuration file [default: assize.toml in this folder, a parent folder, or your
    /// configuration folder]
    #[arg(long, value_name = "FILE", help_heading = "Models")]
    pub(crate) config: Option<PathBuf>,
}

impl ProviderArguments {
    /// The providers of the file and of the command line.
    pub(crate) fn load(&self) -> Result<Config> {
        load(self.config.as_deref(), &self.endpoint)
    }

    /// The endpoints of the command line: name and URL.
    pub(crate) fn named_endpoints(&self) -> Vec<(String, String)> {
        named(&self.endpoint)
    }
}

/// The providers of a file, and endpoints that go before them.
pub(crate) fn load(config: Option<&Path>, endpoints: &[NamedEndpoint]) -> Result<Config> {
    Ok(Config::load(config, &named(endpoints), variables())?)
}

fn named(endpoints: &[NamedEndpoint]) -> Vec<(String, String)> {
    endpoints.iter().map(|one| (one.name.clone(), one.url.clone())).collect()
}

/// The environment of this process, where keys and settings are looked up.
pub(crate) fn variables() -> Variables {
    let names = env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    Variables::new(|name| env::var(name).ok()).listing(names)
}

/// A server and the name its models are asked for by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamedEndpoint {
    name: String,
    url: String,
}

/// What an endpoint without a name is called.
const LOCAL: &str = "local";

impl FromStr for NamedEndpoint {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, url) = match text.split_once('=') {
            Some((name, url)) if !name.contains(['/', ':']) => (name, url),
            _ => (LOCAL, text),
        };
        if name.is_empty() || url.is_empty() {
            return Err("expected NAME=URL, or a URL".to_owned());
        }
        Ok(Self { name: name.to_owned(), url: url.to_owned() })
    }
}
