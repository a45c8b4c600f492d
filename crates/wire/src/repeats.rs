//! A judge asked several times about the same items: what each repeat said, and how steady it is.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a judge said of an item in one of several repeats.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Repeat {
    /// Whether there is a score.
    pub outcome: String,
    /// In one word: a label, whole points, or the outcome. Repeats agree if these do.
    pub verdict: String,
    /// The value of each measure.
    pub scores: BTreeMap<String, Option<f64>>,
    /// What it quoted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quotes: Vec<String>,
    /// Why there is no score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether this is the one that counts.
    pub counts: bool,
}

/// How steady the judge of a run is, over its repeats.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RepeatFigures {
    /// The fewest repeats of an item.
    pub repeats: usize,
    /// Items with at least two.
    pub items: usize,
    /// The chance that two verdicts on one item differ.
    pub flips: f64,
    /// The 95 % interval of that chance, by Wilson's score.
    pub interval: (f64, f64),
    /// Items on which all repeats agree.
    pub steady: usize,
    /// The standard deviation of each measure within an item, on average.
    pub spread: BTreeMap<String, f64>,
    /// The share of items that every repeat calls met (pass^N), where there is such a word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub always_met: Option<f64>,
}
