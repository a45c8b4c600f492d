//! Weights of reviewers, learned from people's preferences on one half of the questions.
//!
//! The chance that people prefer the first answer is a logistic function of how far each reviewer
//! puts it above the second. Without an intercept the order of the answers counts for nothing; a
//! ridge penalty, chosen by cross-validation within the half, keeps reviewers who say nearly the
//! same from being played off against each other.

use std::collections::BTreeMap;

use assize_score::float::ln;
use assize_stats::logistic::{chance, ridge_logistic};
use serde::Serialize;

use super::comparison::{Choice, Comparison, Half};

/// Penalties that are tried, from the strongest: margins are in whole marks.
const PENALTIES: [f64; 8] = [300.0, 100.0, 30.0, 10.0, 3.0, 1.0, 0.3, 0.1];

/// How many parts a half is cut into to choose the penalty.
const FOLDS: usize = 10;

/// Fewer comparisons than this teach nothing.
const COMPARISONS_MIN: usize = 20;

/// What was learned.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Learned {
    /// How much a mark of each reviewer counts, in log-odds.
    pub weights: BTreeMap<String, f64>,
    /// The penalty that cross-validation chose.
    pub penalty: f64,
    /// On how many comparisons it was learned.
    pub count: usize,
}

impl Learned {
    /// Weights from the learning half; `None` if it is too small, or people were not asked.
    pub fn from(comparisons: &[Comparison], reviewers: &[String]) -> Option<Self> {
        let learning = comparisons.iter().filter(|comparison| comparison.half() == Half::Learning);
        // A tie of people teaches nothing about which side is better.
        let decided: Vec<(&Comparison, bool)> = learning
            .filter_map(|comparison| match comparison.people? {
                Choice::First => Some((comparison, true)),
                Choice::Second => Some((comparison, false)),
                Choice::Tie => None,
            })
            .collect();
        if decided.len() < COMPARISONS_MIN || reviewers.is_empty() {
            return None;
        }
        let rows: Vec<Vec<f64>> =
            decided.iter().map(|(comparison, _)| margins(comparison, reviewers)).collect();
        let outcome: Vec<bool> = decided.iter().map(|(_, first)| *first).collect();
        let penalty = best_penalty(&rows, &outcome)?;
        let weights = ridge_logistic(&rows, &outcome, penalty).ok()?;
        let weights = reviewers.iter().cloned().zip(weights).collect();
        Some(Self { weights, penalty, count: decided.len() })
    }
}

/// What weights say of a comparison; `None` if no reviewer said anything.
pub(super) fn weighted_choice(
    weights: &BTreeMap<String, f64>,
    comparison: &Comparison,
) -> Option<Choice> {
    let margin = |name: &String| comparison.opinions.get(name).and_then(super::Opinion::margin);
    let parts: Vec<f64> =
        weights.iter().filter_map(|(name, weight)| Some(weight * margin(name)?)).collect();
    (!parts.is_empty()).then(|| Choice::by_marks(parts.iter().sum(), 0.0))
}

/// How far each reviewer puts the first above the second; 0 where it says nothing.
fn margins(comparison: &Comparison, reviewers: &[String]) -> Vec<f64> {
    let margin = |name: &String| comparison.opinions.get(name).and_then(super::Opinion::margin);
    reviewers.iter().map(|name| margin(name).unwrap_or(0.0)).collect()
}

/// The penalty with the most right choices on the fold it did not see; where two are alike the
/// one that is less surprised by it. Agreement is what is measured in the end, and the penalty
/// of the smallest surprise is one of overcaution.
fn best_penalty(rows: &[Vec<f64>], outcome: &[bool]) -> Option<f64> {
    let tried = |penalty: f64| {
        let (mut right, mut surprise) = (0.0, 0.0);
        for fold in 0..FOLDS {
            let seen = |index: &usize| index % FOLDS != fold;
            let (train, truth): (Vec<Vec<f64>>, Vec<bool>) = (0..rows.len())
                .filter(seen)
                .map(|index| (rows[index].clone(), outcome[index]))
                .unzip();
            let weights = ridge_logistic(&train, &truth, penalty).ok()?;
            for index in (0..rows.len()).filter(|index| !seen(index)) {
                let first = chance(&weights, &rows[index]);
                let truth = if outcome[index] { first } else { 1.0 - first };
                right += Choice::by_marks(truth, 0.5).credit(Choice::First);
                surprise -= ln(truth.max(f64::MIN_POSITIVE));
            }
        }
        Some((right, surprise, penalty))
    };
    let best = PENALTIES
        .into_iter()
        .filter_map(tried)
        .max_by(|one, other| one.0.total_cmp(&other.0).then(other.1.total_cmp(&one.1)));
    best.map(|(_, _, penalty)| penalty)
}
