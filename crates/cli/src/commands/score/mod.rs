//! `assize score`: a retrieval run against its gold standard.

pub(crate) mod args;
pub(crate) mod explain;
mod gates;
pub(crate) mod results;
pub(crate) mod scoring;

use std::path::Path;

use anyhow::{Result, ensure};
use assize_engine::input::{STANDARD_INPUT, Source};
use assize_engine::retrieval::detect::Contents;
use assize_engine::retrieval::groups::by_field;
use assize_engine::retrieval::report::summarize;
use assize_engine::retrieval::scoreboard::Scoreboard;
use assize_engine::retrieval::sureness::Sureness;

pub(crate) use args::Arguments;

use self::args::{Format, GateArguments, OutputArguments};
use self::results::{Group, Results};
use crate::exit::Done;
use crate::output::{files, terminal};

/// Scores the run, prints and writes what was asked for, and holds it against thresholds.
pub(crate) fn run(arguments: Arguments) -> Result<Done> {
    let Arguments { predictions, gold, scoring, output, gates, sureness } = arguments;
    if let Some(query) = &output.explain {
        return explain::run(&predictions, &gold, &scoring, query);
    }
    check_outputs(&output, &gates, &[&predictions, &gold])?;
    let (contents, board) = scoring.score(&predictions, &gold)?;
    for notice in &board.notices {
        terminal::notice(notice);
    }
    ensure!(
        !board.rows.is_empty(),
        "there is nothing to score: no query has both a result and gold"
    );
    let sureness = sureness.to_sureness();
    let groups = match &output.by {
        Some(field) => grouped(&board, contents, &gold, field, &sureness)?,
        None => Vec::new(),
    };
    let summaries = summarize(&board, &sureness);
    let results = Results { summaries, groups, board: &board, sureness: &sureness };
    let checks = gates::checks(&gates, &results)?;
    // Files and thresholds first: a reader that stops reading must not cost them.
    if let Some(path) = &output.output {
        files::write(path, &results.flat_json())?;
    }
    if let Some(path) = &output.per_query {
        files::write(path, &results.per_query(path)?)?;
    }
    let done = gates::conclude(&gates, &checks)?;
    let format = output.format.unwrap_or(match contents {
        Contents::Passages if output.by.is_none() => Format::Plain,
        Contents::Passages | Contents::Ranked => Format::Table,
    });
    files::print(&results.rendered(format))?;
    Ok(done)
}

/// What can be refused before anything is read.
fn check_outputs(output: &OutputArguments, gates: &GateArguments, inputs: &[&Path]) -> Result<()> {
    for path in [&output.output, &output.per_query, &gates.junit] {
        files::check(path.as_deref(), inputs)?;
    }
    if let Some(path) = &output.per_query {
        results::per_query_form(path)?;
    }
    ensure!(
        output.by.is_none() || matches!(output.format, None | Some(Format::Table | Format::Json)),
        "--by is shown as a table or as JSON: say --format table or --format json"
    );
    Ok(())
}

/// The measures of each value of a field of the gold tests.
fn grouped(
    board: &Scoreboard,
    contents: Contents,
    gold: &Path,
    field: &str,
    sureness: &Sureness,
) -> Result<Vec<Group>> {
    ensure!(
        contents == Contents::Passages && gold != Path::new(STANDARD_INPUT),
        "--by needs a gold file with `tests`, whose field `{field}` makes the groups"
    );
    let boards = by_field(board, &Source::open(gold)?, field)?;
    let group = |(name, board): (String, Scoreboard)| Group {
        name,
        queries: board.rows.len(),
        summaries: summarize(&board, sureness),
    };
    Ok(boards.into_iter().map(group).collect())
}
