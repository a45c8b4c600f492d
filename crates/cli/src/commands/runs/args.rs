//! What `assize runs` can be told.

use clap::{Args, Subcommand};

use crate::commands::criteria::Format;
use crate::database_args::DatabaseArguments;
use crate::model_args::ModelArguments;

const EXAMPLES: &str = "\
Examples:
  assize runs list
  assize runs show 3                       summary, tiers, weakest criteria
  assize runs show 3 --criterion AC-2      sections, citations and ledger of one criterion
  assize runs resume 3                     judges what is missing, and nothing else

A run is a number, or `latest`.";

/// Runs: every evaluation that was begun, and how far it came.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List runs
    List(List),
    /// Show a run, or one criterion of it
    Show(Show),
    /// Go on with a run that was stopped
    Resume(Box<Resume>),
}

#[derive(Debug, Args)]
pub(super) struct List {
    /// For people, or for programs
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(super) format: Format,
    #[command(flatten)]
    pub(super) database: DatabaseArguments,
}

#[derive(Debug, Args)]
pub(super) struct Show {
    /// The run: its number, or `latest`
    pub(super) run: String,
    /// One criterion, with sections, citations, ledger and history
    #[arg(long, value_name = "ID")]
    pub(super) criterion: Option<String>,
    /// One document
    #[arg(long, value_name = "NAME")]
    pub(super) document: Option<String>,
    /// How many of the weakest criteria are shown
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(super) weakest: usize,
    /// For people, or for programs
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(super) format: Format,
    #[command(flatten)]
    pub(super) database: DatabaseArguments,
}

#[derive(Debug, Args)]
pub(super) struct Resume {
    /// The run: its number, or `latest`
    pub(super) run: String,
    #[command(flatten)]
    pub(super) models: ModelArguments,
    /// How many of the weakest criteria are shown
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(super) weakest: usize,
    /// Exit with 0 even if a judge left criteria without a score
    #[arg(long)]
    pub(super) allow_unscored: bool,
    /// For people, or for programs
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(super) format: Format,
    #[command(flatten)]
    pub(super) database: DatabaseArguments,
}
