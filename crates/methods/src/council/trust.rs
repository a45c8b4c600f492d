//! How far each reviewer is believed: weights learned from people's preferences elsewhere.
//!
//! A weight multiplies what a reviewer adds to the mean of an answer. Ceiling, gate and recusal do
//! not depend on it, so trust can move a ranking and never lift what is held down.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::authorship::{Author, Sameness};
use super::bench::Learned;
use super::record::CouncilRecord;

/// More reviewers than anybody has measured.
const REVIEWERS_MAX: usize = 1_000;

/// Nobody counts for less than this share of the most trusted reviewer: whom people contradicted
/// is hardly heard, but an answer that only it reviewed keeps its rank.
const SHARE_MIN: f64 = 0.01;

/// Weights of reviewers, and where they come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "WrittenTrust")]
pub struct Trust {
    /// What the weights were learned from, in words.
    pub source: String,
    /// The weight of each reviewer by its model, none below zero.
    weights: BTreeMap<String, f64>,
}

/// Weights that cannot be used.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum TrustError {
    /// A weight is not a number from zero.
    #[error("the weight of `{0}` is {1}; weights are numbers from 0")]
    Weight(String, f64),
    /// There is nobody to believe.
    #[error("no reviewer has a weight above 0")]
    Nobody,
    /// There are too many.
    #[error("{0} reviewers; at most {REVIEWERS_MAX} can have a weight")]
    TooMany(usize),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenTrust {
    source: String,
    weights: BTreeMap<String, f64>,
}

impl Trust {
    /// Weights that were checked.
    pub fn new(source: String, weights: BTreeMap<String, f64>) -> Result<Self, TrustError> {
        if weights.len() > REVIEWERS_MAX {
            return Err(TrustError::TooMany(weights.len()));
        }
        let is_wrong = |(_, weight): &(&String, &f64)| !weight.is_finite() || **weight < 0.0;
        if let Some((name, weight)) = weights.iter().find(is_wrong) {
            return Err(TrustError::Weight(name.clone(), *weight));
        }
        if !weights.values().any(|weight| *weight > 0.0) {
            return Err(TrustError::Nobody);
        }
        Ok(Self { source, weights })
    }

    /// What a bench learned. A reviewer whom people contradict is not believed, and not turned
    /// round either.
    pub fn from_learned(source: String, learned: &Learned) -> Result<Self, TrustError> {
        let weights = learned.weights.iter().map(|(name, weight)| (name.clone(), weight.max(0.0)));
        Self::new(source, weights.collect())
    }

    /// All weights by name.
    pub fn as_map(&self) -> &BTreeMap<String, f64> {
        &self.weights
    }

    /// The weight of a reviewer, by its model or its name; `None` if it was not measured.
    pub fn weight(&self, reviewer: Author<'_>) -> Option<f64> {
        let same = |name: &str| reviewer.sameness(Author { name, model: None });
        let named = |wanted: fn(&Sameness) -> bool| {
            self.weights.iter().find(|(name, _)| wanted(&same(name))).map(|(_, weight)| *weight)
        };
        named(|same| *same == Sameness::Same).or_else(|| named(|same| *same != Sameness::Different))
    }

    /// How much each reviewer of a record counts, one being the mean of those that were measured.
    /// Who was not measured counts as much as that.
    pub(super) fn weights(&self, record: &CouncilRecord) -> Vec<f64> {
        let known: Vec<Option<f64>> =
            record.reviewers.iter().map(|reviewer| self.weight(reviewer.author())).collect();
        let most = known.iter().flatten().copied().fold(0.0, f64::max);
        let raised = |weight: f64| weight.max(SHARE_MIN * most);
        let total: f64 = known.iter().flatten().map(|weight| raised(*weight)).sum();
        if total <= 0.0 {
            return vec![1.0; known.len()];
        }
        let mean = total / known.iter().flatten().count() as f64;
        known.iter().map(|weight| weight.map_or(1.0, |weight| raised(weight) / mean)).collect()
    }
}

impl TryFrom<WrittenTrust> for Trust {
    type Error = TrustError;

    fn try_from(written: WrittenTrust) -> Result<Self, TrustError> {
        Self::new(written.source, written.weights)
    }
}
