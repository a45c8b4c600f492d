//! Marks split into what a candidate earned and how lenient a reviewer is.

use crate::{check, error::StatsError, linear::solve, standardize::checked, sum::sum, summary};

/// What candidates and reviewers add to a mark.
#[derive(Debug, Clone, PartialEq)]
pub struct Additive {
    /// The level of each candidate, on the scale of the marks.
    pub candidates: Vec<f64>,
    /// How much above the other reviewers each one marks.
    pub leniency: Vec<f64>,
}

/// Splits marks into what the candidate earned and how lenient the reviewer is.
///
/// Least squares on `mark = candidate + leniency`, with leniency zero on average. Without
/// gaps this is the mean after taking each reviewer's own mean out; with gaps it is still
/// fair to a candidate whom only harsh reviewers marked.
///
/// Reference: Scheffé (1959), The Analysis of Variance, chapter 4.
///
/// ```
/// use assize_stats::additive::additive;
/// // The second reviewer is two points harsher, and did not mark the best candidate.
/// let marks = vec![vec![Some(9.0), Some(7.0), Some(5.0)], vec![None, Some(5.0), Some(3.0)]];
/// let found = additive(&marks)?;
/// for (level, expected) in found.candidates.iter().zip([8.0, 6.0, 4.0]) {
///     assert!((level - expected).abs() < 1e-12);
/// }
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn additive(marks: &[Vec<Option<f64>>]) -> Result<Additive, StatsError> {
    let count = checked(marks)?;
    let rows: Vec<Vec<(usize, f64)>> = marks.iter().map(|row| given(row)).collect();
    check::count(count, 1)?;
    check::count(rows.iter().filter(|row| !row.is_empty()).count(), 1)?;
    // Reviewers are taken out of the normal equations; the added one fixes the zero point.
    let mut matrix = vec![vec![1.0; count]; count];
    let mut right = vec![0.0; count];
    for row in &rows {
        let size = row.len() as f64;
        let mean = sum(row.iter().map(|(_, mark)| *mark)) / size;
        for (candidate, mark) in row {
            right[*candidate] += mark - mean;
            matrix[*candidate][*candidate] += 1.0;
            for (other, _) in row {
                matrix[*candidate][*other] -= 1.0 / size;
            }
        }
    }
    let effects = solve(matrix, right)?;
    let level = |row: &Vec<(usize, f64)>| {
        sum(row.iter().map(|(candidate, mark)| mark - effects[*candidate])) / row.len() as f64
    };
    let levels: Vec<Option<f64>> =
        rows.iter().map(|row| (!row.is_empty()).then(|| level(row))).collect();
    let known: Vec<f64> = levels.iter().flatten().copied().collect();
    let centre = summary::mean(&known)?;
    let candidates: Vec<f64> = effects.iter().map(|effect| effect + centre).collect();
    let above = |level: &Option<f64>| level.map_or(0.0, |level| level - centre);
    let leniency: Vec<f64> = levels.iter().map(above).collect();
    check::values(&candidates, 1)?;
    check::values(&leniency, 1)?;
    Ok(Additive { candidates, leniency })
}

/// The marks in a row with the candidate each belongs to.
fn given(row: &[Option<f64>]) -> Vec<(usize, f64)> {
    row.iter().enumerate().filter_map(|(index, mark)| mark.map(|mark| (index, mark))).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::standardize::candidate_means;

    #[test]
    fn candidates_nobody_compared_are_refused() {
        let apart = [vec![Some(1.0), None], vec![None, Some(2.0)]];
        assert_eq!(additive(&apart), Err(StatsError::Disconnected));
        let unmarked = [vec![Some(1.0), None]];
        assert_eq!(additive(&unmarked), Err(StatsError::Disconnected));
        assert!(additive(&[]).is_err());
        assert!(additive(&[vec![None, None]]).is_err());
    }

    /// Marks built as 5, 6, 8 plus -1, 0, 1, with each reviewer's own left out.
    #[test]
    fn exact_effects_are_found_again_without_own_marks() {
        let marks = [
            vec![None, Some(5.0), Some(7.0)],
            vec![Some(5.0), None, Some(8.0)],
            vec![Some(6.0), Some(7.0), None],
        ];
        let found = additive(&marks).unwrap();
        for (level, expected) in found.candidates.iter().zip([5.0, 6.0, 8.0]) {
            assert!((level - expected).abs() < 1e-12);
        }
        for (leniency, expected) in found.leniency.iter().zip([-1.0, 0.0, 1.0]) {
            assert!((leniency - expected).abs() < 1e-12);
        }
    }

    proptest! {
        #[test]
        fn without_gaps_the_level_is_the_mean(
            rows in prop::collection::vec(prop::collection::vec(1..=10_u8, 4), 1..5),
        ) {
            let marks: Vec<Vec<Option<f64>>> = rows
                .iter()
                .map(|row| row.iter().map(|mark| Some(f64::from(*mark))).collect())
                .collect();
            let found = additive(&marks).unwrap();
            for (level, mean) in found.candidates.iter().zip(candidate_means(&marks).unwrap()) {
                prop_assert!((level - mean.unwrap().mean).abs() < 1e-9);
            }
        }
    }
}
