//! Arguments about models: what may be spent, where replies are kept, and what is replayed.

use std::path::PathBuf;
use std::time::Duration;

use assize_engine::summary::Settings;
use assize_engine::summary::model::{Limit, Member, Options};
use clap::Args;

#[derive(Debug, Args)]
#[command(next_help_heading = "Models as judges")]
pub(crate) struct ModelArguments {
    /// Say how many calls, tokens and dollars it would take, and send nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Stop before more than this is spent: 200k tokens, or $5
    #[arg(long, value_name = "TOKENS|$USD")]
    pub(crate) budget: Option<Limit>,
    /// Where replies are kept, so that nothing is paid twice
    #[arg(long, value_name = "FILE", default_value = "assize.db")]
    pub(crate) store: PathBuf,
    /// Leave kept replies aside and ask anew
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Write every exchange to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Answer from such a file: no network, no store
    #[arg(long, value_name = "FILE", conflicts_with_all = ["record", "fresh", "budget"])]
    pub(crate) replay: Option<PathBuf>,
    /// How many replies of each model a panel hears
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) samples: u32,
    /// Exit with 0 even if a judge left pairs without score
    #[arg(long)]
    pub(crate) allow_unscored: bool,
    /// A server that speaks OpenAI's protocol; models of NAME (else `local`) are asked there
    #[arg(long, value_name = "[NAME=]URL")]
    pub(crate) endpoint: Vec<NamedEndpoint>,
    /// Providers and prices [default: assize.toml, if there is one]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// How many pairs are judged at once
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub(crate) concurrency: usize,
    /// How long a reply may take
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    pub(crate) reply_timeout: u64,
}

/// A server and the name its models are asked for by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamedEndpoint {
    pub(crate) name: String,
    pub(crate) url: String,
}

/// What an endpoint without a name is called.
const LOCAL: &str = "local";

impl std::str::FromStr for NamedEndpoint {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, url) = match text.split_once('=') {
            Some((name, url)) if !name.contains(['/', ':']) => (name, url),
            _ => (LOCAL, text),
        };
        if name.is_empty() || url.is_empty() {
            return Err("write NAME=URL, or a URL alone".to_owned());
        }
        Ok(Self { name: name.to_owned(), url: url.to_owned() })
    }
}

impl ModelArguments {
    /// What the engine needs to know.
    pub(crate) fn to_options(&self, members: Vec<Member>, settings: Settings) -> Options {
        Options {
            members,
            settings,
            store: Some(self.store.clone()),
            budget: if self.dry_run { Some(Limit::Tokens(0)) } else { self.budget },
            record: self.record.clone().filter(|_| !self.dry_run),
            replay: self.replay.clone(),
            samples: self.samples,
            is_fresh: self.fresh,
            concurrency: self.concurrency,
            reply_timeout: Duration::from_secs(self.reply_timeout),
        }
    }

    /// Endpoints by name.
    pub(crate) fn named_endpoints(&self) -> Vec<(String, String)> {
        self.endpoint.iter().map(|named| (named.name.clone(), named.url.clone())).collect()
    }
}
