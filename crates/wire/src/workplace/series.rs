//! A measure over the runs of one criteria set, tag or name.

use serde::Serialize;

use super::runs::{Figure, RunRow};
use crate::runs::{Difference, RunEntry};

/// A series in a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SeriesRow {
    /// Its id, as in its address.
    pub id: String,
    /// What its runs have in common.
    pub name: String,
    /// What that is: `criteria set`, `tag` or `name`.
    pub kind: String,
    /// How many runs it has.
    pub runs: usize,
    /// The latest of them.
    pub latest: RunRow,
}

/// What another run of a series was set up with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SetupChange {
    /// What is another one, in a word: `judge`, `rubric`, `prompt`.
    pub what: String,
    /// The same with what it was and is, where that is short.
    pub words: String,
}

/// One run of a series.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SeriesPoint {
    /// The run.
    pub run: RunEntry,
    /// The measure.
    pub figure: Figure,
    /// Its mean minus that of the baseline.
    pub since_baseline: Option<f64>,
    /// How it differs from the run before it; none where they share no item with this measure.
    pub step: Option<Difference>,
    /// What changed since the run before it.
    pub changes: Vec<SetupChange>,
}

/// A series.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SeriesView {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What its runs have in common.
    pub kind: String,
    /// The measure that is shown.
    pub measure: String,
    /// All that can be.
    pub measures: Vec<String>,
    /// Its runs, the oldest first.
    pub points: Vec<SeriesPoint>,
    /// Older runs that are not shown.
    pub older: usize,
    /// The number of the baseline: the run that is marked, or else the first shown.
    pub baseline: i64,
    /// How the last run differs from the baseline, paired.
    pub since_baseline: Option<Difference>,
}

/// The latest run of an instrument beside its baseline.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SinceBaseline {
    /// The run that is marked.
    pub baseline: RunEntry,
    /// The latest that shares items with it.
    pub run: RunEntry,
    /// How they differ by the measure that stands for a run.
    pub step: Difference,
}
