//! `assize judges …`: which judge can be trusted, and for whom.

mod tables;

use std::path::PathBuf;

use anyhow::Result;
use assize_engine::judges::{Items, Settings, Source, bench};
use clap::{Args, Subcommand};

use crate::exit::Done;
use crate::output::report::ReportArguments;

/// Compare judges with people.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Compare any number of judges with any number of raters on the same items
    Bench(Bench),
}

const EXAMPLES: &str = "\
Examples:
  assize judges bench --items data.csv --judges gpt4=col:judge_gpt4 mini=file:mini.jsonl --raters ann=col:ann_a ben=col:ann_b
  assize judges bench --items data.csv --judges a=col:a b=col:b --raters people=col:human --group doc_id -o judges.html
  assize judges bench --items data.csv --judges a=col:a b=col:b --raters people=col:human -o table.tex

Items are CSV, JSON, lines of JSON or Parquet. A judge or rater is NAME=col:COLUMN of the items' file, or NAME=file:FILE with
`id` and `score`; every label is the name given here. Ids that do not match are refused. Guide: docs/guide/judges.md";

/// Compare judges with raters.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
struct Bench {
    /// The items, one a row
    #[arg(long, value_name = "FILE")]
    items: PathBuf,
    /// The judges
    #[arg(long, value_name = "NAME=col:COLUMN|NAME=file:FILE", num_args = 1.., required = true)]
    judges: Vec<Source>,
    /// The raters
    #[arg(long, value_name = "NAME=col:COLUMN|NAME=file:FILE", num_args = 1.., required = true)]
    raters: Vec<Source>,
    /// The column with the items' names [default: id, item, key or name, else the row]
    #[arg(long, value_name = "COLUMN")]
    id: Option<String>,
    /// The column that says which items belong together, for example those of one document
    #[arg(long, value_name = "COLUMN")]
    group: Option<String>,
    /// How sure intervals are
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95)]
    confidence: f64,
    /// How often items are drawn anew
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    resamples: usize,
    /// Where resampling starts; the same seed gives the same bytes
    #[arg(long, value_name = "N", default_value_t = 42)]
    seed: u64,
    #[command(flatten)]
    report: ReportArguments,
}

/// Runs the one that was asked for.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let Command::Bench(arguments) = &arguments.command;
    arguments.report.check(&[&arguments.items])?;
    let items = Items::read(
        &arguments.items,
        &arguments.judges,
        &arguments.raters,
        arguments.id.as_deref(),
        arguments.group.as_deref(),
    )?;
    let settings = Settings {
        resamples: arguments.resamples,
        level: arguments.confidence,
        seed: arguments.seed,
    };
    let found = bench(&items, &settings);
    arguments.report.write(&tables::report(&found, arguments.confidence), &found)?;
    Ok(Done::Fine)
}
