//! Arguments about models: what may be spent, where replies are kept, and what is replayed.

use std::path::PathBuf;
use std::time::Duration;

use assize_engine::council::Options;
use assize_engine::summary::model::Limit;
use clap::Args;

use crate::commands::summary::NamedEndpoint;

#[derive(Debug, Args)]
#[command(next_help_heading = "Models")]
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
    /// A server that speaks OpenAI's protocol; models of NAME (else `local`) are asked there
    #[arg(long, value_name = "[NAME=]URL")]
    pub(crate) endpoint: Vec<NamedEndpoint>,
    /// Providers, prices and the council's settings [default: assize.toml, if there is one]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// How many requests each provider gets at once
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub(crate) concurrency: usize,
    /// How long a reply may take; who takes longer is asked once more, then left out
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    pub(crate) reply_timeout: u64,
}

impl ModelArguments {
    /// What the engine needs to know.
    pub(crate) fn to_options(&self) -> Options {
        Options {
            store: Some(self.store.clone()),
            budget: if self.dry_run { Some(Limit::Tokens(0)) } else { self.budget },
            record: self.record.clone().filter(|_| !self.dry_run),
            replay: self.replay.clone(),
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
