//! A suite of checks and what became of it, as `assize check` writes it for programs.

use serde::Serialize;

use crate::Entries;
use crate::threshold::Check;

/// Every check of a suite.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Suite {
    /// The version of this format.
    pub format: u32,
    /// Whether every check was run and passed.
    pub passed: bool,
    /// The checks, in the order of the file.
    pub checks: Vec<Checked>,
}

/// One check.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Checked {
    /// Its name.
    pub name: String,
    /// What was measured: `score`, `summary`, `evaluate`, `gate` or `council`.
    pub instrument: String,
    /// Whether it was run and met all requirements.
    pub passed: bool,
    /// Why it could not be run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Failure>,
    /// All items, including those without a score.
    pub items: usize,
    /// Items without a score.
    pub unscored: usize,
    /// The mean of each measure; null if no item has a score.
    pub means: Entries<Option<f64>>,
    /// Every requirement, including those of every check.
    pub requirements: Vec<Check>,
    /// The results of several samples of the judge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub samples: Option<Samples>,
    /// Notes for the user.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<String>,
}

/// Why a check could not be run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// A stable name for programs.
    pub code: String,
    /// What happened and where.
    pub message: String,
}

/// Repeated runs of the check, because its judge may answer differently.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Samples {
    /// How many there are.
    pub count: usize,
    /// How many met all requirements.
    pub passed: usize,
    /// The chance that k samples in a row pass, for k from 1 to their number.
    pub pass_power: Vec<f64>,
    /// The spread of the means of each measure.
    pub spread: Entries<Spread>,
}

/// The spread of several values.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spread {
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation, with n - 1.
    pub deviation: f64,
    /// The lowest.
    pub low: f64,
    /// The highest.
    pub high: f64,
}
