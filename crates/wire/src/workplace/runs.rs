//! Runs in lists and at a glance.

use serde::Serialize;

use crate::runs::{Item, RunEntry, Version};

/// The mean of a measure with its interval.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Figure {
    /// The measure.
    pub name: String,
    /// Its mean; none if no item has a value.
    pub value: Option<f64>,
    /// The 95 % interval of the mean; none with fewer than two values, in a
    /// list, or while the run goes on.
    pub interval: Option<(f64, f64)>,
    /// Items with a value.
    pub scored: u64,
    /// Finished items without one, which are not in the mean.
    pub unscored: u64,
}

/// A run in a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunRow {
    /// The run.
    pub run: RunEntry,
    /// What a list shows of it; none before the first score.
    pub figure: Option<Figure>,
}

/// How many runs there are of each instrument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Tally {
    /// All of them.
    pub all: u64,
    /// Retrieval.
    pub retrieval: u64,
    /// Summaries.
    pub summary: u64,
    /// Compliance.
    pub compliance: u64,
    /// Councils.
    pub council: u64,
}

/// A page of items.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ItemsPage {
    /// The items.
    pub items: Vec<Item>,
    /// The measures that they have, in order.
    pub measures: Vec<String>,
    /// Where the next page begins; none on the last.
    pub next: Option<String>,
    /// All items of the run.
    pub all: i64,
    /// Those without a score.
    pub unscored: i64,
}

/// A run of retrieval, summaries or a council at a glance.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunPage {
    /// The run.
    pub run: RunEntry,
    /// Every measure with its interval.
    pub figures: Vec<Figure>,
    /// The measure that stands for the run; empty if it has none.
    pub main: String,
    /// How many items lie in each tenth of the main measure's range.
    pub distribution: Vec<u64>,
    /// The ends of that range.
    pub range: (f64, f64),
    /// What decides its verdicts, in words.
    pub settings: Vec<(String, String)>,
    /// A page of items.
    pub items: ItemsPage,
    /// The versions that rescores made, the first first.
    pub versions: Vec<Version>,
    /// The version that counts; another may be shown.
    pub latest: i64,
}
