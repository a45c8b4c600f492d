//! Weights of a rubric, fitted to people's preferences. Nothing is changed by it: it says what
//! other weights would do on questions they were not fitted to.
//!
//! The chance that people prefer the first answer is a logistic function of the differences in
//! marks, with weights that are not negative; divided by their sum they are a rubric's. They are
//! drawn towards the weights there are, as strongly as cross-validation says.

use std::collections::BTreeMap;

use assize_score::rounding::half_up;
use assize_stats::interval::bootstrap_mean;
use assize_stats::logistic::chance;
use assize_stats::summary::mean;
use serde::Serialize;

use super::bench::Choice;
use super::dimension::{ByDimension, Dimension};
use super::verdict::Range;
use super::weights::Weights;

/// How strongly weights are drawn to those there are; tried from the strongest.
const PULLS: [f64; 6] = [300.0, 100.0, 30.0, 10.0, 3.0, 1.0];

/// Questions are cut into so many parts.
const FOLDS: usize = 5;

/// Passes over the dimensions; it settles in a few dozen.
const PASSES: usize = 200;

/// Fewer preferences than this teach nothing.
pub const PREFERENCES_MIN: usize = 30;

/// The least weight of accuracy: without it there is no ceiling.
const ACCURACY_MIN: f64 = 0.01;

/// Two answers: what people prefer, and how far the first is above the second.
#[derive(Debug, Clone, PartialEq)]
pub struct Preference {
    /// What was asked; answers to one question stay in one fold.
    pub question: String,
    /// Whether people prefer the first.
    pub first: bool,
    /// The first's mean mark less the second's, for each dimension that was marked.
    pub differences: ByDimension<f64>,
}

/// What fitting says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tuned {
    /// How many preferences of how many questions.
    pub preferences: usize,
    /// Different questions.
    pub questions: usize,
    /// The weights there are.
    pub current: Weights,
    /// The weights that all preferences together suggest.
    pub suggested: Weights,
    /// How often the current weights agree with people; ties are a half.
    pub agreement_now: f64,
    /// How often weights agree that were fitted to other questions.
    pub agreement_held_out: f64,
    /// The second less the first.
    pub gain: f64,
    /// Where that lies.
    pub gain_interval: Option<Range>,
    /// How many preferences would be decided otherwise, on questions not fitted to.
    pub decided_otherwise: usize,
}

/// Fits weights; `None` with too few preferences.
pub fn tune(preferences: &[Preference], current: &Weights, seed: u64) -> Option<Tuned> {
    if preferences.len() < PREFERENCES_MIN {
        return None;
    }
    let dimensions: Vec<Dimension> = current.counting().map(|(dimension, _)| dimension).collect();
    let rows: Vec<Vec<f64>> = preferences
        .iter()
        .map(|one| {
            let difference = |dimension| one.differences.get(dimension).copied().unwrap_or(0.0);
            // Turned round where people prefer the second, so that above zero is right.
            let sign = if one.first { 1.0 } else { -1.0 };
            dimensions.iter().map(|dimension| sign * difference(dimension)).collect()
        })
        .collect();
    let prior: Vec<f64> = dimensions.iter().map(|dimension| current.of(*dimension)).collect();
    let folds = folds(preferences);
    let mut right = Vec::with_capacity(rows.len());
    let mut otherwise = 0;
    for fold in 0..FOLDS {
        let others = pick(&rows, &folds, |own| own != fold);
        let inner: Vec<usize> = (0..others.len()).map(|index| index % FOLDS).collect();
        let fitted = fit(&others, &prior, best_pull(&others, &prior, &inner));
        for row in pick(&rows, &folds, |own| own == fold) {
            let (now, then) = (credit(&prior, &row), credit(&fitted, &row));
            otherwise += usize::from(now != then);
            right.push((now, then));
        }
    }
    let now: Vec<f64> = right.iter().map(|(now, _)| *now).collect();
    let then: Vec<f64> = right.iter().map(|(_, then)| *then).collect();
    let gains: Vec<f64> = right.iter().map(|(now, then)| then - now).collect();
    let interval = bootstrap_mean(&gains, 1_000, 0.95, seed).ok();
    let suggested = fit(&rows, &prior, best_pull(&rows, &prior, &folds));
    Some(Tuned {
        preferences: rows.len(),
        questions: folds_of(preferences).len(),
        current: current.clone(),
        suggested: weights(&dimensions, &suggested)?,
        agreement_now: mean(&now).ok()?,
        agreement_held_out: mean(&then).ok()?,
        gain: mean(&gains).ok()?,
        gain_interval: interval.and_then(|found| Range::inside(found.low, found.high, -1.0, 1.0)),
        decided_otherwise: otherwise,
    })
}

/// The number of each question, in the order of the questions.
fn folds_of(preferences: &[Preference]) -> BTreeMap<&str, usize> {
    let mut numbers = BTreeMap::new();
    for one in preferences {
        let next = numbers.len();
        numbers.entry(one.question.as_str()).or_insert(next);
    }
    numbers
}

fn folds(preferences: &[Preference]) -> Vec<usize> {
    let numbers = folds_of(preferences);
    preferences.iter().map(|one| numbers[one.question.as_str()] % FOLDS).collect()
}

