//! Several runs on the same queries: values, differences, paired tests.

use serde::Serialize;

use super::score::Measures;
use crate::Entries;

/// Runs compared on the queries that all of them answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// What a page is called.
    #[serde(skip)]
    pub title: String,
    /// What was done, one sentence an entry; for people only.
    #[serde(skip)]
    pub lead: Vec<String>,
    /// How many queries were compared.
    pub queries: usize,
    /// How p-values and intervals were computed, as a sentence.
    pub method: String,
    /// Differences with a corrected p-value below this are marked.
    pub alpha: f64,
    /// The runs, in the order given; the first is the baseline.
    pub runs: Vec<Run>,
    /// Every compared pair on every measure.
    pub pairs: Vec<Pair>,
    /// Further tables with one row per run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<Table>,
    /// Whether every run was compared with every other, and not only with the first.
    #[serde(skip)]
    pub is_all_pairs: bool,
    /// What the user should know; printed apart.
    #[serde(skip)]
    pub notices: Vec<String>,
}

impl Comparison {
    /// The measures' names.
    pub fn measures(&self) -> Vec<&str> {
        self.runs.first().map_or(Vec::new(), |run| run.scores.names().collect())
    }

    /// The mark of a run on a measure against the first run.
    pub fn mark_against_first(&self, run: usize, measure: &str) -> Mark {
        if run == 0 {
            return Mark::None;
        }
        let (Some(first), Some(run)) = (self.runs.first(), self.runs.get(run)) else {
            return Mark::None;
        };
        let mut pairs = self.pairs.iter();
        let is_wanted = |pair: &&Pair| {
            pair.baseline == first.name && pair.run == run.name && pair.measure == measure
        };
        pairs.find(is_wanted).map_or(Mark::None, |pair| pair.mark)
    }

    /// Whether no other run has a higher value.
    pub fn is_best(&self, value: f64, measure: usize) -> bool {
        let mut values = self.runs.iter().filter_map(|run| run.scores.0.get(measure));
        values.all(|(_, other)| other.value <= value)
    }
}

/// One run of a comparison.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Run {
    /// The run's name.
    pub name: String,
    /// Its measures.
    pub scores: Measures,
}

/// One run against another on one measure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Pair {
    /// The measure.
    pub measure: String,
    /// The compared run.
    pub run: String,
    /// The run it is compared with.
    pub baseline: String,
    /// Mean difference, run minus baseline.
    pub difference: f64,
    /// The interval of the mean difference.
    pub interval: Option<Interval>,
    /// Queries where the run is better.
    pub wins: usize,
    /// Queries where both are equal.
    pub ties: usize,
    /// Queries where the run is worse.
    pub losses: usize,
    /// The p-values, as far as they are defined for these differences.
    pub p: PValues,
    /// Mean difference in standard deviations of the differences.
    pub effect: Option<f64>,
    /// Whether the difference is significant after correction, and its direction.
    pub mark: Mark,
    /// The queries that changed most, with both values.
    pub moved: Vec<Moved>,
    /// The mean of the run and of its baseline, for tables with one row a pair.
    #[serde(skip)]
    pub values: (f64, f64),
    /// The deciding test's p-value before correction, for tables that show one test.
    #[serde(skip)]
    pub deciding: Option<f64>,
    /// Each query's difference, for plots. In JSON it would be queries times pairs, and
    /// `--per-query` of each run gives the same numbers.
    #[serde(skip)]
    pub differences: Vec<f64>,
}

impl Pair {
    /// Both ends of the interval.
    pub fn ends(&self) -> Option<(f64, f64)> {
        self.interval.map(|interval| (interval.low, interval.high))
    }
}

/// Two ends.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// The lower one.
    pub low: f64,
    /// The upper one.
    pub high: f64,
}

/// The p-values of one pair.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct PValues {
    /// Fisher's randomisation test.
    pub randomization: Option<f64>,
    /// Student's paired t test.
    pub t: Option<f64>,
    /// Wilcoxon's signed rank test.
    pub wilcoxon: Option<f64>,
    /// The paired bootstrap.
    pub bootstrap: Option<f64>,
    /// The p-value of the deciding test after correction.
    pub corrected: Option<f64>,
}

/// Whether a difference is significant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// The run is better.
    Better,
    /// The run is worse.
    Worse,
    /// The difference is not significant.
    None,
}

impl Mark {
    /// The mark as a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::None => "none",
        }
    }

    /// The mark as a sign that needs no colour.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Better => "▲",
            Self::Worse => "▼",
            Self::None => "",
        }
    }
}

/// A query that moved.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Moved {
    /// Its identifier or text.
    pub query: String,
    /// Its value in the baseline.
    pub before: f64,
    /// Its value in the run.
    pub after: f64,
}

/// A further table with one row a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Table {
    /// Its heading.
    pub title: String,
    /// What it says, in a sentence; for people only.
    #[serde(skip)]
    pub note: String,
    /// The rows.
    pub runs: Vec<TableRow>,
}

impl Table {
    /// The headings of the values.
    pub fn columns(&self) -> Vec<&str> {
        self.runs.first().map_or(Vec::new(), |row| row.values.names().collect())
    }

    /// Whether no other run has a higher value in this column.
    pub fn is_best(&self, column: usize, value: f64) -> bool {
        let mut values = self.runs.iter().filter_map(|row| row.values.0.get(column));
        values.all(|(_, other)| *other <= value)
    }
}

/// A run and its values.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TableRow {
    /// The run's name.
    pub run: String,
    /// A value for each column.
    pub values: Entries<f64>,
}
