//! What `assize runs` can be told.

use std::path::PathBuf;

use assize_engine::asking::Limit;
use assize_engine::runs::RescoreRequest;
use assize_engine::runs::export::ExportFormat;
use assize_engine::store::Instrument;
use clap::{Args, Subcommand};

use crate::commands::council::hide_seats;
use crate::commands::criteria::Format;
use crate::database_args::{DatabaseArguments, ShowArguments};
use crate::edit_args::{Archive, Delete};
use crate::model_args::ModelArguments;
use crate::queue_args::QueueArguments;

const NOTES: &str = "\
A run is given by its number (3 or #3), its name, its id, or `latest`. `score`, `summary score`, `council ask`
and `council review` save a run with `--save`; `evaluate` always does.";

const PACK_NOTES: &str = "\
A package holds the request, material, evidence, replies, decisions, prompts and versions of a run, bound by a
chain of hashes. Quotes stay in it even without the material. If ASSIZE_COUNCIL_KEY holds a secret, it is
signed (Ed25519). Guide: docs/guide/packages.md";

/// Runs of every instrument: list, show, compare, resume, rescore, export.
#[derive(Debug, Subcommand)]
#[command(after_help = NOTES)]
pub(crate) enum Arguments {
    /// List runs, latest first
    List(List),
    /// Show a run, a page of its items, or one of its criteria
    Show(Show),
    /// Show one verdict per criterion over all documents of a compliance run
    Verdicts(ShownRun),
    /// Compare two runs on the same subjects
    Compare(Compare),
    /// Resume a stopped run; several processes can work on it
    Resume(Box<Resume>),
    /// Retry the items without a score, and only those
    Retry(Box<Retry>),
    /// Show what a run has cost so far, and how reliable the figure is
    Bill(ShownRun),
    /// Show or set the daily spending limit of all runs
    Ceiling(Ceiling),
    /// Stop a run; no further items are started
    Stop(Which),
    /// Rescore stored evidence with other settings, without calling models; both versions are kept
    Rescore(Box<Rescore>),
    /// Write a run as JSON lines, JSON or CSV
    Export(Export),
    /// Pack a finished run as evidence: one file that a stranger can verify
    Pack(Pack),
    /// Take the run of an evidence package in, after it was verified
    Import(Import),
    /// Delete a run with all its results
    Delete(Delete<Which>),
    /// Set or change the name of a run
    Rename(Rename),
    /// Add tags to a run, or remove them
    Tag(Tag),
    /// Make a run the baseline of its instrument
    Baseline(Baseline),
    /// Approve a finished run; later changes are shown as such
    Approve(Approve),
    /// Hide a run from lists without changing it
    Archive(Archive<Which>),
}

#[derive(Debug, Args)]
#[command(after_help = PACK_NOTES)]
pub(crate) struct Pack {
    #[command(flatten)]
    pub(super) which: Which,
    /// Write the package to this file [default: run-NUMBER.assize]
    #[arg(long, short, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Keep texts and files here; only their hashes go into the package
    #[arg(long)]
    pub(super) without_material: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Import {
    /// The evidence package
    #[arg(value_name = "FILE")]
    pub(super) package: PathBuf,
    #[command(flatten)]
    pub(super) database: DatabaseArguments,
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
    pub(super) instrument: Option<Instrument>,
    /// Only runs with this tag
    #[arg(long)]
    pub(super) tag: Option<String>,
    /// Also list archived runs
    #[arg(long)]
    pub(super) archived: bool,
    /// Maximum number of runs
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(i64).range(1..=10_000))]
    pub(super) limit: i64,
    /// Only runs with a lower number (for the next page)
    #[arg(long, value_name = "NUMBER")]
    pub(super) before: Option<i64>,
    #[command(flatten)]
    pub(super) shown: ShowArguments,
}

