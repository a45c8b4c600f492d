//! Wilcoxon's signed-rank test.

use super::differences;
use crate::{
    check,
    distribution::normal::two_sided,
    error::StatsError,
    rank::{average_ranks, tie_sizes},
    sum::sum,
};

/// Up to this many differences the exact distribution is used, as in `SciPy`.
pub(crate) const EXACT_PAIRS_MAX: usize = 50;

/// What the signed-rank test found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wilcoxon {
    /// The smaller of the two sums of ranks, of rises and of falls.
    pub statistic: f64,
    /// Two-sided p value.
    pub p: f64,
    /// Whether p comes from the exact distribution and not from the normal one.
    pub exact: bool,
}

/// What becomes of differences that are zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zeros {
    /// They are left out before ranking (Wilcoxon).
    Drop,
    /// They are ranked with the others, and their ranks left out (Pratt).
    Rank,
}

/// Tests whether differences lie evenly around zero, by the ranks of their sizes.
///
/// Exact without zeros and ties among at most [`EXACT_PAIRS_MAX`] pairs; otherwise the
/// normal approximation, zeros dropped and no correction for continuity (the rule of `SciPy`).
///
/// Reference: Wilcoxon (1945), Biometrics Bulletin 1(6).
///
/// ```
/// use assize_stats::paired::wilcoxon;
/// // All three differences are rises: 2 of 8 sign assignments are as extreme.
/// let test = wilcoxon(&[2.0, 3.0, 4.0], &[1.0, 1.0, 1.0])?;
/// assert_eq!((test.statistic, test.p, test.exact), (0.0, 0.25, true));
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn wilcoxon(first: &[f64], second: &[f64]) -> Result<Wilcoxon, StatsError> {
    let differences = differences(first, second)?;
    let sizes: Vec<f64> = differences.iter().map(|difference| difference.abs()).collect();
    let plain = sizes.iter().all(|size| *size > 0.0) && tie_sizes(&sizes).is_empty();
    if plain && differences.len() <= EXACT_PAIRS_MAX {
        return Ok(exact(&differences));
    }
    approximate(first, second, Zeros::Drop, false)
}

/// The signed-rank test by the normal approximation.
///
/// `continuous` moves the statistic half a rank towards its mean.
///
/// Reference: Pratt (1959), Journal of the American Statistical Association 54(287).
///
/// ```
/// use assize_stats::paired::wilcoxon::{Zeros, approximate};
/// // T = 0, mean 3, variance 3 * 4 * 7 / 24 = 3.5: z = -3 / √3.5.
/// let test = approximate(&[2.0, 3.0, 4.0], &[1.0, 1.0, 1.0], Zeros::Drop, false)?;
/// assert!((test.p - 0.108_809).abs() < 1e-6);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn approximate(
    first: &[f64],
    second: &[f64],
    zeros: Zeros,
    continuous: bool,
) -> Result<Wilcoxon, StatsError> {
    let mut differences = differences(first, second)?;
    let zero_count = match zeros {
        Zeros::Drop => {
            differences.retain(|difference| *difference != 0.0);
            0.0
        }
        Zeros::Rank => differences.iter().filter(|difference| **difference == 0.0).count() as f64,
    };
    if differences.iter().all(|difference| *difference == 0.0) {
        return Err(StatsError::NoDifference);
    }
    let statistic = smaller_rank_sum(&differences);
    let rises: Vec<f64> =
        differences.iter().map(|difference| difference.abs()).filter(|size| *size > 0.0).collect();
    let tied = sum(tie_sizes(&rises).iter().map(|size| {
        let size = *size as f64;
        size * (size * size - 1.0)
    }));
    let count = differences.len() as f64;
    let pyramid = |count: f64| count * (count + 1.0) * (2.0 * count + 1.0);
    let centre = (count * (count + 1.0) - zero_count * (zero_count + 1.0)) / 4.0;
    let variance = (pyramid(count) - pyramid(zero_count) - tied / 2.0) / 24.0;
    let mut distance = statistic - centre;
    if continuous && distance != 0.0 {
        distance -= 0.5 * distance.signum();
    }
    let p = two_sided(check::finite(distance / variance.sqrt())?);
    Ok(Wilcoxon { statistic, p: p.min(1.0), exact: false })
}

/// The test by counting, where no two sizes are equal and none is zero.
fn exact(differences: &[f64]) -> Wilcoxon {
    let statistic = smaller_rank_sum(differences);
    let count = differences.len();
    let highest = count * (count + 1) / 2;
    // Sign assignments by their sum of ranks; at most 2^50 in all, so doubles are exact.
    let mut ways = vec![0.0; highest + 1];
    ways[0] = 1.0;
    for rank in 1..=count {
        for total in (rank..=highest).rev() {
            ways[total] += ways[total - rank];
        }
    }
    let all: f64 = ways.iter().sum();
    let as_low: f64 = ways
        .iter()
        .enumerate()
        .filter(|(total, _)| *total as f64 <= statistic)
        .map(|(_, ways)| ways)
        .sum();
    Wilcoxon { statistic, p: (2.0 * as_low / all).min(1.0), exact: true }
}

/// The smaller of the sums of ranks of rises and of falls.
fn smaller_rank_sum(differences: &[f64]) -> f64 {
    let sizes: Vec<f64> = differences.iter().map(|difference| difference.abs()).collect();
    let ranks = average_ranks(&sizes);
    let of = |wanted: f64| {
        sum(differences
            .iter()
            .zip(&ranks)
            .filter(|(difference, _)| **difference * wanted > 0.0)
            .map(|(_, rank)| *rank))
    };
    of(1.0).min(of(-1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `scipy.stats.wilcoxon` with both ways to treat zeros, without and with continuity.
    #[test]
    fn zeros_and_ties_agree_with_scipy() {
        let first = [1.0, 1.5, 0.0, 0.5, -2.5];
        let second = [2.0, 1.0, 1.0, 0.5, -1.5];
        let cases = [
            (Zeros::Drop, false, 1.0, 0.130_570_018_115_736_2),
            (Zeros::Drop, true, 1.0, 0.185_876_732_365_875_87),
            (Zeros::Rank, false, 2.0, 0.165_517_858_697_469_93),
            (Zeros::Rank, true, 2.0, 0.212_003_430_922_825_8),
        ];
        for (zeros, continuous, statistic, p) in cases {
            let test = approximate(&first, &second, zeros, continuous).unwrap();
            assert_eq!(test.statistic, statistic);
            assert!((test.p - p).abs() < 1e-12, "{zeros:?} {continuous} {test:?}");
        }
        assert!(!wilcoxon(&first, &second).unwrap().exact);
    }

    /// The figures of the exact method of `SciPy` for these differences.
    #[test]
    fn distinct_differences_are_counted() {
        let differences = [-2.3, -0.6, -0.9, 0.8, 0.95];
        let test = wilcoxon(&differences, &[0.0; 5]).unwrap();
        assert_eq!((test.statistic, test.p, test.exact), (6.0, 0.8125, true));
    }

    #[test]
    fn equal_runs_have_no_test() {
        let same = [1.0, 2.0, 3.0];
        assert_eq!(wilcoxon(&same, &same), Err(StatsError::NoDifference));
        assert_eq!(approximate(&same, &same, Zeros::Rank, true), Err(StatsError::NoDifference));
    }

    #[test]
    fn swapping_the_runs_changes_nothing() {
        let (first, second) = ([1.0, 5.0, 2.0, 8.0], [2.0, 3.0, 2.0, 1.0]);
        assert_eq!(wilcoxon(&first, &second), wilcoxon(&second, &first));
    }
}
