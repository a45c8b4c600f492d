//! `assize demo`: every instrument on a bundled sample, offline.

use std::fmt::Write;

use anyhow::Result;
use assize_engine::input::Source;
use assize_engine::retrieval::passages::{
    QuerySelector, ScoreOptions, explain_sources, score_sources,
};
use assize_engine::retrieval::report::summarize;
use assize_engine::retrieval::sureness::Sureness;

use super::score::args::Format;
use super::score::explain::ledger;
use super::score::results::Results;
use super::score::scoring::Explanation;
use crate::exit::Done;
use crate::output::files;
use crate::output::terminal::{quiet, strong};

const GOLD: &str = include_str!("../../../../examples/retrieval/gold.json");
const RUN: &str = include_str!("../../../../examples/retrieval/semantic.json");

/// The query of the sample whose ledger shows a cap.
const EXPLAINED: usize = 5;

/// Prints each instrument's part.
pub(crate) fn run() -> Result<Done> {
    files::print(&retrieval()?)?;
    files::print(&format!("\n{}", super::summary::demo_section()?))?;
    files::print(&format!("\n{}", super::summary::recorded_section()?))?;
    files::print(&format!("\n{}", super::council::demo_section()?))?;
    files::print(&format!("\n{}", super::evaluate::demo_section()?))?;
    Ok(Done::Fine)
}

fn retrieval() -> Result<String> {
    let gold = Source::in_memory("examples/retrieval/gold.json", GOLD);
    let run = Source::in_memory("examples/retrieval/semantic.json", RUN);
    let options = ScoreOptions::default();
    let board = score_sources(&run, &gold, &options)?;
    let sureness = Sureness::default();
    let summaries = summarize(&board, &sureness);
    let results = Results { summaries, groups: Vec::new(), board: &board, sureness: &sureness };
    let found = explain_sources(&run, &gold, &options, &QuerySelector::Number(EXPLAINED))?;
    let title = format!("How the numbers of query {} came about: {}", found.number, found.query);
    let mut text = format!("{}\n\n", strong("Retrieval: six questions about an invented contract"));
    text.push_str(&results.rendered(Format::Table));
    let _ = write!(text, "\n{}", ledger(&Explanation { title, verdicts: found.verdicts }));
    let again = "\
The same from the project's folder, or with files of your own:
  assize score examples/retrieval/semantic.json examples/retrieval/gold.json
  assize compare examples/retrieval/gold.json examples/retrieval/keyword.json examples/retrieval/semantic.json";
    let _ = writeln!(text, "{}", quiet(again));
    Ok(text)
}
