//! Whether a judge that says it is sure is right.

use assize_stats::classification::reliability;
use serde::{Deserialize, Serialize};

/// Bins of equal width from 0 to 100.
const BINS: usize = 10;

/// Results of similar confidence.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CalibrationBin {
    /// The lowest confidence, 0 to 1.
    pub low: f64,
    /// The confidence from which results fall in the next bin.
    pub high: f64,
    /// How many results fell in.
    pub count: usize,
    /// Their mean confidence.
    pub confidence: Option<f64>,
    /// The share of them in the tier of their key.
    pub accuracy: Option<f64>,
}

/// Stated confidence against the share of scores in the tier of their key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// The reliability curve.
    pub bins: Vec<CalibrationBin>,
    /// The mean gap between confidence and accuracy, by results (ECE).
    pub expected_error: f64,
    /// How many results stated a confidence.
    pub count: usize,
}

/// Compares confidence, 0 to 1, with whether the tier was right.
pub fn calibration(stated: impl Iterator<Item = (f64, bool)>) -> Option<Calibration> {
    let (confidence, right): (Vec<f64>, Vec<bool>) = stated.unzip();
    let found = reliability(&confidence, &right, BINS).ok()?;
    let bins = found.bins.into_iter().map(|bin| CalibrationBin {
        low: bin.low,
        high: bin.high,
        count: bin.count,
        confidence: bin.confidence,
        accuracy: bin.accuracy,
    });
    let count = confidence.len();
    Some(Calibration { bins: bins.collect(), expected_error: found.expected_error, count })
}
