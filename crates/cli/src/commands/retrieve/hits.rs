//! The hits of one query for the terminal, and how one score was computed.

use std::fmt::Write;

use assize_score::explained::How;
use assize_score::{Explained, Working};
use assize_search::Prediction;

use crate::output::table::{columns, table};
use crate::output::terminal::{quiet, strong};

/// Characters of a passage that are shown.
const CHARACTERS_MAX: usize = 56;

/// What was found for one query.
pub(super) struct Hits<'a> {
    pub(super) title: String,
    pub(super) method: String,
    pub(super) prediction: Prediction<'a>,
    /// Which hit is explained, from 1, if one is.
    pub(super) rank: Option<usize>,
    pub(super) explained: Option<Explained>,
}

impl Hits<'_> {
    /// A table of hits, then the ledger of one.
    pub(super) fn rendered(&self) -> String {
        let heading = format!("{}: {}", self.title, self.prediction.query);
        let mut text = format!("{}\n{}\n", strong(&heading), quiet(&self.method));
        let found = &self.prediction.retrieved_passages;
        if found.is_empty() {
            text.push_str("\nno hits\n");
            return text;
        }
        let headings = columns("#rank | #score | file | span | passage");
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
        let Some(rank) = self.rank else { return text };
        match &self.explained {
            Some(explained) => {
                let heading = format!("How the score of rank {rank} was computed");
                let _ = write!(text, "\n{}\n{}", strong(&heading), folded(explained, 0));
            }
            None => {
                let _ = writeln!(text, "\nonly {} hits; there is no rank {rank}", found.len());
            }
        }
        text
    }
}

/// Parts of a sum that are shown; the rest is one line.
const PARTS_MAX: usize = 5;
/// How deep the workings are shown.
const DEPTH_MAX: usize = 4;

/// The workings without what hardly mattered: the largest parts of every sum, and no figures
/// below those of a single word.
fn folded(explained: &Explained, depth: usize) -> Explained {
    let How::Computed { formula, inputs } = &explained.how else { return explained.clone() };
    if depth == DEPTH_MAX {
        return Explained { how: How::Given, ..explained.clone() };
    }
    let mut order: Vec<usize> = (0..inputs.len()).collect();
    order.sort_by(|left, right| inputs[*right].value.abs().total_cmp(&inputs[*left].value.abs()));
    let kept =
        if formula == "sum" && inputs.len() > PARTS_MAX + 1 { PARTS_MAX } else { inputs.len() };
    let mut shown = order[..kept].to_vec();
    shown.sort_unstable();
    let mut parts: Vec<Explained> =
        shown.into_iter().map(|index| folded(&inputs[index], depth + 1)).collect();
    if kept < inputs.len() {
        let rest: f64 = order[kept..].iter().map(|index| inputs[*index].value).sum();
        parts.push(Explained::given(format!("{} smaller parts", inputs.len() - kept), rest));
    }
    let how = How::Computed { formula: formula.clone(), inputs: parts };
    Explained { how, ..explained.clone() }
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

#[cfg(test)]
mod tests {
    use assize_score::arithmetic::sum;

    use super::*;

    #[test]
    fn a_long_sum_is_folded_to_its_largest_parts() {
        let parts = (1_u8..=8).map(|part| Explained::given(format!("word{part}"), f64::from(part)));
        let folded = folded(&sum("bm25", parts.collect()), 0).to_string();
        assert!(folded.starts_with("bm25: 36"), "{folded}");
        assert!(folded.contains("word8: 8") && !folded.contains("word3"), "{folded}");
        assert!(folded.contains("3 smaller parts: 6"), "{folded}");
    }
}
