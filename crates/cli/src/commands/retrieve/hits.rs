//! The hits of one query for the terminal, and how one score came about.

use std::fmt::Write;

use assize_score::Explained;
use assize_search::Prediction;

use crate::output::table::{numbers, table, words};
use crate::output::terminal::{quiet, strong};

/// Characters of a passage that are shown.
const CHARACTERS_MAX: usize = 56;

/// What was found for one query.
pub(super) struct Hits<'a> {
    pub(super) title: String,
    pub(super) method: String,
    pub(super) prediction: Prediction<'a>,
    /// Which hit is explained, from 1.
    pub(super) rank: usize,
    pub(super) explained: Option<Explained>,
}

impl Hits<'_> {
    /// A table of hits, then the ledger of one.
    pub(super) fn rendered(&self) -> String {
        let heading = format!("{}: {}", self.title, self.prediction.query);
        let mut text = format!("{}\n{}\n", strong(&heading), quiet(&self.method));
        let found = &self.prediction.retrieved_passages;
        if found.is_empty() {
            text.push_str("\nnothing was found\n");
            return text;
        }
        let headings =
            [numbers("rank"), numbers("score"), words("file"), words("span"), words("passage")];
        let rows = found.iter().enumerate().map(|(index, passage)| {
            vec![
                (index + 1).to_string(),
                format!("{:.4}", passage.score),
                passage.file_path.to_string(),
                format!("{}–{}", passage.span.0, passage.span.1),
                beginning(&passage.text),
            ]
        });
        let _ = write!(text, "\n{}", table(&headings, rows.collect()));
        match &self.explained {
            Some(explained) => {
                let heading = format!("How the score of rank {} came about", self.rank);
                let _ = write!(text, "\n{}\n{explained}", strong(&heading));
            }
            None => {
                let _ =
                    writeln!(text, "\nonly {} hits: there is no rank {}", found.len(), self.rank);
            }
        }
        text
    }
}

/// How a passage begins, in one line.
fn beginning(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= CHARACTERS_MAX {
        return line;
    }
    let start: String = line.chars().take(CHARACTERS_MAX - 1).collect();
    format!("{start}…")
}
