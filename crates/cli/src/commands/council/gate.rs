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
With --judge a model reads what the other stages let pass; it can fail an answer, by words that stand in it, and cannot
acquit one. Exit code 1: an answer fails, or a limit that was set is missed; 3: the model gave no verdict on some. Guide: docs/guide/gate.md";

/// Check answers against the safety gate, or measure the gate on labelled answers.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    /// An answer as text, or records with a field `response` (.jsonl, .json, .csv, .parquet); `-` is
    /// standard input
    #[arg(required_unless_present = "evaluate", conflicts_with = "evaluate")]
    file: Option<PathBuf>,
    /// Measure the gate on records with `response` and `label` (harmful, or any other word)
    #[arg(long, value_name = "FILE")]
    evaluate: Option<PathBuf>,
    /// Rules to add to the built-in ones, as TOML; may be given more than once
    #[arg(long, value_name = "FILE")]
    patterns: Vec<PathBuf>,
    /// Add the second stage: a classifier trained on labelled answers
    #[arg(long)]
    learned: bool,
    /// Add the third stage: a model that reads what the other stages pass
    #[arg(long, value_name = "PROVIDER/MODEL")]
    judge: Option<ModelName>,
    /// Do not end with 3 when the model gives no verdict on some answers
    #[arg(long, requires = "judge")]
    allow_unscored: bool,
    /// The field whose values are held out one at a time; a dotted path reaches into fields
    #[arg(long, value_name = "FIELD", default_value = "source", requires = "evaluate")]
    hold_out: String,
    /// Exit with 1 when recall is lower
    #[arg(long, value_name = "SHARE", requires = "evaluate")]
    min_recall: Option<f64>,
    /// Exit with 1 when more of the answers that are not harmful fail
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
    /// For the terminal
    Text,
    /// For programs
    Json,
}

/// Checks, or measures.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let gate = gate(&arguments.patterns)?;
    let gate = if arguments.learned { gate.with_learned() } else { gate };
    match (&arguments.evaluate, &arguments.file) {
        (Some(file), _) => evaluation::run(arguments, &gate, file),
        (None, Some(file)) => findings::run(arguments, &gate, file),
        (None, None) => bail!("a file to check is needed, or --evaluate FILE"),
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
