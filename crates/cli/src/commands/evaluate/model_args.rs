//! Who judges, and what only models bring: a budget, a transcript, a limit to what they read.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use assize_engine::compliance::bench::{Options, Who};
use assize_engine::summary::model::Limit;
use clap::Args;

use crate::commands::summary::NamedEndpoint;

/// Who judges.
#[derive(Debug, Args)]
#[command(next_help_heading = "Judging")]
pub(crate) struct JudgeArguments {
    /// Who judges: rules (no model, no network), or PROVIDER/MODEL
    #[arg(long, value_name = "JUDGE", default_value = "rules", value_parser = Who::from_str)]
    pub(crate) judge: Who,
    #[command(flatten)]
    pub(crate) models: ModelArguments,
}

/// How models are asked.
#[derive(Debug, Args)]
#[command(next_help_heading = "Models as judges")]
pub(crate) struct ModelArguments {
    /// Stop before more than this is spent: 200k tokens, or $5
    #[arg(long, value_name = "TOKENS|$USD")]
    pub(crate) budget: Option<Limit>,
    /// Leave kept replies aside and ask anew
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Write every exchange to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Answer from such a file: no network
    #[arg(long, value_name = "FILE", conflicts_with_all = ["record", "fresh", "budget"])]
    pub(crate) replay: Option<PathBuf>,
    /// A server that speaks OpenAI's protocol; models of NAME (else `local`) are asked there
    #[arg(long, value_name = "[NAME=]URL")]
    pub(crate) endpoint: Vec<NamedEndpoint>,
    /// Providers and prices [default: assize.toml, if there is one]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// How many criteria are judged at once
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub(crate) concurrency: usize,
    /// How long a reply may take
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    pub(crate) reply_timeout: u64,
}

impl ModelArguments {
    /// What the engine needs to know.
    pub(crate) fn to_options(&self) -> Options {
        Options {
            budget: self.budget,
            record: self.record.clone(),
            replay: self.replay.clone(),
            is_fresh: self.fresh,
            concurrency: self.concurrency.max(1),
            reply_timeout: Duration::from_secs(self.reply_timeout),
            config: self.config.clone(),
            endpoints: self
                .endpoint
                .iter()
                .map(|one| (one.name.clone(), one.url.clone()))
                .collect(),
        }
    }
}
