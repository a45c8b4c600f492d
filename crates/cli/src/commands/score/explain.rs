//! `--explain`: how each number of one query was computed.

use std::fmt::Write;

use assize_engine::retrieval::request::Explained;

use crate::output::terminal::{one_line, quiet, strong};

/// A query's workings for the terminal.
pub(crate) fn ledger(explained: &Explained) -> String {
    let mut text = format!("{}\n", strong(&one_line(&explained.title, 2_000)));
    if !explained.documents.is_empty() {
        let _ = writeln!(text, "\nrelevant documents");
    }
    for line in &explained.documents {
        let _ = writeln!(text, "  {}", one_line(line, 2_000));
    }
    for verdict in &explained.verdicts {
        for (_, outcome) in &verdict.scores {
            let _ = write!(text, "\n{outcome}");
        }
        for finding in &verdict.findings {
            let _ = write!(text, "\nnote: {}\n", finding.message);
        }
        let method = format!("method {}, version {}", verdict.method.name, verdict.method.version);
        let _ = writeln!(text, "\n{}", quiet(&method));
    }
    text
}
