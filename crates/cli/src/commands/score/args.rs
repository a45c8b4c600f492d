//! What `assize score` can be told.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

use assize_engine::retrieval::uncertainty::{LEVEL, RESAMPLES, SEED, Uncertainty};
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};

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
    pub(crate) uncertainty: UncertaintyArguments,
    #[command(flatten)]
    pub(crate) save: SaveArguments,
    #[command(flatten)]
    pub(crate) database: DatabaseArguments,
}

/// What is to be scored, and how; `compare` takes the same.
#[derive(Debug, Args, Serialize, Deserialize)]
pub(crate) struct Scoring {
    /// Cutoff for measures that do not name one; several values: 1,5,10
    #[arg(long, value_name = "N", default_value = "10")]
    pub(crate) k: Ks,
    /// Measures to compute, separated by commas: recall@5,recall@10 (`assize measures` lists them)
    #[arg(short, long, value_name = "NAMES", visible_alias = "metrics")]
    pub(crate) measures: Vec<String>,
    /// Kind of scoring [default: detected from the files]
    #[arg(long, value_enum, default_value_t = Mode::Auto)]
    pub(crate) mode: Mode,
    /// Column or key that holds a field: query, passages, gold, document, score, rank or relevance
    /// (repeatable)
    #[arg(long, value_name = "FIELD=COLUMN", value_parser = map_args::pair)]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) map: Vec<(String, String)>,
    #[command(flatten)]
    pub(crate) passages: PassageArguments,
    #[command(flatten)]
    pub(crate) ranked: RankedArguments,
}

/// Kind of scoring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Mode {
    /// Detected from the files
    Auto,
    /// Passage texts against gold texts
    Passages,
    /// Character spans against gold spans
    Spans,
    /// Document identifiers against relevance judgements
    Ranked,
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

#[derive(Debug, Args, Serialize, Deserialize)]
#[command(next_help_heading = "Passages")]
pub(crate) struct PassageArguments {
    /// How to normalise whitespace before matching
    #[arg(long, value_enum, default_value_t = WhiteSpace::Collapse)]
    pub(crate) whitespace: WhiteSpace,
    /// Compute span F1 on token sets, or on bags of tokens as SQuAD does
    #[arg(long, value_enum, default_value_t = F1Tokens::Set)]
    pub(crate) f1: F1Tokens,
    /// How to build the ideal ranking for nDCG
    #[arg(long, value_enum, default_value_t = NdcgIdeal::Gold)]
    pub(crate) ndcg_ideal: NdcgIdeal,
    /// Let nDCG exceed 1 when several passages match one gold snippet
    #[arg(long)]
    pub(crate) ndcg_unclipped: bool,
    /// Score gold queries without a prediction as 0 instead of skipping them
    #[arg(long)]
    pub(crate) require_all: bool,
    /// Spans: count overlaps twice, as LegalBench-RAG does
    #[arg(long)]
    pub(crate) compat: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WhiteSpace {
    /// Treat any sequence of whitespace as one space
    Collapse,
    /// Only strip leading and trailing whitespace
    Strip,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum F1Tokens {
    /// Count each token once
    Set,
    /// Count each token as often as it occurs
    Bag,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum NdcgIdeal {
    /// As many relevant passages as gold snippets
    Gold,
    /// As many relevant passages as matches retrieved
    Retrieved,
    /// The greater of the two
    Matched,
}

#[derive(Debug, Args, Serialize, Deserialize)]
#[command(next_help_heading = "Ranked runs")]
pub(crate) struct RankedArguments {
    /// Lowest relevance level that counts as relevant
    #[arg(long, value_name = "LEVEL", default_value_t = 1)]
    pub(crate) level: i32,
    /// Average over all judged queries; queries without results count as 0
    #[arg(long)]
    pub(crate) complete: bool,
    /// Only consider the first N documents of each query
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: Option<u32>,
    /// How to order documents with equal scores
    #[arg(long, value_enum, default_value_t = Ties::Trec)]
    pub(crate) ties: Ties,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Ties {
    /// By identifier, descending, as `trec_eval` does
    Trec,
    /// By identifier, ascending
    Ascending,
    /// In file order
    Input,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Intervals")]
pub(crate) struct UncertaintyArguments {
    /// Confidence level of intervals
    #[arg(long, value_name = "LEVEL", default_value_t = LEVEL, value_parser = level)]
    pub(crate) confidence: f64,
    /// Number of bootstrap resamples; 0 omits intervals
    #[arg(long, value_name = "N", default_value_t = RESAMPLES)]
    pub(crate) resamples: usize,
    /// Random seed; the same seed gives the same output
    #[arg(long, value_name = "N", default_value_t = SEED)]
    pub(crate) seed: u64,
}

impl UncertaintyArguments {
    /// The settings that the engine takes.
    pub(crate) fn to_uncertainty(&self) -> Uncertainty {
        Uncertainty {
            level: self.confidence,
            resamples: self.resamples,
            seed: self.seed,
            ..Uncertainty::default()
        }
    }
}

fn drop_allowed(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(drop) if drop.is_finite() && drop >= 0.0 => Ok(drop),
        _ => Err("the allowed drop must be 0 or more, for example 0.02".to_owned()),
    }
}

fn level(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(level) if level > 0.0 && level < 1.0 => Ok(level),
        _ => Err("the confidence level must be between 0 and 1, for example 0.95".to_owned()),
    }
}

/// One number of passages, or several with commas between them; the first is the main one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "WrittenKs", into = "WrittenKs")]
pub(crate) struct Ks(Vec<u32>);

/// As runs keep it: a number, as they always did, unless there are several.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum WrittenKs {
    One(u32),
    Several(Vec<u32>),
}

impl From<WrittenKs> for Ks {
    fn from(written: WrittenKs) -> Self {
        match written {
            WrittenKs::One(k) => Self(vec![k]),
            WrittenKs::Several(ks) => Self(ks),
        }
    }
}

impl From<Ks> for WrittenKs {
    fn from(ks: Ks) -> Self {
        match ks.0.as_slice() {
            [k] => Self::One(*k),
            _ => Self::Several(ks.0),
        }
    }
}

impl From<u32> for Ks {
    fn from(k: u32) -> Self {
        Self(vec![k])
    }
}

impl Ks {
    /// The numbers, each at least 1.
    pub(crate) fn numbers(&self) -> Option<Vec<NonZeroUsize>> {
        let number = |k: &u32| usize::try_from(*k).ok().and_then(NonZeroUsize::new);
        self.0.iter().map(number).collect()
    }
}

impl FromStr for Ks {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |part: &str| match part.trim().parse() {
            Ok(k) if k > 0 => Ok(k),
            _ => Err(format!("`{}` is not a whole number of 1 or more", part.trim())),
        };
        text.split(',').map(number).collect::<Result<_, _>>().map(Self)
    }
}
