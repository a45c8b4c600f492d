//! Thresholds and what became of them: one shape for every instrument.

use serde::Serialize;

/// One requirement that was checked.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Check {
    /// What was required, as it was written: `recall@10 >= 0.8`.
    pub name: String,
    /// Whether it is met.
    pub passed: bool,
    /// What is measured: `recall@10`.
    pub measure: String,
    /// The measured value; missing if there is none, and then the check fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// The bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<f64>,
    /// In one line: `FAIL recall@10 0.7100 < 0.8000`.
    pub line: String,
    /// The items that fell furthest below the baseline, worst first; empty without one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fallen: Vec<FallenItem>,
}

/// An item whose value is lower than in the baseline.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FallenItem {
    /// What it is called.
    pub item: String,
    /// Its value in the baseline.
    pub before: f64,
    /// Its value now.
    pub now: f64,
    /// What it should have found and no longer does, in words; of retrievals alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<String>,
}
