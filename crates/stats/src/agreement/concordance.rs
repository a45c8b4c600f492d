//! Kendall's W: agreement of many judges on a ranking.

use crate::{
    check,
    distribution::chi_squared,
    error::StatsError,
    rank::{average_ranks, tie_sizes},
    sum::sum,
};

/// How far judges rank alike.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Concordance {
    /// From 0, no agreement, to 1, the same ranking by all.
    pub w: f64,
    /// Friedman's statistic.
    pub chi_squared: f64,
    /// Its degrees of freedom.
    pub degrees: usize,
    /// The p value of no agreement.
    pub p: f64,
}

/// Kendall's coefficient of concordance, corrected for ties.
///
/// `scores[judge][item]`: at least two judges and two items, no gaps.
///
/// Reference: Kendall & Babington Smith (1939), Annals of Mathematical Statistics 10(3).
///
/// ```
/// use assize_stats::agreement::kendall_w;
/// let same = kendall_w(&[vec![1.0, 2.0, 3.0], vec![5.0, 6.0, 9.0]])?;
/// assert_eq!((same.w, same.chi_squared, same.degrees), (1.0, 4.0, 2));
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn kendall_w(scores: &[Vec<f64>]) -> Result<Concordance, StatsError> {
    let items = check::table(scores, (2, 2))?;
    let (judges, count) = (scores.len() as f64, items as f64);
    let mut totals = vec![0.0; items];
    let mut tied = 0.0;
    for row in scores {
        for (total, rank) in totals.iter_mut().zip(average_ranks(row)) {
            *total += rank;
        }
        tied += tie_sizes(row).into_iter().map(|size| cubic(size as f64)).sum::<f64>();
    }
    let middle = judges * (count + 1.0) / 2.0;
    let spread = sum(totals.iter().map(|total| (total - middle) * (total - middle)));
    let most = judges * judges * cubic(count) - judges * tied;
    if most <= 0.0 {
        return Err(StatsError::Constant);
    }
    let w = (12.0 * spread / most).clamp(0.0, 1.0);
    let chi_squared = judges * (count - 1.0) * w;
    let p = chi_squared::upper(chi_squared, count - 1.0);
    Ok(Concordance { w, chi_squared, degrees: items - 1, p })
}

/// n³ - n, which counts what ties take away.
fn cubic(count: f64) -> f64 {
    count * count * count - count
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reference values of `pingouin.friedman` for these ranks, ties included.
    #[test]
    fn ties_agree_with_the_reference() {
        let scores = [
            vec![-4.0, 0.0, -5.0, -1.0, -1.0],
            vec![-1.0, 1.0, -2.0, 1.0, -1.0],
            vec![0.0, 0.0, -5.0, 2.0, -2.0],
            vec![-3.0, 0.0, -4.0, 2.0, 0.0],
        ];
        let found = kendall_w(&scores).unwrap();
        assert!((found.w - 0.83).abs() < 1e-12);
        assert!((found.chi_squared - 13.28).abs() < 1e-12);
        assert!((found.p - 0.009_985_688_142_909_985).abs() < 1e-12);
    }

    #[test]
    fn judges_who_tie_everything_are_refused() {
        let flat = vec![vec![5.0; 3]; 2];
        assert_eq!(kendall_w(&flat), Err(StatsError::Constant));
        assert!(kendall_w(&[vec![1.0, 2.0]]).is_err());
        assert!(kendall_w(&[vec![1.0, 2.0], vec![1.0]]).is_err());
    }

    #[test]
    fn opposite_rankings_do_not_agree() {
        let found = kendall_w(&[vec![1.0, 2.0, 3.0], vec![3.0, 2.0, 1.0]]).unwrap();
        assert_eq!((found.w, found.p), (0.0, 1.0));
    }
}
