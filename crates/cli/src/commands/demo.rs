//! `assize demo`: every instrument on a bundled sample, offline.

use std::fmt::Write;

use anyhow::Result;
use assize_engine::retrieval::request::{Inputs, ScoreRequest};
use clap::Args;

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

/// Score bundled samples of all four instruments, offline.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Show every ledger, quote and finding of the samples
    #[arg(long)]
    pub(crate) all: bool,
}

/// Prints each instrument's part: on one screen, or whole.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    if arguments.all {
        files::print(&retrieval()?)?;
        files::print(&format!("\n{}", super::summary::demo_section()?))?;
        files::print(&format!("\n{}", super::summary::recorded_section()?))?;
        files::print(&format!("\n{}", super::council::demo_section()?))?;
        files::print(&format!("\n{}", super::evaluate::demo_section()?))?;
        return Ok(Done::Fine);
    }
    let more = "\
Try next: assize demo --all      every ledger and quote of these samples
          assize serve --demo    the same in the browser
          assize --help          your own files";
    let parts = [
        short_retrieval()?,
        super::summary::short_section()?,
        super::evaluate::short_section()?,
        super::council::short_section()?,
        format!("{}\n", quiet(more)),
    ];
    files::report(&parts.join("\n"))
}

/// The figures alone.
fn short_retrieval() -> Result<String> {
    let (run, gold) = (serde_json::from_str(RUN)?, serde_json::from_str(GOLD)?);
    let report = ScoreRequest::default().score(Inputs::Values(&run, &gold))?;
    let title = strong("Retrieval: does it find the right passages? Six questions, one contract");
    let rendered = Results(&report).rendered(Format::Table);
    Ok(format!("{title}\n{}", only(&rendered, SHORT_RETRIEVAL_LINES)))
}

/// The heading and the four measures.
const SHORT_RETRIEVAL_LINES: usize = 6;

/// The first lines of a text.
fn only(text: &str, lines: usize) -> String {
    text.lines().take(lines).fold(String::new(), |text, line| text + line + "\n")
}

fn retrieval() -> Result<String> {
    let (run, gold) = (serde_json::from_str(RUN)?, serde_json::from_str(GOLD)?);
    let inputs = Inputs::Values(&run, &gold);
    let request = ScoreRequest::default();
    let report = request.score(inputs)?;
    let mut found = request.explain(inputs, EXPLAINED)?;
    let (query, about) = (format!("Query {EXPLAINED}"), "How the numbers of query");
    found.title = found.title.replacen(&query, &format!("{about} {EXPLAINED} were computed"), 1);
    let mut text = format!("{}\n\n", strong("Retrieval: six questions about an invented contract"));
    text.push_str(&Results(&report).rendered(Format::Table));
    let _ = write!(text, "\n{}", ledger(&found));
    let again = "\
To reproduce this from the project's folder, or to use your own files:
  assize score examples/retrieval/semantic.json examples/retrieval/gold.json
  assize compare examples/retrieval/gold.json examples/retrieval/keyword.json examples/retrieval/semantic.json";
    let _ = writeln!(text, "{}", quiet(again));
    Ok(text)
}
