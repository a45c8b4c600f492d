//! The paired bootstrap.

use super::differences;
use crate::{
    check,
    error::StatsError,
    interval::{Interval, bootstrap::resampled_means},
    summary,
};

/// What resampling the items says about the mean difference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairedBootstrap {
    /// Mean difference, first minus second.
    pub difference: f64,
    /// Where it lies, by percentiles.
    pub interval: Interval,
    /// Two-sided p value.
    pub p: f64,
}

/// Where the mean difference lies, and how often chance alone would move it as far.
///
/// p is the share of resamples whose mean lies at least as far from the observed mean
/// as that lies from zero, with one added above and below so that it is never zero.
///
/// Reference: Efron & Tibshirani (1993), An Introduction to the Bootstrap, chapter 16.
///
/// ```
/// use assize_stats::paired::paired_bootstrap;
/// let better = paired_bootstrap(&[0.9, 0.8, 0.7, 0.9], &[0.1, 0.2, 0.1, 0.2], 999, 0.95, 1)?;
/// assert!(better.p < 0.01 && better.interval.low > 0.0);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn paired_bootstrap(
    first: &[f64],
    second: &[f64],
    resamples: usize,
    level: f64,
    seed: u64,
) -> Result<PairedBootstrap, StatsError> {
    check::level(level)?;
    let differences = summary::sorted(&differences(first, second)?);
    check::count(differences.len(), 2)?;
    let difference = summary::mean(&differences)?;
    let means = resampled_means(&differences, resamples, seed)?;
    let far = means.iter().filter(|mean| (*mean - difference).abs() >= difference.abs()).count();
    let p = (far as f64 + 1.0) / (resamples as f64 + 1.0);
    Ok(PairedBootstrap { difference, interval: Interval::middle(&means, level), p })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_runs_are_what_chance_would_do() {
        let found = paired_bootstrap(&[1.0, 2.0], &[1.0, 2.0], 100, 0.95, 1).unwrap();
        assert_eq!((found.p, found.interval.low, found.interval.high), (1.0, 0.0, 0.0));
    }

    #[test]
    fn one_item_is_refused() {
        assert!(paired_bootstrap(&[1.0], &[2.0], 100, 0.95, 1).is_err());
        assert!(paired_bootstrap(&[1.0, 2.0], &[2.0, 1.0], 0, 0.95, 1).is_err());
    }
}
