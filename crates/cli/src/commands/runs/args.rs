//! What `assize runs` can be told.

use std::path::PathBuf;

use assize_engine::asking::Limit;
use assize_engine::store::Instrument;
use clap::{Args, Subcommand, ValueEnum};

use crate::commands::council::CountingArguments;
use crate::commands::criteria::Format;
use crate::database_args::{DatabaseArguments, ShowArguments};
use crate::edit_args::{Archive, Delete};
use crate::model_args::ModelArguments;
use crate::queue_args::QueueArguments;

const NOTES: &str = "\
A run is its number (3 or #3), its name, its id, or `latest`. `--save` on `score`,
`summary score`, `council ask` and `council review` makes one; `evaluate` always does.";

/// Runs of every instrument: list, show, compare, resume, rescore, export.
#[derive(Debug, Subcommand)]
#[command(after_help = NOTES)]
pub(crate) enum Arguments {
    /// List runs, the latest first
    List(List),
    /// Show a run, a page of its items, or one criterion of it
    Show(Show),
    /// What holds for the documents of a compliance run taken together, criterion by criterion
    Verdicts(ShownRun),
    /// Compare two runs over the same subjects
    Compare(Compare),
    /// Resume a stopped run; several processes may share it
    Resume(Box<Resume>),
    /// Try items again that have no score; asks about those, and about nothing else
    Retry(Box<Retry>),
    /// Say what a run has cost in its life, and how sure that is
    Bill(ShownRun),
    /// Say what all runs together may spend in a day, or set it
    Ceiling(Ceiling),
    /// Stop a run: no further items are started
    Stop(Which),
    /// Score stored evidence another way; no model is asked, both versions are kept
    Rescore(Box<Rescore>),
    /// Write a run as JSON lines, JSON or CSV
    Export(Export),
    /// Remove a run with everything that came of it
    Delete(Delete<Which>),
    /// Give a run a name
    Rename(Rename),
    /// Add tags to a run, or take them away
    Tag(Tag),
    /// Make a run the one that others of its instrument are compared with
    Baseline(Baseline),
    /// Approve a run that is done: who and when; what is changed later is shown as such
    Approve(Approve),
    /// Leave a run out of lists; it stays as it is
    Archive(Archive<Which>),
}

#[derive(Debug, Args)]
pub(crate) struct Which {
    /// The run: its number, name or id, or `latest`
    pub(super) run: String,
    #[command(flatten)]
    pub(super) database: DatabaseArguments,
}

/// A run that is shown.
#[derive(Debug, Args)]
pub(crate) struct ShownRun {
    #[command(flatten)]
    pub(super) which: Which,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(super) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct List {
    /// Only runs of this instrument
    #[arg(long, value_enum)]
    instrument: Option<InstrumentName>,
    /// Only runs with this tag
    #[arg(long)]
    pub(super) tag: Option<String>,
    /// Also archived runs
    #[arg(long)]
    pub(super) archived: bool,
    /// How many
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(i64).range(1..=10_000))]
    pub(super) limit: i64,
    /// Only runs with a lower number: the next page
    #[arg(long, value_name = "NUMBER")]
    pub(super) before: Option<i64>,
    #[command(flatten)]
    pub(super) shown: ShowArguments,
}

impl List {
    /// The instrument, if only one is wanted.
    pub(super) fn instrument(&self) -> Option<Instrument> {
        Some(match self.instrument? {
            InstrumentName::Retrieval => Instrument::Retrieval,
            InstrumentName::Summary => Instrument::Summary,
            InstrumentName::Compliance => Instrument::Compliance,
            InstrumentName::Council => Instrument::Council,
        })
    }
}

/// What a run measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum InstrumentName {
    /// A ranked list against a gold standard
    Retrieval,
    /// A summary against its article
    Summary,
    /// A document against criteria
    Compliance,
    /// Answers against each other
    Council,
}

#[derive(Debug, Args)]
pub(crate) struct Show {
    #[command(flatten)]
    pub(super) which: Which,
    /// Order items by a measure, the lowest first; `-MEASURE` the highest first
    #[arg(long, value_name = "MEASURE", allow_hyphen_values = true)]
    pub(super) sort: Option<String>,
    /// How many items
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(i64).range(0..=10_000))]
    pub(super) limit: i64,
    /// Only items after this position: the next page
    #[arg(long, value_name = "POSITION", conflicts_with = "sort")]
    pub(super) after: Option<i64>,
    /// An earlier version of a rescored run
    #[arg(long, value_name = "N")]
    pub(super) version: Option<i64>,
    /// One criterion of a compliance run, with sections, citations, ledger and history
    #[arg(long, value_name = "ID")]
    pub(super) criterion: Option<String>,
    /// One document of a compliance run
    #[arg(long, value_name = "NAME")]
    pub(super) document: Option<String>,
    /// How many of the weakest criteria of a compliance run are shown
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(super) weakest: usize,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(super) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct Compare {
    /// The run to compare with; with one run alone, its instrument's baseline
    pub(super) first: String,
    /// The run that is compared
    pub(super) second: Option<String>,
    /// The version of the first run [default: the one that counts]
    #[arg(long, value_name = "N")]
    pub(super) first_version: Option<i64>,
    /// The version of the second run [default: the one that counts]
    #[arg(long, value_name = "N")]
    pub(super) second_version: Option<i64>,
    /// How many of the most moved items are shown
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(super) moved: usize,
    #[command(flatten)]
    pub(super) shown: ShowArguments,
}

