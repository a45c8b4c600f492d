//! `assize score`: a retrieval run against its gold standard.

pub(crate) mod args;
pub(crate) mod explain;
mod gates;
pub(crate) mod results;

use std::path::Path;

use anyhow::{Result, ensure};
use assize_engine::retrieval::detect::Contents;
use assize_engine::retrieval::passages::PassageError;
use assize_engine::retrieval::request::{Inputs, ScoreError};
use assize_engine::runs::retrieval::{draft, items};

pub(crate) use args::Arguments;

use self::args::{Format, GateArguments, OutputArguments};
use self::results::Results;
use crate::exit::Done;
use crate::output::{files, terminal};
use crate::save_args::save_whole;

/// Scores the run, prints and writes what was asked for, and checks its thresholds.
pub(crate) fn run(arguments: Arguments) -> Result<Done> {
    let Arguments { predictions, gold, scoring, output, gates, save, database } = arguments;
    let is_single = gold.is_none();
    let gold = gold.unwrap_or_else(|| predictions.clone());
    let inputs = Inputs::Files(&predictions, &gold);
    let mut request = scoring.into_request();
    if let Some(query) = &output.explain {
        files::print(&explain::ledger(&request.explain(inputs, query)?))?;
        return Ok(Done::Fine);
    }
    check_outputs(&output, &gates, &[&predictions, &gold])?;
    request.by.clone_from(&output.by);
    request.also = gates.fail_under.iter().map(|one| one.measure.clone()).collect();
    let report = request.score(inputs).map_err(|error| lacks_gold(error, is_single))?;
    for notice in &report.board.notices {
        terminal::notice(notice);
    }
    let results = Results(&report);
    let checks = gates::checks(&gates, &report)?;
    // Files and thresholds first: a reader that stops reading must not cost them.
    if let Some(path) = &output.output {
        files::write(path, &results.flat_json())?;
    }
    if let Some(path) = &output.per_query {
        files::write(path, &results.per_query(path)?)?;
    }
    if save.is_wanted() {
        let draft = draft(&request, &predictions, &gold)?;
        save_whole(database.place(), draft, save.name(), &items(&report.board))?;
    }
    let done = gates::conclude(&gates, &checks)?;
    let format = output.format.unwrap_or(match report.contents {
        Contents::Passages if output.by.is_none() => Format::Plain,
        Contents::Passages | Contents::Ranked => Format::Table,
    });
    files::print(&results.rendered(format))?;
    Ok(done)
}

/// Says of a single file in which gold is looked for in vain that the gold may stand elsewhere.
fn lacks_gold(error: ScoreError, is_single: bool) -> anyhow::Error {
    let is_missing = matches!(
        &error,
        ScoreError::Passages(PassageError::NoKey { key, .. }) if key.as_str() == "snippets"
    );
    let error = anyhow::Error::from(error);
    if is_single && is_missing {
        return error
            .context("only one file is given, and it has no gold: `assize score RUN GOLD`");
    }
    error
}

/// What can be refused before anything is read.
fn check_outputs(output: &OutputArguments, gates: &GateArguments, inputs: &[&Path]) -> Result<()> {
    for path in [&output.output, &output.per_query, &gates.junit] {
        files::check(path.as_deref(), inputs)?;
    }
    files::check_ending(output.output.as_deref(), &["json"])?;
    if let Some(path) = &output.per_query {
        results::per_query_form(path)?;
    }
    ensure!(
        output.by.is_none() || matches!(output.format, None | Some(Format::Table | Format::Json)),
        "--by needs --format table or --format json"
    );
    Ok(())
}
