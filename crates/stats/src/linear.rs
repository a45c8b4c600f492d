//! Small systems of linear equations.

use crate::error::StatsError;

/// A pivot below this share of the largest entry means there is no one solution.
const SINGULAR: f64 = 1e-13;

/// Solves `matrix · x = right`, by elimination with row exchange.
pub(crate) fn solve(
    mut matrix: Vec<Vec<f64>>,
    mut right: Vec<f64>,
) -> Result<Vec<f64>, StatsError> {
    let size = right.len();
    let largest = matrix.iter().flatten().map(|entry| entry.abs()).fold(0.0, f64::max);
    for column in 0..size {
        let pivot = (column..size)
            .max_by(|a, b| matrix[*a][column].abs().total_cmp(&matrix[*b][column].abs()))
            .unwrap_or(column);
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        let leading = matrix[column].clone();
        if leading[column].is_nan() || leading[column].abs() <= SINGULAR * largest {
            return Err(StatsError::Disconnected);
        }
        for row in column + 1..size {
            let share = matrix[row][column] / leading[column];
            for (entry, other) in matrix[row].iter_mut().zip(&leading).skip(column) {
                *entry -= share * other;
            }
            right[row] -= share * right[column];
        }
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|column| matrix[row][column] * right[column]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    Ok(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_exchanged_where_a_pivot_is_zero() {
        // y + z = 5, 2x + z = 5, x + y = 3.
        let matrix = vec![vec![0.0, 1.0, 1.0], vec![2.0, 0.0, 1.0], vec![1.0, 1.0, 0.0]];
        assert_eq!(solve(matrix, vec![5.0, 5.0, 3.0]), Ok(vec![1.0, 2.0, 3.0]));
    }

    #[test]
    fn dependent_rows_have_no_one_solution() {
        let matrix = vec![vec![1.0, 2.0], vec![2.0, 4.0]];
        assert_eq!(solve(matrix, vec![1.0, 2.0]), Err(StatsError::Disconnected));
    }
}
