//! The sign test: wins against losses.

use super::differences;
use crate::{distribution::binomial::fair_at_most, error::StatsError};

/// Who won how often, and whether chance would do it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SignTest {
    /// Items where the first run is higher.
    pub wins: usize,
    /// Items where both are equal.
    pub ties: usize,
    /// Items where the first run is lower.
    pub losses: usize,
    /// Two-sided p value; ties are left out.
    pub p: f64,
}

/// Counts wins and losses and tests whether both are equally likely.
///
/// Reference: Conover (1999), Practical Nonparametric Statistics, 3rd edition, 3.4.
///
/// ```
/// use assize_stats::paired::sign_test;
/// let test = sign_test(&[3.0, 3.0, 3.0, 1.0], &[1.0, 1.0, 1.0, 1.0])?;
/// assert_eq!((test.wins, test.ties, test.losses), (3, 1, 0));
/// assert!((test.p - 0.25).abs() < 1e-14);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn sign_test(first: &[f64], second: &[f64]) -> Result<SignTest, StatsError> {
    let differences = differences(first, second)?;
    let wins = differences.iter().filter(|difference| **difference > 0.0).count();
    let losses = differences.iter().filter(|difference| **difference < 0.0).count();
    let ties = differences.len() - wins - losses;
    let tail = fair_at_most(wins.min(losses) as u64, (wins + losses) as u64);
    Ok(SignTest { wins, ties, losses, p: (2.0 * tail).min(1.0) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_ties_is_what_chance_would_do() {
        let test = sign_test(&[1.0, 2.0], &[1.0, 2.0]).unwrap();
        assert_eq!((test.ties, test.p), (2, 1.0));
    }

    /// `scipy.stats.binomtest(1, 4)`.
    #[test]
    fn one_win_and_three_losses_agree_with_scipy() {
        let test = sign_test(&[1.0, 1.5, 0.0, 0.5, -2.5], &[2.0, 1.0, 1.0, 0.5, -1.5]).unwrap();
        assert_eq!((test.wins, test.ties, test.losses), (1, 1, 3));
        assert!((test.p - 0.625).abs() < 1e-14);
    }

    #[test]
    fn no_items_are_refused() {
        assert_eq!(sign_test(&[], &[]), Err(StatsError::TooFew { needed: 1, found: 0 }));
    }
}