fn pick(rows: &[Vec<f64>], folds: &[usize], keep: impl Fn(usize) -> bool) -> Vec<Vec<f64>> {
    rows.iter().zip(folds).filter(|(_, fold)| keep(**fold)).map(|(row, _)| row.clone()).collect()
}

/// 1 if the weights put the preferred answer first, a half if they do not decide.
fn credit(weights: &[f64], row: &[f64]) -> f64 {
    let total: f64 = weights.iter().zip(row).map(|(weight, value)| weight * value).sum();
    Choice::by_marks(half_up(total, 9), 0.0).credit(Choice::First)
}

/// The pull with the most right decisions on folds not fitted to; the strongest of equals.
fn best_pull(rows: &[Vec<f64>], prior: &[f64], folds: &[usize]) -> f64 {
    let mut best = (f64::NEG_INFINITY, PULLS[0]);
    for pull in PULLS {
        let mut right = 0.0;
        for fold in 0..FOLDS {
            let fitted = fit(&pick(rows, folds, |own| own != fold), prior, pull);
            let held_out = pick(rows, folds, |own| own == fold);
            right += held_out.iter().map(|row| credit(&fitted, row)).sum::<f64>();
        }
        if right > best.0 {
            best = (right, pull);
        }
    }
    best.1
}

/// Weights that are not negative, by one Newton step for each dimension in turn.
fn fit(rows: &[Vec<f64>], prior: &[f64], pull: f64) -> Vec<f64> {
    // The weights there are, at the scale at which they explain the most.
    let along: Vec<Vec<f64>> = rows
        .iter()
        .map(|row| vec![row.iter().zip(prior).map(|(value, weight)| value * weight).sum()])
        .collect();
    let scale = descend(&along, &[1.0], 1e-3)[0];
    let target: Vec<f64> = prior.iter().map(|weight| weight * scale).collect();
    descend(rows, &target, pull)
}

fn descend(rows: &[Vec<f64>], target: &[f64], pull: f64) -> Vec<f64> {
    let mut weights = target.to_vec();
    for _ in 0..PASSES {
        let mut moved: f64 = 0.0;
        for place in 0..weights.len() {
            let (mut slope, mut curvature) = (pull * (weights[place] - target[place]), pull);
            for row in rows {
                let right = chance(&weights, row);
                slope -= (1.0 - right) * row[place];
                curvature += right * (1.0 - right) * row[place] * row[place];
            }
            let next = (weights[place] - slope / curvature).max(0.0);
            moved = moved.max((next - weights[place]).abs());
            weights[place] = next;
        }
        if moved < 1e-9 {
            break;
        }
    }
    weights
}

/// Shares of one in whole percents; what rounding leaves over goes to the largest.
fn weights(dimensions: &[Dimension], fitted: &[f64]) -> Option<Weights> {
    let total: f64 = fitted.iter().sum();
    if total <= 0.0 {
        return None;
    }
    let mut shares: ByDimension<f64> = dimensions
        .iter()
        .zip(fitted)
        .map(|(dimension, weight)| (*dimension, half_up(weight / total, 2)))
        .collect();
    let accuracy = shares.entry(Dimension::Accuracy).or_insert(ACCURACY_MIN);
    *accuracy = accuracy.max(ACCURACY_MIN);
    let left = 1.0 - shares.values().sum::<f64>();
    let largest =
        shares.iter().max_by(|one, other| one.1.total_cmp(other.1)).map(|(name, _)| *name)?;
    let value = shares.get_mut(&largest)?;
    *value = half_up(*value + left, 2);
    Weights::new(shares).ok()
}

#[cfg(test)]
mod tests {
    use assize_stats::resample::Generator;

    use super::*;

    /// People look at clarity alone; the marks of the other dimensions are noise.
    fn preferences(count: usize) -> Vec<Preference> {
        let mut generator = Generator::stream(3, 0);
        (0..count)
            .map(|number| {
                let differences: ByDimension<f64> = Dimension::ALL
                    .into_iter()
                    .map(|dimension| (dimension, generator.below(9) as f64 - 4.0))
                    .collect();
                let first = differences[&Dimension::Clarity] > 0.0;
                Preference { question: number.to_string(), first, differences }
            })
            .collect()
    }

    fn current() -> Weights {
        super::super::profile::Profile::default().weights
    }

    #[test]
    fn weights_move_to_what_people_look_at() {
        let found = tune(&preferences(300), &current(), 1).unwrap();
        assert!(found.suggested.of(Dimension::Clarity) > 0.6, "{found:?}");
        assert!(found.gain > 0.1 && found.gain_interval.unwrap().low > 0.0, "{found:?}");
        let sum: f64 = found.suggested.as_map().values().sum();
        assert!((sum - 1.0).abs() < 1e-9);
        assert!(found.suggested.of(Dimension::Accuracy) >= ACCURACY_MIN);
    }

    #[test]
    fn too_few_preferences_suggest_nothing() {
        assert_eq!(tune(&preferences(PREFERENCES_MIN - 1), &current(), 1), None);
    }
}
