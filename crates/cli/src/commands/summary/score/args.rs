//! The arguments of `assize summary score`.

use std::path::PathBuf;

use anyhow::Result;
use assize_engine::summary::SummaryRequest;
use assize_engine::summary::calibration::Calibrations;
use clap::{Args, ValueEnum};

use super::line::Look;
use crate::commands::summary::args::FieldArguments;
use crate::commands::thresholds::FailUnder;
use crate::model_args::AskingArguments;
use crate::save_args::SaveArguments;

const NOTES: &str = "\
Input: JSON lines, a JSON array, CSV, TSV or Parquet, optionally compressed as .gz or .zst; `-` reads standard
input. The default fields are article, summary and id. A record that cannot be scored gives {\"error\":
\"…\"}, and the run continues. With a model as judge, every reply is stored in --database: running the same
command again continues where it stopped, and nothing is paid for twice. With --fail-under, a record without
a score fails the check (exit code 1). Exit code 3: the judge left a pair without a score. Guides: docs/guide/summary-rules.md, docs/guide/models.md";

/// Score summaries against their articles.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    /// File with the article, to score a single pair
    #[arg(long, value_name = "FILE", requires = "summary", conflicts_with = "input")]
    pub(crate) article: Option<PathBuf>,
    /// File with the summary of that pair
    #[arg(long, value_name = "FILE", requires = "article", conflicts_with = "input")]
    pub(crate) summary: Option<PathBuf>,
    /// File of article and summary pairs
    #[arg(short, long, value_name = "FILE", required_unless_present = "article")]
    pub(crate) input: Option<PathBuf>,

    /// Output format [default: from the extension of --output, otherwise table]
    #[arg(long, value_enum, help_heading = "Output")]
    pub(crate) format: Option<Format>,
    /// Write the results to this file instead of standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// Show how every number was computed: ledgers in the table, `workings` in JSON
    #[arg(long, help_heading = "Output")]
    pub(crate) explain: bool,
    /// How many pairs an HTML page shows in full, lowest scores first
    #[arg(long, value_name = "N", default_value_t = 50, help_heading = "Output")]
    pub(crate) show: usize,
    /// Show the expected human rating next to each score, from a curve written by `summary agree -o
    /// FILE.json` (repeatable, one metric each)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) calibration: Vec<PathBuf>,
    /// Write the evidence (labels with quotes) for `summary rescore`, one pair per line
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) evidence_out: Option<PathBuf>,
    /// Let the configured reader decide what words cannot; it helps with small edits and costs
    /// elsewhere (docs/guide/summary.md)
    #[arg(long, conflicts_with = "save")]
    pub(crate) with_reader: bool,
    /// Exit with 1 if the mean of a metric is below a value (repeatable)
    #[arg(long, value_name = "METRIC=VALUE", help_heading = "Thresholds for CI")]
    pub(crate) fail_under: Vec<FailUnder>,
    /// Check thresholds on the pairs that have a score, and do not fail because others have none
    #[arg(long, help_heading = "Thresholds for CI")]
    pub(crate) allow_unscored: bool,

    #[command(flatten)]
    pub(crate) request: SummaryRequest,
    #[command(flatten)]
    pub(crate) save: SaveArguments,
    #[command(flatten)]
    pub(crate) asking: AskingArguments,
    #[command(flatten)]
    pub(crate) fields: FieldArguments,
}

/// Output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Human-readable: a scorecard, or one row per pair and the means
    Table,
    /// The metric objects as JSON; an array for a file of pairs
    Json,
    /// One JSON object per line
    Jsonl,
    /// A self-contained HTML page
    Html,
}

impl Arguments {
    /// How records are shown; curves are read now.
    pub(super) fn look(&self) -> Result<Look> {
        let calibrations = Calibrations::read(&self.calibration)?;
        Ok(Look { format: self.format(), explain: self.explain, calibrations })
    }

    /// The format asked for, or the one that the output's name asks for.
    pub(crate) fn format(&self) -> Format {
        self.format.unwrap_or_else(|| {
            let extension = self.output.as_ref().and_then(|path| path.extension()?.to_str());
            match extension {
                Some("json") => Format::Json,
                Some("jsonl" | "ndjson") => Format::Jsonl,
                Some("html" | "htm") => Format::Html,
                _ => Format::Table,
            }
        })
    }
}
