//! What `assize optimize` can be told.

use std::path::PathBuf;

use anyhow::{Result, bail};
use assize_engine::asking::JudgeName;
use assize_engine::compliance::context::TOKENS_MAX;
use clap::{Args, Subcommand};

use crate::commands::criteria::Format;
use crate::database_args::DatabaseArguments;
use crate::model_args::ModelArguments;

const NOTES: &str = "\
The first judge with the set's own template and rubric is the current configuration. Candidates are compared
with it on part of the truth keys; only the best candidate is tested on the held-out keys, and the set adopts
its template and rubric only if it is significantly better there.";

/// Search for a better prompt, rubric or judge, and promote it only if it holds up on held-out
/// keys.
#[derive(Debug, Args)]
#[command(after_help = NOTES, args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    #[command(flatten)]
    pub(super) search: Searching,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Resume a stopped search
    Resume {
        /// The search: the end of its id, or `latest`
        search: String,
        #[command(flatten)]
        models: ModelArguments,
        /// Output format
        #[arg(long, value_enum, default_value_t = Format::Table)]
        format: Format,
        #[command(flatten)]
        database: DatabaseArguments,
    },
    /// Show a search: its candidates and the decision
    Show {
        /// The search: the end of its id, or `latest`
        search: String,
        /// Output format
        #[arg(long, value_enum, default_value_t = Format::Table)]
        format: Format,
        #[command(flatten)]
        database: DatabaseArguments,
    },
}

#[derive(Debug, Args)]
pub(super) struct Searching {
    /// The document set with truth keys
    #[arg(long, value_name = "SET")]
    documents: Option<String>,
    /// The criteria set
    #[arg(long, value_name = "SET")]
    criteria: Option<String>,
    /// Judge to try (repeatable; the first is the one in use): rules, or PROVIDER/MODEL
    #[arg(long, value_name = "JUDGE")]
    pub(super) judge: Vec<JudgeName>,
    /// Template to try (repeatable): NAME or NAME@VERSION
    #[arg(long, value_name = "NAME")]
    pub(super) template: Vec<String>,
    /// JSON file with a rubric to try (repeatable)
    #[arg(long, value_name = "FILE")]
    pub(super) rubric: Vec<PathBuf>,
    /// Model that proposes templates based on the worst disagreements
    #[arg(long, value_name = "MODEL")]
    pub(super) propose: Option<JudgeName>,
    /// How many templates to propose
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(super) proposals: usize,
    /// Share of the truth keys to hold out for the decision
    #[arg(long, value_name = "SHARE", default_value_t = 0.4)]
    pub(super) hold_out: f64,
    /// Seed for splitting the keys
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    /// How much of a document to show a model
    #[arg(long, value_name = "TOKENS", default_value_t = TOKENS_MAX)]
    pub(super) context_tokens: usize,
    /// Print only the winner
    #[arg(long)]
    pub(super) no_promote: bool,
    #[command(flatten)]
    pub(super) models: ModelArguments,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(super) format: Format,
    #[command(flatten)]
    pub(super) database: DatabaseArguments,
}

impl Searching {
    /// The two sets, which must be named.
    pub(super) fn sets(&self) -> Result<(&str, &str)> {
        match (&self.documents, &self.criteria) {
            (Some(documents), Some(criteria)) => Ok((documents, criteria)),
            _ => bail!("no sets given: use --documents SET --criteria SET"),
        }
    }
}
