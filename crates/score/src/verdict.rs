//! What is said about one item: named outcomes, and what was noticed on the way.

use serde::{Deserialize, Serialize};

use crate::explained::Name;
use crate::outcome::Outcome;

/// The name of a metric as users type and read it: `ndcg@10`, `coverage`.
pub type MetricName = Name;

/// Which method made a verdict; a change in its arithmetic is a new version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodVersion {
    /// The method: `retrieval`, `twin-lock`.
    pub name: Name,
    /// Counts up with every change that can move a number.
    pub version: u32,
}

impl MethodVersion {
    /// A method and its version, for use in constants.
    pub const fn new(name: &'static str, version: u32) -> Self {
        Self { name: Name::Borrowed(name), version }
    }
}

/// Something a reader of the verdict should know that is not a number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// A stable code, for programs: `blank_passage`.
    pub code: Name,
    /// The same for people.
    pub message: String,
}

impl Finding {
    /// A finding with its code and its sentence.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into() }
    }
}

/// What is said about one item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Which method said it.
    pub method: MethodVersion,
    /// The outcomes, in the order of the method.
    pub scores: Vec<(MetricName, Outcome)>,
    /// What was noticed on the way.
    pub findings: Vec<Finding>,
}

impl Verdict {
    /// The outcome of one metric.
    pub fn score(&self, metric: &str) -> Option<&Outcome> {
        self.scores.iter().find(|(name, _)| name == metric).map(|(_, outcome)| outcome)
    }
}