#[derive(Debug, Args)]
pub(crate) struct Show {
    #[command(flatten)]
    pub(super) which: Which,
    /// Sort items by a measure, lowest first; `-MEASURE` sorts highest first
    #[arg(long, value_name = "MEASURE", allow_hyphen_values = true)]
    pub(super) sort: Option<String>,
    /// Maximum number of items
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(i64).range(0..=10_000))]
    pub(super) limit: i64,
    /// Only items after this position (for the next page)
    #[arg(long, value_name = "POSITION", conflicts_with = "sort")]
    pub(super) after: Option<i64>,
    /// Use an earlier version of a rescored run
    #[arg(long, value_name = "N")]
    pub(super) version: Option<i64>,
    /// Show one criterion of a compliance run, with sections, citations, ledger and history
    #[arg(long, value_name = "ID")]
    pub(super) criterion: Option<String>,
    /// Show one document of a compliance run
    #[arg(long, value_name = "NAME")]
    pub(super) document: Option<String>,
    /// How many of the weakest criteria of a compliance run to show
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(super) weakest: usize,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(super) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct Compare {
    /// The run to compare with; if only one run is given, it is compared with the baseline of its
    /// instrument
    pub(super) first: String,
    /// The run to compare
    pub(super) second: Option<String>,
    /// Version of the first run [default: the current one]
    #[arg(long, value_name = "N")]
    pub(super) first_version: Option<i64>,
    /// Version of the second run [default: the current one]
    #[arg(long, value_name = "N")]
    pub(super) second_version: Option<i64>,
    /// How many of the items that changed most to show
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
    /// How many of the weakest criteria to show
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(super) weakest: usize,
    /// Exit with 0 even if the judge left items without a score
    #[arg(long)]
    pub(super) allow_unscored: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(super) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct Retry {
    /// Retry all items without a score
    #[arg(long, conflicts_with = "failed")]
    pub(super) unscored: bool,
    /// Retry only items for which the judge gave no readable answer [default]
    #[arg(long)]
    pub(super) failed: bool,
    /// Only those whose reason contains this text
    #[arg(long, value_name = "TEXT")]
    pub(super) because: Option<String>,
    #[command(flatten)]
    pub(super) resume: Resume,
}

#[derive(Debug, Args)]
pub(crate) struct Ceiling {
    /// Daily spending limit (UTC), such as 200k tokens or 5usd; omit it to show the current limit
    #[arg(value_name = "AMOUNT")]
    pub(super) amount: Option<Limit>,
    /// Remove the limit
    #[arg(long, conflicts_with = "amount")]
    pub(super) none: bool,
    #[command(flatten)]
    pub(super) shown: ShowArguments,
}

#[derive(Debug, Args)]
#[command(mut_args(hide_seats))]
pub(crate) struct Rescore {
    #[command(flatten)]
    pub(super) which: Which,
    #[command(flatten)]
    pub(super) request: RescoreRequest,
    /// Summaries: corrected labels, from an evidence file
    #[arg(long, value_name = "FILE", help_heading = "Summaries")]
    pub(super) evidence: Option<PathBuf>,
    /// Compliance: a different rubric, as JSON
    #[arg(long, value_name = "FILE", help_heading = "Compliance")]
    pub(super) rubric: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    #[command(flatten)]
    pub(super) which: Which,
    /// Output format [default: from the extension of --output, otherwise jsonl]
    #[arg(long, value_name = "FORMAT", value_parser = crate::commands::export::formats())]
    pub(super) format: Option<ExportFormat>,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Use an earlier version of a rescored run
    #[arg(long, value_name = "N")]
    pub(super) version: Option<i64>,
}

#[derive(Debug, Args)]
pub(crate) struct Rename {
    #[command(flatten)]
    pub(super) which: Which,
    /// The name; it must be unique
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
    /// Who approves [default: your login name]
    #[arg(long, value_name = "NAME", env = "USER")]
    pub(super) by: Option<String>,
    /// A note to record with the approval
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(super) note: String,
    /// Withdraw the approval
    #[arg(long)]
    pub(super) withdraw: bool,
}