#[derive(Debug, Args)]
pub(crate) struct Resume {
    #[command(flatten)]
    pub(super) which: Which,
    #[command(flatten)]
    pub(super) queueing: QueueArguments,
    #[command(flatten)]
    pub(super) models: ModelArguments,
    /// How many of the weakest criteria are shown
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(super) weakest: usize,
    /// Exit with 0 even if a judge left items without a score
    #[arg(long)]
    pub(super) allow_unscored: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(super) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct Retry {
    /// All items without a score
    #[arg(long, conflicts_with = "failed")]
    pub(super) unscored: bool,
    /// Only items for which the judge gave no answer that could be read [default]
    #[arg(long)]
    pub(super) failed: bool,
    /// Only those of them whose reason holds this text
    #[arg(long, value_name = "TEXT")]
    pub(super) because: Option<String>,
    #[command(flatten)]
    pub(super) resume: Resume,
}

#[derive(Debug, Args)]
pub(crate) struct Ceiling {
    /// Daily spending limit (UTC): 200k tokens, 5usd; without it, the present limit is shown
    #[arg(value_name = "AMOUNT")]
    pub(super) amount: Option<Limit>,
    /// Remove the ceiling
    #[arg(long, conflicts_with = "amount")]
    pub(super) none: bool,
    #[command(flatten)]
    pub(super) shown: ShowArguments,
}

#[derive(Debug, Args)]
pub(crate) struct Rescore {
    #[command(flatten)]
    pub(super) which: Which,
    /// Why, for the record [default: what was changed]
    #[arg(long, value_name = "TEXT")]
    pub(super) reason: Option<String>,
    /// Summaries: a different framework
    #[arg(long, value_name = "NAME", help_heading = "Summaries")]
    pub(super) framework: Option<String>,
    /// Summaries: corrected labels, from an evidence file
    #[arg(long, value_name = "FILE", help_heading = "Summaries")]
    pub(super) evidence: Option<PathBuf>,
    /// Retrieval: different measures, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "Retrieval")]
    pub(super) measures: Vec<String>,
    /// Retrieval: how many of the top passages count
    #[arg(long, value_name = "N", help_heading = "Retrieval", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) k: Option<u32>,
    /// Retrieval: the lowest relevance level that counts as relevant
    #[arg(long, value_name = "LEVEL", help_heading = "Retrieval")]
    pub(super) level: Option<i32>,
    /// Compliance: a different rubric, as JSON
    #[arg(long, value_name = "FILE", help_heading = "Compliance")]
    pub(super) rubric: Option<PathBuf>,
    #[command(flatten)]
    pub(super) counting: CountingArguments,
}

/// How a run is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// A line for the run, then one for each item, with ledger and evidence
    Jsonl,
    /// The same as one document
    Json,
    /// One row an item: its subject, outcome and scores
    Csv,
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    #[command(flatten)]
    pub(super) which: Which,
    /// Output format [default: by the name of --output, else jsonl]
    #[arg(long, value_enum)]
    pub(super) format: Option<ExportFormat>,
    /// Write to this file instead of printing
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// An earlier version of a rescored run
    #[arg(long, value_name = "N")]
    pub(super) version: Option<i64>,
}

#[derive(Debug, Args)]
pub(crate) struct Rename {
    #[command(flatten)]
    pub(super) which: Which,
    /// The name; no two runs have the same
    pub(super) name: String,
}

#[derive(Debug, Args)]
pub(crate) struct Tag {
    #[command(flatten)]
    pub(super) which: Which,
    /// Tags to add
    pub(super) tags: Vec<String>,
    /// A tag to remove (repeatable)
    #[arg(long, value_name = "TAG")]
    pub(super) remove: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Baseline {
    #[command(flatten)]
    pub(super) which: Which,
    /// Stop using it as the baseline
    #[arg(long)]
    pub(super) remove: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Approve {
    #[command(flatten)]
    pub(super) which: Which,
    /// Who approves [default: the name you are signed in with]
    #[arg(long, value_name = "NAME", env = "USER")]
    pub(super) by: Option<String>,
    /// What to add
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(super) note: String,
    /// Withdraw the approval
    #[arg(long)]
    pub(super) withdraw: bool,
}
