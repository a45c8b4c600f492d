//! `assize demo`: every instrument on a bundled sample, offline.

use std::fmt::Write;

use anyhow::Result;
use assize_engine::retrieval::request::{Inputs, ScoreRequest};

use super::score::args::Format;
use super::score::explain::ledger;
use super::score::results::Results;
use crate::exit::Done;
use crate::output::files;
use crate::output::terminal::{quiet, strong};

const GOLD: &str = include_str!("../../../../examples/retrieval/gold.json");
const RUN: &str = include_str!("../../../../examples/retrieval/semantic.json");

/// The query of the sample whose ledger shows a cap.
const EXPLAINED: &str = "5";

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
    let (run, gold) = (serde_json::from_str(RUN)?, serde_json::from_str(GOLD)?);
    let inputs = Inputs::Values(&run, &gold);
    let request = ScoreRequest::default();
    let report = request.score(inputs)?;
    let mut found = request.explain(inputs, EXPLAINED)?;
    let (query, about) = (format!("Query {EXPLAINED}"), "How the numbers of query");
    found.title = found.title.replacen(&query, &format!("{about} {EXPLAINED} came about"), 1);
    let mut text = format!("{}\n\n", strong("Retrieval: six questions about an invented contract"));
    text.push_str(&Results(&report).rendered(Format::Table));
    let _ = write!(text, "\n{}", ledger(&found));
    let again = "\
The same from the project's folder, or with files of your own:
  assize score examples/retrieval/semantic.json examples/retrieval/gold.json
  assize compare examples/retrieval/gold.json examples/retrieval/keyword.json examples/retrieval/semantic.json";
    let _ = writeln!(text, "{}", quiet(again));
    Ok(text)
}
