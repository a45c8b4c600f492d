//! `assize summary bench`: the rule judge beside plain baselines, on rated summaries.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use assize_engine::retrieval::uncertainty::Uncertainty;
use assize_engine::summary::bench::{Figure, Figures, Part, bench};
use assize_methods::summary::half::Half;
use assize_wire::text::pretty;
use clap::{Args, ValueEnum};

use super::sink::write_whole;
use crate::database_args::Format;
use crate::exit::Done;
use crate::output::table::{columns, numbers, table, words};
use crate::output::terminal::{quiet, strong};

const NOTES: &str = "\
A record has `article`, `summary`, `doc_id` if an article has several summaries, one of `human.consistent` (0
or 1), `human.consistency`, `human.faith_frac` and `error_type`, and optionally `human.relevance`. Data is
split in halves by article. Guide: docs/guide/summary.md";

/// Benchmark the rule judge on rated summaries, next to simple baselines.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    /// Files of rated summaries
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Which half of the articles to measure on
    #[arg(long, value_enum, default_value_t = Which::All)]
    half: Which,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Number of bootstrap resamples; 0 omits intervals
    #[arg(long, value_name = "N", default_value_t = 500)]
    resamples: usize,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 42)]
    seed: u64,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Which half of the articles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Which {
    /// The tuning half
    A,
    /// The test half
    B,
    /// Both
    All,
}

/// Measures every file.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let half = match arguments.half {
        Which::A => Some(Half::A),
        Which::B => Some(Half::B),
        Which::All => None,
    };
    let uncertainty = Uncertainty {
        resamples: arguments.resamples,
        seed: arguments.seed,
        ..Uncertainty::default()
    };
    let mut all = Vec::new();
    for file in &arguments.files {
        let figures = bench(file, half, &uncertainty)?;
        ensure!(
            !figures.parts.is_empty(),
            "{}: no record has both a score and a rating; see `assize summary bench --help` for \
             the fields",
            file.display()
        );
        all.push(figures);
    }
    let text = match arguments.format {
        Format::Table => rendered(&all, arguments),
        Format::Json => pretty(&all),
    };
    write_whole(arguments.output.as_deref(), &text)?;
    Ok(Done::Fine)
}

fn rendered(all: &[Figures], arguments: &Arguments) -> String {
    let mut text = String::new();
    for figures in all {
        for part in &figures.parts {
            let title = format!("{}: {} with {}", figures.name, part.figure, part.rating);
            let _ = write!(text, "{}\n{}", strong(&title), measures(part));
            let mut notes = vec![format!("{} pairs, {} articles", part.pairs, part.documents)];
            if let Some((low, perfect)) = part.perfect.filter(|(_, perfect)| *perfect > 0) {
                let share = 100.0 * low as f64 / perfect as f64;
                notes.push(format!("{share:.0} % of {perfect} perfect summaries score 3 or less"));
            }
            let _ = writeln!(text, "{}", quiet(&notes.join("; ")));
            if !part.errors.is_empty() {
                let _ = write!(text, "\n{}", errors(part));
            }
            text.push('\n');
        }
        if figures.left_out > 0 {
            let _ = writeln!(text, "{} records without a score or rating\n", figures.left_out);
        }
    }
    let half = match arguments.half {
        Which::A => "half a, by article",
        Which::B => "half b, by article",
        Which::All => "all articles",
    };
    let closing = format!(
        "{half}; 95 % intervals by bootstrap over articles, {} resamples, seed {}",
        arguments.resamples, arguments.seed
    );
    let _ = writeln!(text, "{}", quiet(&closing));
    text
}

fn measures(part: &Part) -> String {
    let is_label = part.rows.iter().any(|row| row.balanced_accuracy.is_some());
    let mut columns = columns("measure | #value | interval");
    if is_label {
        columns.push(numbers("bal. acc."));
        columns.push(words("interval"));
    }
    let rows = part.rows.iter().map(|row| {
        let mut cells = vec![row.measure.to_owned(), value(&row.figure), interval(&row.figure)];
        if let Some(found) = &row.balanced_accuracy {
            cells.push(value(found));
            cells.push(interval(found));
        }
        cells
    });
    table(&columns, rows.collect())
}

fn errors(part: &Part) -> String {
    let rows = part.errors.iter().map(|row| {
        let auc = row.auc.map_or_else(|| "–".to_owned(), |auc| format!("{auc:.3}"));
        vec![row.kind.clone(), row.pairs.to_string(), auc]
    });
    table(&columns("error | #pairs | #AUC"), rows.collect())
}

fn value(figure: &Figure) -> String {
    figure.value.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}"))
}

fn interval(figure: &Figure) -> String {
    let ends = figure.low.zip(figure.high);
    ends.map_or_else(String::new, |(low, high)| format!("[{low:.3}, {high:.3}]"))
}
