//! A whole file of pairs at a glance: means, a row a pair, and some of them in full.

use assize_methods::summary::Metric;
use serde::Serialize;

use super::{Card, Method};

/// A file of pairs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Overview<'a> {
    /// The file.
    pub input: String,
    /// The scoring framework.
    pub method: Method,
    /// Who found them.
    pub judge: String,
    /// All records.
    pub records: usize,
    /// Records without a scorecard.
    pub errors: usize,
    /// The means of the metrics.
    pub means: Vec<Mean>,
    /// The first records, one a row.
    pub rows: &'a [Row],
    /// Some in full: the weakest first.
    pub cards: Vec<Card<'a>>,
}

/// The mean of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Mean {
    /// Which one.
    pub metric: Metric,
    /// The mean of the scores there are.
    pub value: Option<f64>,
    /// Records with a score.
    pub scored: usize,
    /// Records without one.
    pub unscored: usize,
}

/// One row: where the pair stands, what it is called, and its scores.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Its place in the file, from 1.
    pub number: usize,
    /// Its name.
    pub id: Option<String>,
    /// Its scores in the order of the metrics.
    pub scores: [Option<f64>; 5],
    /// Why it has none.
    pub error: Option<String>,
}
