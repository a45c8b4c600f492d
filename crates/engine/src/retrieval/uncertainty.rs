//! How uncertain a mean is: the settings of every interval and paired test of a report.

use assize_stats::interval::bootstrap_mean;

/// The usual confidence level: what papers of the field report.
pub const LEVEL: f64 = 0.95;
/// The usual number of bootstrap resamples: enough for two decimals of an end.
pub(crate) const RESAMPLES: usize = 1_000;
/// The usual number of sign flips: p-values down to 0.0001 can be told apart.
pub(crate) const PERMUTATIONS: usize = 10_000;
/// More resamples or permutations than anybody needs; each keeps its value, 80 MB a measure.
pub const REPETITIONS_MAX: usize = 10_000_000;
/// Where resampling starts unless told otherwise; any number would do, as long as it stays.
pub(crate) const SEED: u64 = 42;

/// The settings of intervals and paired tests. The seed is fixed, so the same input gives
/// the same bytes.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "clap", derive(clap::Args), command(next_help_heading = "Intervals"))]
pub struct Uncertainty {
    /// Confidence level of intervals
    #[cfg_attr(
        feature = "clap",
        arg(long = "confidence", value_name = "LEVEL", default_value_t = LEVEL, value_parser = level)
    )]
    pub level: f64,
    /// Number of bootstrap resamples; 0 omits intervals
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "N", default_value_t = RESAMPLES, value_parser = repetitions)
    )]
    pub resamples: usize,
    /// Sign flips of a randomisation test.
    #[cfg_attr(feature = "clap", arg(skip = PERMUTATIONS))]
    pub permutations: usize,
    /// Random seed; the same seed gives the same output
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = SEED))]
    pub seed: u64,
}

impl Default for Uncertainty {
    fn default() -> Self {
        Self { level: LEVEL, resamples: RESAMPLES, permutations: PERMUTATIONS, seed: SEED }
    }
}

/// A confidence level, unless it is none.
#[cfg(feature = "clap")]
fn level(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(level) if level > 0.0 && level < 1.0 => Ok(level),
        _ => Err(format!("{text} is not between 0 and 1")),
    }
}

/// A number of resamples or permutations, unless it is more than memory and time allow.
#[cfg(feature = "clap")]
pub fn repetitions(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(count) if count <= REPETITIONS_MAX => Ok(count),
        Ok(count) => Err(format!("{count} is more than the maximum of {REPETITIONS_MAX}")),
        Err(_) => Err(format!("{text} is not a whole number")),
    }
}

impl Uncertainty {
    /// The bootstrap interval of a mean; none for fewer than two values, or without resamples.
    pub(crate) fn of_mean(&self, values: &[f64]) -> Option<(f64, f64)> {
        let interval = bootstrap_mean(values, self.resamples, self.level, self.seed).ok()?;
        Some((interval.low, interval.high))
    }
}
