//! Answers that the safety gate looked at.

use assize_methods::gate::GateReport;
use serde::Serialize;

/// Answers checked one by one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// How many.
    pub checked: usize,
    /// How many of them failed.
    pub failed: usize,
    /// What was found in each.
    pub answers: Vec<CheckedAnswer>,
}

/// One answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CheckedAnswer {
    /// Its name.
    pub id: String,
    /// Whether it passes, and what was found.
    #[serde(flatten)]
    pub report: GateReport,
}
