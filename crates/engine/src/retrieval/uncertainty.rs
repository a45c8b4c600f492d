//! How uncertain a mean is: the settings of every interval and paired test of a report.

use assize_stats::interval::bootstrap_mean;

/// The usual confidence level: what papers of the field report.
pub const LEVEL: f64 = 0.95;
/// The usual number of bootstrap resamples: enough for two decimals of an end.
pub const RESAMPLES: usize = 1_000;
/// The usual number of sign flips: p-values down to 0.0001 can be told apart.
pub const PERMUTATIONS: usize = 10_000;
/// Where resampling starts unless told otherwise; any number would do, as long as it stays.
pub const SEED: u64 = 42;

/// The settings of intervals and paired tests. The seed is fixed, so the same input gives
/// the same bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Uncertainty {
    /// The confidence level of intervals, between 0 and 1.
    pub level: f64,
    /// Bootstrap resamples of an interval.
    pub resamples: usize,
    /// Sign flips of a randomisation test.
    pub permutations: usize,
    /// Where the resampling starts.
    pub seed: u64,
}

impl Default for Uncertainty {
    fn default() -> Self {
        Self { level: LEVEL, resamples: RESAMPLES, permutations: PERMUTATIONS, seed: SEED }
    }
}

impl Uncertainty {
    /// The bootstrap interval of a mean; none for fewer than two values, or without resamples.
    pub fn of_mean(&self, values: &[f64]) -> Option<(f64, f64)> {
        let interval = bootstrap_mean(values, self.resamples, self.level, self.seed).ok()?;
        Some((interval.low, interval.high))
    }
}
