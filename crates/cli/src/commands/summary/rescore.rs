//! `assize summary rescore`: an evidence file scored again, with no model and no database.

use std::fmt::Write;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use assize_engine::runs::evidence::{EvidenceLine, check, read_lines};
use assize_engine::summary::Framework;
use assize_methods::summary::{FiveMetrics, Metric};
use clap::{Args, ValueEnum};
use serde::Serialize;

use super::sink::write_whole;
use crate::exit::Done;
use crate::output::files;
use crate::output::table::{numbers, table, words};
use crate::output::terminal::one_line;

const NOTES: &str = "\
Evidence is one JSON object per line: labels with their quotes. Edit the label of a
claim (`support`), then rescore: its extraneous tokens and the totals follow. `assize runs rescore RUN
--evidence FILE` does the same for a saved run and keeps both versions.";

/// Rescore an evidence file, without models or a database.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    /// A file written by `summary score --evidence-out`; `-` reads standard input
    file: PathBuf,
    /// Scoring framework [default: the one named in the file]
    #[arg(long, value_enum)]
    framework: Option<Framework>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Write the results to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One row per pair, and the means
    Table,
    /// One JSON object per line: id, framework, scores
    Jsonl,
}

/// One pair for programs.
#[derive(Serialize)]
struct RescoredPair<'a> {
    id: Option<&'a str>,
    framework: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<FiveMetrics<Option<f64>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Reads, scores, prints.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    files::check_ending(arguments.output.as_deref(), &["txt", "jsonl"])?;
    files::check(arguments.output.as_deref(), &[&arguments.file])?;
    let named = arguments.framework;
    let lines = read(&arguments.file)?;
    for (number, line) in lines.iter().enumerate() {
        enough(line, named)
            .with_context(|| format!("{}, pair {}", arguments.file.display(), number + 1))?;
    }
    let scored: Vec<RescoredPair<'_>> = lines.iter().map(|line| score(line, named)).collect();
    let text = match arguments.format {
        Format::Jsonl => {
            let mut text = String::new();
            for one in &scored {
                let _ = writeln!(text, "{}", serde_json::to_string(one)?);
            }
            text
        }
        Format::Table => shown(&scored),
    };
    write_whole(arguments.output.as_deref(), &text)?;
    Ok(Done::Fine)
}

fn read(path: &Path) -> Result<Vec<EvidenceLine>> {
    let shown = path.display();
    let mut reader: Box<dyn BufRead> = if path == Path::new("-") {
        Box::new(std::io::stdin().lock())
    } else {
        let file = File::open(path).with_context(|| format!("could not read {shown}"))?;
        Box::new(BufReader::new(file))
    };
    read_lines(&mut *reader).with_context(|| shown.to_string())
}

/// Refuses a pair whose evidence lacks what the named framework counts.
fn enough(line: &EvidenceLine, named: Option<Framework>) -> Result<()> {
    if let (Some(evidence), Some(collected_for), Some(wanted)) =
        (&line.evidence, line.framework(), named)
    {
        check(evidence, collected_for, wanted)?;
    }
    Ok(())
}

fn score(line: &EvidenceLine, named: Option<Framework>) -> RescoredPair<'_> {
    let framework = named.or_else(|| line.framework()).unwrap_or_default();
    let scores = match line.followed(None, None) {
        Some(evidence) => framework.scores(&evidence).map_err(|refusal| refusal.code().to_owned()),
        None => Err(line.error.clone().unwrap_or_default()),
    };
    let (scores, error) = match scores {
        Ok(scores) => (Some(scores), None),
        Err(error) => (None, Some(error)),
    };
    RescoredPair { id: line.id.as_deref(), framework: framework.name().into_owned(), scores, error }
}

fn shown(scored: &[RescoredPair<'_>]) -> String {
    let mut headings = vec![words("pair")];
    headings.extend(Metric::ALL.map(|metric| numbers(metric.name())));
    let value = |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.4}"));
    let rows = scored.iter().map(|one| {
        let name = match &one.error {
            Some(error) => format!("{}: {error}", one.id.unwrap_or_default()),
            None => one.id.unwrap_or_default().to_owned(),
        };
        let mut row = vec![one_line(&name, 30)];
        let of = |metric| one.scores.as_ref().and_then(|scores| *scores.get(metric));
        row.extend(Metric::ALL.map(|metric| value(of(metric))));
        row
    });
    let mut rows: Vec<Vec<String>> = rows.collect();
    let mut means = vec!["mean".to_owned()];
    means.extend(Metric::ALL.map(|metric| {
        let values: Vec<f64> =
            scored.iter().filter_map(|one| *one.scores.as_ref()?.get(metric)).collect();
        value((!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64))
    }));
    rows.push(means);
    table(&headings, rows)
}
