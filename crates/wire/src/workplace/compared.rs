//! One subject in two runs: its measures side by side, and what changed in its texts.

use serde::Serialize;

use super::prompts::DiffLine;
use crate::runs::RunEntry;

/// A measure in both runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedMeasure {
    /// The measure.
    pub name: String,
    /// In the first run; none without a score.
    pub before: Option<f64>,
    /// In the second.
    pub after: Option<f64>,
}

/// A text in both runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ComparedText {
    /// What it is.
    pub title: String,
    /// Its pieces, one after the other: in both, only in the first (`-`), only in the second (`+`).
    pub pieces: Vec<DiffLine>,
    /// Whether it says the same in both.
    pub is_same: bool,
}

/// One subject in two runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparedItem {
    /// Its name.
    pub subject: String,
    /// The runs.
    pub runs: [RunEntry; 2],
    /// Its number in each, from 1.
    pub numbers: [i64; 2],
    /// Why it has no score, in each.
    pub reasons: [Option<String>; 2],
    /// Which label, citation, cap or decision is another one, in words.
    pub changes: Vec<String>,
    /// Its measures.
    pub measures: Vec<ComparedMeasure>,
    /// Its texts; empty where a run kept none.
    pub texts: Vec<ComparedText>,
    /// Why there are none.
    pub without_texts: Option<String>,
}
