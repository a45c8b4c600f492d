//! Least squares with a ridge penalty and no intercept, for a handful of inputs.

use crate::{check, error::StatsError, linear::solve};

/// Weights with the smallest squared error, plus `penalty` times their squares.
///
/// Centre both sides first: there is no intercept.
///
/// Reference: Hoerl & Kennard (1970), Technometrics 12(1).
///
/// ```
/// use assize_stats::ridge::ridge;
/// // One input: Σxy / (Σx² + penalty) = (1 + 4 + 9) / (14 + 2).
/// let rows = [vec![1.0], vec![2.0], vec![3.0]];
/// assert_eq!(ridge(&rows, &[1.0, 2.0, 3.0], 2.0)?, [0.875]);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn ridge(rows: &[Vec<f64>], outcome: &[f64], penalty: f64) -> Result<Vec<f64>, StatsError> {
    check::lengths(rows.len(), outcome.len())?;
    check::values(outcome, 1)?;
    let size = check::table(rows, (1, 1))?;
    if !(penalty > 0.0 && penalty.is_finite()) {
        return Err(StatsError::Invalid("the penalty must be a number above 0"));
    }
    let mut matrix = vec![vec![0.0; size]; size];
    let mut right = vec![0.0; size];
    for (index, row) in matrix.iter_mut().enumerate() {
        row[index] = penalty;
    }
    for (row, value) in rows.iter().zip(outcome) {
        for (first, one) in row.iter().enumerate() {
            right[first] += one * value;
            for (second, other) in row.iter().enumerate() {
                matrix[first][second] += one * other;
            }
        }
    }
    solve(matrix, right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_that_say_the_same_share_the_weight() {
        let rows = [vec![1.0, 1.0], vec![2.0, 2.0], vec![-3.0, -3.0]];
        let weights = ridge(&rows, &[1.0, 2.0, -3.0], 1.0).unwrap();
        // Both together fit x with 14·2 / (14·2 + 1) = 28/29 of it.
        assert!((weights[0] - weights[1]).abs() < 1e-12);
        assert!((weights[0] - 14.0 / 29.0).abs() < 1e-12, "{weights:?}");
        assert!(ridge(&rows, &[1.0, 2.0], 1.0).is_err());
        assert!(ridge(&rows, &[1.0, 2.0, 3.0], 0.0).is_err());
    }
}
