//! `assize score`: a retrieval run against its gold standard.

pub(crate) mod args;
pub(crate) mod explain;
mod gates;
pub(crate) mod results;
pub(crate) mod scoring;

use anyhow::{Result, ensure};
use assize_engine::retrieval::detect::Contents;
use assize_engine::retrieval::report::summarize;

pub(crate) use args::Arguments;

use self::args::Format;
use self::results::Results;
use self::scoring::Scoring;
use crate::exit::Done;
use crate::output::{files, terminal};

/// Scores the run, prints and writes what was asked for, and holds it against thresholds.
pub(crate) fn run(arguments: Arguments) -> Result<Done> {
    let Arguments { predictions, gold, output, gates, sureness, .. } = arguments;
    let scoring = Scoring {
        k: arguments.k,
        measures: arguments.measures,
        mode: arguments.mode,
        passages: arguments.passages,
        ranked: arguments.ranked,
    };
    if let Some(query) = &output.explain {
        return explain::run(&predictions, &gold, &scoring, query);
    }
    let (contents, board) = scoring.score(&predictions, &gold)?;
    for notice in &board.notices {
        terminal::notice(notice);
    }
    ensure!(
        !board.rows.is_empty(),
        "there is nothing to score: no query has both a result and gold"
    );
    let sureness = sureness.to_sureness();
    let results =
        Results { summaries: summarize(&board, &sureness), board: &board, sureness: &sureness };
    // Checked before anything is printed, so that a misspelt measure costs nothing.
    let checks = gates::checks(&gates, &results)?;
    let format = output.format.unwrap_or(match contents {
        Contents::Passages => Format::Plain,
        Contents::Ranked => Format::Table,
    });
    files::print(&results.rendered(format))?;
    if let Some(path) = &output.output {
        files::write(path, &results.flat_json())?;
    }
    if let Some(path) = &output.per_query {
        files::write(path, &results.per_query(path)?)?;
    }
    gates::conclude(&gates, &checks)
}
