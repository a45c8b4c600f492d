//! Spearman's rank correlation.

use super::pearson;
use crate::{check, error::StatsError, rank::average_ranks};

/// Pearson's correlation of the ranks; equal values share their mean rank.
///
/// Reference: Spearman (1904), American Journal of Psychology 15(1).
///
/// ```
/// use assize_stats::correlation::spearman;
/// assert!((spearman(&[1.0, 2.0, 30.0], &[0.1, 0.3, 0.2])? - 0.5).abs() < 1e-15);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn spearman(first: &[f64], second: &[f64]) -> Result<f64, StatsError> {
    check::pair(first, second, 2)?;
    pearson(&average_ranks(first), &average_ranks(second))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `scipy.stats.spearmanr`.
    #[test]
    fn ties_agree_with_scipy() {
        let rho = spearman(&[0.0, 2.0, 1.0, 0.0, -1.0], &[1.0, 1.0, -1.0, -2.0, 3.0]).unwrap();
        assert!((rho + 0.342_105_263_157_894_75).abs() < 1e-12);
    }

    #[test]
    fn constant_ranks_have_no_correlation() {
        assert_eq!(spearman(&[2.0, 2.0, 2.0], &[1.0, 2.0, 3.0]), Err(StatsError::Constant));
        assert_eq!(spearman(&[], &[]), Err(StatsError::TooFew { needed: 2, found: 0 }));
    }

    proptest! {
        #[test]
        fn only_the_order_of_the_values_counts(
            pairs in prop::collection::vec((0..9_i32, 0..9_i32), 2..30),
        ) {
            let (first, second): (Vec<f64>, Vec<f64>) =
                pairs.iter().map(|(x, y)| (f64::from(*x), f64::from(*y))).unzip();
            let cubes: Vec<f64> = first.iter().map(|value| value * value * value).collect();
            prop_assert_eq!(spearman(&first, &second), spearman(&cubes, &second));
            prop_assert_eq!(spearman(&first, &second), spearman(&second, &first));
        }
    }
}
