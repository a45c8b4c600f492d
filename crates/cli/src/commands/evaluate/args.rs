//! What `assize evaluate` can be told.

use std::path::PathBuf;

use assize_engine::compliance::ComplianceRequest;
use clap::{Args, Subcommand};

use crate::database_args::{DatabaseArguments, Format};
use crate::map_args::{MapArguments, RowArguments};
use crate::model_args::ModelArguments;
use crate::queue_args::QueueArguments;

const NOTES: &str = "\
Every result is stored as soon as it is available. If a run stops because of Ctrl-C, a budget or a power
failure, `assize runs resume RUN` continues it; nothing is judged or paid for twice.";

/// Evaluate documents against criteria: a score, a label, sections and checked citations for each.
#[derive(Debug, Args)]
#[command(after_help = NOTES, args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    #[command(flatten)]
    pub(super) evaluation: Evaluation,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Override the judge's score with a person's, giving a reason
    Override(Box<Override>),
}

#[derive(Debug, Args)]
pub(super) struct Evaluation {
    /// Documents to import and evaluate (TXT, Markdown, HTML, PDF, DOCX), or a folder of them
    #[arg(value_name = "FILES")]
    pub(super) files: Vec<PathBuf>,
    /// A document set imported earlier (`assize documents`)
    #[arg(long, value_name = "SET", conflicts_with = "files")]
    pub(super) documents: Option<String>,
    /// A criteria set imported earlier, or a file to import: CSV, XLSX, OSCAL JSON
    #[arg(long, value_name = "SET|FILE")]
    pub(super) criteria: Option<String>,
    /// Only evaluate documents that are new or changed since this run
    #[arg(long, value_name = "RUN")]
    pub(super) changed_since: Option<String>,
    #[command(flatten)]
    pub(super) queueing: QueueArguments,
    #[command(flatten)]
    pub(super) models: ModelArguments,
    #[command(flatten)]
    pub(super) request: ComplianceRequest,
    #[command(flatten)]
    pub(super) columns: MapArguments,
    #[command(flatten)]
    pub(super) rows: RowArguments,
    #[command(flatten)]
    pub(super) output: Output,
    #[command(flatten)]
    pub(super) database: DatabaseArguments,
}

/// How the result is shown.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(super) struct Output {
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(super) format: Format,
    /// How many of the weakest criteria to show
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(super) weakest: usize,
    /// Exit with 0 even if the judge left criteria without a score
    #[arg(long)]
    pub(super) allow_unscored: bool,
}

#[derive(Debug, Args)]
pub(super) struct Override {
    /// The run: its number, or `latest`
    pub(super) run: String,
    /// The criterion's id
    pub(super) criterion: String,
    /// The document, if the run has more than one
    #[arg(long, value_name = "NAME")]
    pub(super) document: Option<String>,
    #[command(flatten)]
    pub(super) verdict: Verdict,
    /// The reason, recorded in the history
    #[arg(long)]
    pub(super) reason: String,
    /// Author of the override [default: your login name]
    #[arg(long, value_name = "NAME", env = "USER")]
    pub(super) by: Option<String>,
    #[command(flatten)]
    pub(super) database: DatabaseArguments,
}

/// What a person says instead.
#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub(super) struct Verdict {
    /// The score, 0 to 100
    #[arg(long, value_name = "0-100", conflicts_with_all = ["not_applicable", "needs_information", "withdraw"])]
    pub(super) score: Option<f64>,
    /// Mark the criterion as not applicable to this document
    #[arg(long, conflicts_with_all = ["needs_information", "withdraw"])]
    pub(super) not_applicable: bool,
    /// Mark the document as not saying enough to decide
    #[arg(long, conflicts_with = "withdraw")]
    pub(super) needs_information: bool,
    /// New text for a section (repeatable); for a list, one entry per line
    #[arg(long, value_name = "SECTION=TEXT", conflicts_with = "withdraw")]
    pub(super) section: Vec<String>,
    /// Withdraw the override, restoring the judge's score
    #[arg(long)]
    pub(super) withdraw: bool,
}
