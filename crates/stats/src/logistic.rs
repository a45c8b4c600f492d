//! Logistic regression with a ridge penalty and no intercept, for a handful of inputs.

use crate::{check, error::StatsError, linear::solve};

/// Newton's method is done when no weight moves by more than this.
const TOLERANCE: f64 = 1e-10;

/// It takes five or six steps; more means that it does not settle.
const STEPS_MAX: usize = 100;

/// Weights for which `1 / (1 + e^-(w·x))` is most likely to say `true` where it is, less half of
/// `penalty` times their squares.
///
/// Without an intercept nothing favours either side: turning all signs of a row round and its
/// outcome with them changes nothing. A positive penalty has one solution, whatever the rows.
///
/// Reference: le Cessie & van Houwelingen (1992), Applied Statistics 41(1).
///
/// ```
/// use assize_stats::logistic::ridge_logistic;
/// let rows = [vec![1.0], vec![2.0], vec![-1.0], vec![0.5]];
/// let outcome = [true, true, false, false];
/// let weights = ridge_logistic(&rows, &outcome, 1.0)?;
/// assert!(weights[0] > 0.0);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn ridge_logistic(
    rows: &[Vec<f64>],
    outcome: &[bool],
    penalty: f64,
) -> Result<Vec<f64>, StatsError> {
    check::lengths(rows.len(), outcome.len())?;
    let size = check::table(rows, (1, 1))?;
    if !(penalty > 0.0 && penalty.is_finite()) {
        return Err(StatsError::Invalid("the penalty must be a number above 0"));
    }
    let mut weights = vec![0.0; size];
    for _ in 0..STEPS_MAX {
        let step = newton_step(rows, outcome, penalty, &weights)?;
        let largest = step.iter().map(|step| step.abs()).fold(0.0, f64::max);
        for (weight, step) in weights.iter_mut().zip(&step) {
            *weight -= step;
        }
        if largest < TOLERANCE {
            return Ok(weights);
        }
    }
    Err(StatsError::Disconnected)
}

/// The chance that a model with these weights gives to `true`.
pub fn chance(weights: &[f64], row: &[f64]) -> f64 {
    let logit: f64 = weights.iter().zip(row).map(|(weight, value)| weight * value).sum();
    // Both forms are the same; each is exact on its own side.
    if logit >= 0.0 {
        1.0 / (1.0 + libm::exp(-logit))
    } else {
        let odds = libm::exp(logit);
        odds / (1.0 + odds)
    }
}

/// The Hessian's inverse times the gradient of the negative penalised log-likelihood.
fn newton_step(
    rows: &[Vec<f64>],
    outcome: &[bool],
    penalty: f64,
    weights: &[f64],
) -> Result<Vec<f64>, StatsError> {
    let size = weights.len();
    let mut gradient: Vec<f64> = weights.iter().map(|weight| penalty * weight).collect();
    let mut hessian = vec![vec![0.0; size]; size];
    for (index, row) in hessian.iter_mut().enumerate() {
        row[index] = penalty;
    }
    for (row, is_true) in rows.iter().zip(outcome) {
        let chance = chance(weights, row);
        let off = chance - f64::from(u8::from(*is_true));
        let spread = chance * (1.0 - chance);
        for (first, value) in row.iter().enumerate() {
            gradient[first] += off * value;
            for (second, other) in row.iter().enumerate() {
                hessian[first][second] += spread * value * other;
            }
        }
    }
    solve(hessian, gradient)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `LogisticRegression(C=1, fit_intercept=False, tol=1e-12).fit(X, y).coef_` of
    /// scikit-learn: the penalty is half the squares over C, so C = 1 is a penalty of 1.
    #[test]
    fn weights_are_those_of_the_reference() {
        let rows: Vec<Vec<f64>> =
            [[1.0, 0.5], [2.0, -1.0], [-1.0, 0.3], [-0.5, -2.0], [0.7, 1.5], [-1.5, 1.0]]
                .iter()
                .map(|row| row.to_vec())
                .collect();
        let outcome = [true, true, false, false, true, true];
        let weights = ridge_logistic(&rows, &outcome, 1.0).unwrap();
        for (found, expected) in weights.iter().zip(REFERENCE) {
            assert!((found - expected).abs() < 1e-6, "{weights:?}");
        }
    }

    const REFERENCE: [f64; 2] = [0.682_355_563, 0.752_079_072];

    #[test]
    fn rows_that_can_be_told_apart_still_have_weights() {
        let rows = [vec![1.0], vec![-1.0]];
        let weights = ridge_logistic(&rows, &[true, false], 0.001).unwrap();
        assert!(weights[0].is_finite() && weights[0] > 3.0, "{weights:?}");
        assert!(ridge_logistic(&rows, &[true, false], 0.0).is_err());
        assert!(ridge_logistic(&[], &[], 1.0).is_err());
    }

    #[test]
    fn chances_are_chances_at_both_ends() {
        assert_eq!(chance(&[1_000.0], &[1.0]), 1.0);
        assert_eq!(chance(&[1_000.0], &[-1.0]), 0.0);
        assert_eq!(chance(&[0.0], &[1.0]), 0.5);
    }
}
