//! `assize council gate`: answers checked by the safety gate, and the gate measured on labels.

mod evaluation;
mod findings;
mod model;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use assize_engine::asking::ModelName;
use assize_methods::gate::Gate;
use clap::{Args, ValueEnum};

use crate::exit::Done;
use crate::map_args::MapArguments;
use crate::model_args::AskingArguments;

const NOTES: &str = "\
With --judge, a model reads the answers that the other stages pass; it can fail an answer by quoting it, but
cannot pass one that already failed. Exit code 1: an answer fails, or a limit you set is missed; 3: the model
gave no verdict on some answers. Guide: docs/guide/gate.md";

/// Check answers against the safety gate, or measure the gate on labelled answers.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    /// A text file with one answer, or records with a `response` field (.jsonl, .json, .csv,
    /// .parquet); `-` reads standard input
    #[arg(required_unless_present = "evaluate", conflicts_with = "evaluate")]
    file: Option<PathBuf>,
    /// Measure the gate on records with `response` and `label` (`harmful`, or anything else)
    #[arg(long, value_name = "FILE")]
    evaluate: Option<PathBuf>,
    /// TOML file with rules to add to the built-in ones (repeatable)
    #[arg(long, value_name = "FILE")]
    patterns: Vec<PathBuf>,
    /// Add the second stage: a classifier trained on labelled answers
    #[arg(long)]
    learned: bool,
    /// False-positive rate that both stages aim at, 0.002 to 0.05 [default: 0.01]
    #[arg(long, value_name = "SHARE", requires = "learned")]
    gate_rate: Option<f64>,
    /// Add the third stage: a model that reads the answers the other stages pass
    #[arg(long, value_name = "PROVIDER/MODEL")]
    judge: Option<ModelName>,
    /// Do not exit with 3 if the model gives no verdict on some answers
    #[arg(long, requires = "judge")]
    allow_unscored: bool,
    /// Field whose values are held out one at a time; use a dotted path for nested fields
    #[arg(long, value_name = "FIELD", default_value = "source", requires = "evaluate")]
    hold_out: String,
    /// Exit with 1 if recall is below this
    #[arg(long, value_name = "SHARE", requires = "evaluate")]
    min_recall: Option<f64>,
    /// Exit with 1 if the false-positive rate is above this
    #[arg(long, value_name = "SHARE", requires = "evaluate")]
    max_false_positive_rate: Option<f64>,
    #[command(flatten)]
    columns: MapArguments,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    asking: AskingArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Human-readable
    Text,
    /// Machine-readable JSON
    Json,
}

/// Checks, or measures.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let gate = gate(&arguments.patterns)?.with_learned(arguments.learned, arguments.gate_rate)?;
    match (&arguments.evaluate, &arguments.file) {
        (Some(file), _) => evaluation::run(arguments, &gate, file),
        (None, Some(file)) => findings::run(arguments, &gate, file),
        (None, None) => bail!("give a file to check, or --evaluate FILE"),
    }
}

fn gate(files: &[PathBuf]) -> Result<Gate> {
    files.iter().try_fold(Gate::built_in(), |gate, file| {
        let name = || file.display().to_string();
        let text =
            fs::read_to_string(file).with_context(|| format!("{}: cannot be read", name()))?;
        gate.with_patterns(&text).with_context(name)
    })
}

/// Whether a file holds records and not one answer.
fn holds_records(file: &Path) -> bool {
    let name = file.to_string_lossy().to_ascii_lowercase();
    let name = name.trim_end_matches(".gz").trim_end_matches(".zst");
    [".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet", ".xlsx"]
        .iter()
        .any(|end| name.ends_with(end))
}
