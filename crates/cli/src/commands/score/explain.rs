//! `--explain`: how each number of one query came about.

use std::fmt::Write;
use std::path::Path;

use anyhow::Result;

use super::args::Scoring;
use super::scoring::Explanation;
use crate::exit::Done;
use crate::output::files;
use crate::output::terminal::{one_line, quiet, strong};

/// Prints the ledger of one query.
pub(super) fn run(predictions: &Path, gold: &Path, scoring: &Scoring, query: &str) -> Result<Done> {
    let explanation = scoring.explain(predictions, gold, query)?;
    files::print(&ledger(&explanation))?;
    Ok(Done::Fine)
}

/// A query's workings for the terminal.
pub(crate) fn ledger(explanation: &Explanation) -> String {
    let mut text = format!("{}\n", strong(&one_line(&explanation.title, 2_000)));
    for verdict in &explanation.verdicts {
        for (_, outcome) in &verdict.scores {
            let _ = write!(text, "\n{outcome}");
        }
        for finding in &verdict.findings {
            let _ = write!(text, "\nnoticed: {}\n", finding.message);
        }
        let method = format!("method {}, version {}", verdict.method.name, verdict.method.version);
        let _ = writeln!(text, "\n{}", quiet(&method));
    }
    text
}
