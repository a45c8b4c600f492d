//! Partial correlation: what is left when other influences are held still.

use super::{Correlation, p_by_student, pearson};
use crate::{check, error::StatsError};

/// A variance that shrinks to this share is explained by the others.
const EXPLAINED: f64 = 1e-12;

/// Pearson's correlation of two lists, with the influence of others taken out.
///
/// Whether longer answers get higher marks, for instance, at equal quality. The p value
/// is from Student's t with n - 2 - k degrees of freedom for k other lists.
///
/// Reference: Fisher (1924), Metron 3.
///
/// ```
/// use assize_stats::correlation::partial_pearson;
/// let (length, mark, quality) = ([1.0, 2.0, 3.0, 4.0], [1.0, 3.0, 2.0, 4.0], [1.0, 2.0, 2.0, 1.0]);
/// let found = partial_pearson(&length, &mark, &[&quality])?;
/// // Quality is uncorrelated with both, so the correlation stays 0.8.
/// assert!((found.value - 0.8).abs() < 1e-12);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn partial_pearson(
    first: &[f64],
    second: &[f64],
    others: &[&[f64]],
) -> Result<Correlation, StatsError> {
    check::pair(first, second, 3 + others.len())?;
    let mut lists = vec![first, second];
    lists.extend(others);
    let value = partial(&lists)?;
    let degrees = (first.len() - 2 - others.len()) as f64;
    Ok(Correlation { value, p: p_by_student(value, degrees), count: first.len() })
}

/// Takes each list from the third on out of all others, then correlates the first two.
fn partial(lists: &[&[f64]]) -> Result<f64, StatsError> {
    let mut covariance = vec![vec![1.0; lists.len()]; lists.len()];
    for (row, left) in lists.iter().enumerate() {
        for (column, right) in lists.iter().enumerate().skip(row + 1) {
            let value = pearson(left, right)?;
            covariance[row][column] = value;
            covariance[column][row] = value;
        }
    }
    for taken in 2..lists.len() {
        let pivot = covariance[taken].clone();
        if pivot[taken] < EXPLAINED {
            // The lists before it already say what this one says.
            continue;
        }
        for row in &mut covariance {
            let share = row[taken] / pivot[taken];
            for (cell, other) in row.iter_mut().zip(&pivot) {
                *cell -= share * other;
            }
        }
    }
    if covariance[0][0] < EXPLAINED || covariance[1][1] < EXPLAINED {
        return Err(StatsError::Constant);
    }
    let scale = covariance[0][0].sqrt() * covariance[1][1].sqrt();
    Ok((covariance[0][1] / scale).clamp(-1.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The formula for one other list: (r12 - r13 r23) / √((1 - r13²)(1 - r23²)).
    #[test]
    fn one_other_list_follows_the_formula() {
        use crate::correlation::pearson;
        let first = [1.0, 4.0, 2.0, 8.0, 5.0, 7.0];
        let second = [2.0, 3.0, 3.5, 9.0, 4.0, 4.0];
        let other = [0.0, 1.0, 5.0, 6.0, 2.0, 2.5];
        let r12 = pearson(&first, &second).unwrap();
        let r13 = pearson(&first, &other).unwrap();
        let r23 = pearson(&second, &other).unwrap();
        let expected = (r12 - r13 * r23) / ((1.0 - r13 * r13) * (1.0 - r23 * r23)).sqrt();
        let found = partial_pearson(&first, &second, &[&other]).unwrap();
        assert!((found.value - expected).abs() < 1e-12);
        let twice = partial_pearson(&first, &second, &[&other, &other]).unwrap();
        assert!((twice.value - expected).abs() < 1e-12);
    }

    /// `pingouin.partial_corr` of eight items.
    #[test]
    fn eight_items_agree_with_pingouin() {
        let first = [
            0.639_416_529_288_642_7,
            0.749_019_816_290_229_8,
            -1.136_380_094_680_838_7,
            -0.444_939_221_599_590_54,
            -1.957_036_434_598_387_5,
            -2.108_473_246_999_867,
            1.190_306_973_677_249_1,
            0.087_111_130_126_345_42,
        ];
        let second = [
            1.176_629_902_166_905_3,
            2.026_828_358_848_071_3,
            -1.317_360_106_510_080_2,
            1.488_872_207_615_473,
            -2.268_198_019_991_024,
            0.704_119_441_603_734_4,
            0.171_986_357_311_280_87,
            -0.713_876_186_503_628_9,
        ];
        let other = [
            1.990_150_097_749_901_8,
            0.061_750_960_497_320_68,
            -1.410_858_930_745_958_7,
            -0.170_226_466_685_215_16,
            -1.053_425_256_145_833_5,
            -2.405_729_287_151_063,
            -0.432_362_238_282_044_1,
            0.792_232_162_779_922,
        ];
        let found = partial_pearson(&first, &second, &[&other]).unwrap();
        assert!((found.value - 0.426_165_721_277_621_2).abs() < 1e-12);
        assert!((found.p - 0.340_386_235_127_759_4).abs() < 1e-12);
    }

    #[test]
    fn a_list_explained_by_the_other_has_no_correlation_left() {
        let first = [1.0, 4.0, 2.0, 8.0];
        let second = [2.0, 3.0, 3.5, 9.0];
        assert_eq!(partial_pearson(&first, &second, &[&first]), Err(StatsError::Constant));
    }

    #[test]
    fn too_few_items_are_refused() {
        let list = [1.0, 2.0, 4.0];
        assert_eq!(
            partial_pearson(&list, &list, &[&list]),
            Err(StatsError::TooFew { needed: 4, found: 3 })
        );
    }
}
