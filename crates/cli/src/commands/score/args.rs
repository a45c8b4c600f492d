//! What `assize score` can be told.

use std::path::PathBuf;

use assize_engine::retrieval::request::ScoreRequest;
use clap::{Args, ValueEnum};

use crate::commands::thresholds::FailUnder;
use crate::database_args::DatabaseArguments;
use crate::map_args;
use crate::save_args::SaveArguments;

const NOTES: &str = "\
Files: predictions as JSON with `query` and `retrieved_passages`, and gold as JSON with `tests`; or a run and
its relevance judgements. Files may be compressed (.gz, .zst); `-` reads one of the two from standard input.";

/// Score a retrieval run against its gold standard.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    /// The run to score: passages as JSON, or a TREC, BEIR, CSV or Parquet run
    pub(crate) predictions: PathBuf,
    /// The gold standard: JSON with `tests`, or relevance judgements; if omitted, the references
    /// contained in the run itself (ragas)
    pub(crate) gold: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) scoring: Scoring,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    #[command(flatten)]
    pub(crate) gates: GateArguments,
    #[command(flatten)]
    pub(crate) save: SaveArguments,
    #[command(flatten)]
    pub(crate) database: DatabaseArguments,
}

/// What is to be scored, and how; `compare` takes the same.
#[derive(Debug, Args)]
pub(crate) struct Scoring {
    #[command(flatten)]
    request: ScoreRequest,
    /// Column or key that holds a field: query, passages, gold, answer, document, score, rank or relevance
    /// (repeatable)
    #[arg(long, value_name = "FIELD=COLUMN", value_parser = map_args::pair)]
    map: Vec<(String, String)>,
}

impl Scoring {
    /// The request that the engine takes.
    pub(crate) fn into_request(self) -> ScoreRequest {
        ScoreRequest { map: self.map.into_iter().collect(), ..self.request }
    }
}

/// Output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// One `name: value` line per measure, as the passage scorer prints it
    Plain,
    /// A table with intervals
    Table,
    /// One JSON object
    Json,
    /// One JSON object per query
    Jsonl,
    /// Comma-separated values, one line per measure
    Csv,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArguments {
    /// Output format [default: plain for passages, table otherwise]
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    /// Also write the results as JSON to this file
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write every query's values to this file (.csv, .jsonl or .json)
    #[arg(long, value_name = "FILE")]
    pub(crate) per_query: Option<PathBuf>,
    /// Show how the scores of one query were computed; give its number (1, 2, …), identifier or
    /// text
    #[arg(long, value_name = "QUERY", conflicts_with_all = ["format", "output", "per_query", "by", "fail_under", "baseline", "junit"])]
    pub(crate) explain: Option<String>,
    /// Also report means grouped by this field of the gold tests
    #[arg(long, value_name = "FIELD")]
    pub(crate) by: Option<String>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Thresholds for CI")]
pub(crate) struct GateArguments {
    /// Exit with 1 if a measure is below a value (repeatable)
    #[arg(long, value_name = "MEASURE=VALUE")]
    pub(crate) fail_under: Vec<FailUnder>,
    /// Results of an earlier run (written with --output) to compare with
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// How far a measure may drop below the baseline
    #[arg(long, value_name = "VALUE", default_value_t = 0.0, requires = "baseline", value_parser = drop_allowed)]
    pub(crate) max_drop: f64,
    /// Do not fail thresholds if gold queries have no prediction (--require-all scores them 0)
    #[arg(long)]
    pub(crate) allow_missing: bool,
    /// Write the threshold results as a JUnit report
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
}

fn drop_allowed(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(drop) if drop.is_finite() && drop >= 0.0 => Ok(drop),
        _ => Err("the allowed drop must be 0 or more, for example 0.02".to_owned()),
    }
}
