//! Bootstrap intervals corrected for bias and for a spread that changes (`BCa`).

use super::{
    Interval,
    bootstrap::{Bootstrap, resampled, resampled_means, whole_sample},
};
use crate::{
    check,
    distribution::normal::{normal, quantile},
    error::StatsError,
    sum::sum,
    summary::{mean, sorted},
};

/// Where the mean lies, by the bias-corrected and accelerated bootstrap.
///
/// Better than the percentile interval where the values lean to one side.
///
/// Reference: Efron (1987), Journal of the American Statistical Association 82(397).
///
/// ```
/// use assize_stats::interval::{bootstrap_mean, bootstrap_mean_bias_corrected};
/// let skewed = [0.0, 0.0, 0.0, 0.1, 0.1, 0.2, 0.3, 1.0];
/// let plain = bootstrap_mean(&skewed, 2000, 0.95, 1)?;
/// let corrected = bootstrap_mean_bias_corrected(&skewed, 2000, 0.95, 1)?;
/// assert!(corrected.low > plain.low && corrected.high > plain.high);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn bootstrap_mean_bias_corrected(
    values: &[f64],
    resamples: usize,
    level: f64,
    seed: u64,
) -> Result<Interval, StatsError> {
    check::level(level)?;
    check::values(values, 2)?;
    let estimate = mean(values)?;
    let found = resampled_means(&sorted(values), resamples, seed)?;
    // Leaving one value out moves the mean against that value.
    let pulls: Vec<f64> = values.iter().map(|value| value - estimate).collect();
    Ok(corrected(&found, estimate, &pulls, level))
}

/// Where any figure of the items lies, by the same correction.
///
/// `statistic` is as in [`super::bootstrap()`]; it is also called once for each item left out,
/// and must have a value then.
///
/// ```
/// use assize_stats::interval::bootstrap_bias_corrected;
/// let marks = [2.0, 3.0, 5.0, 8.0, 13.0, 21.0];
/// let mean = |drawn: &[usize]| {
///     Some(drawn.iter().map(|index| marks[*index]).sum::<f64>() / drawn.len() as f64)
/// };
/// let found = bootstrap_bias_corrected(marks.len(), 500, 0.9, 1, mean)?;
/// assert!(found.interval.contains(found.estimate));
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn bootstrap_bias_corrected(
    items: usize,
    resamples: usize,
    level: f64,
    seed: u64,
    statistic: impl Fn(&[usize]) -> Option<f64>,
) -> Result<Bootstrap, StatsError> {
    check::level(level)?;
    check::count(items, 2)?;
    let estimate = whole_sample(items, &statistic)?;
    let found = resampled(items, resamples, seed, &statistic)?;
    let mut without = Vec::with_capacity(items);
    for left_out in 0..items {
        let rest: Vec<usize> = (0..items).filter(|item| *item != left_out).collect();
        without.push(statistic(&rest).ok_or(StatsError::NotFinite)?);
    }
    let centre = mean(&without)?;
    let pulls: Vec<f64> = without.iter().map(|value| centre - value).collect();
    let interval = corrected(&found, estimate, &pulls, level);
    Ok(Bootstrap { estimate, interval, undefined: resamples - found.len() })
}

/// The percentile interval at shares moved by bias and acceleration.
fn corrected(found: &[f64], estimate: f64, pulls: &[f64], level: f64) -> Interval {
    let below = found.iter().filter(|value| **value < estimate).count();
    let equal = found.iter().filter(|value| **value == estimate).count();
    let count = found.len() as f64;
    // All on one side would be an infinite bias; half a resample keeps it finite.
    let share = ((below as f64 + equal as f64 / 2.0) / count).clamp(0.5 / count, 1.0 - 0.5 / count);
    let bias = quantile(share);
    let acceleration = acceleration(pulls);
    let moved = |probability: f64| {
        let shifted = bias + quantile(probability);
        let scale = 1.0 - acceleration * shifted;
        if scale <= 0.0 {
            return if shifted < 0.0 { 0.0 } else { 1.0 };
        }
        normal(bias + shifted / scale).lower
    };
    let outside = (1.0 - level) / 2.0;
    Interval::between(found, moved(outside), moved(1.0 - outside))
}

/// A sixth of the skewness of the pulls; none where they do not vary.
fn acceleration(pulls: &[f64]) -> f64 {
    let squares = sum(pulls.iter().map(|pull| pull * pull));
    let cubes = sum(pulls.iter().map(|pull| pull * pull * pull));
    let acceleration = cubes / (6.0 * squares * squares.sqrt());
    if acceleration.is_finite() { acceleration } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `scipy.stats.bootstrap(method="BCa")` with a million resamples of these values
    /// gives 0.53 to 3.08.
    #[test]
    fn a_skewed_sample_agrees_with_scipy() {
        let values = [0.1, 0.2, 0.2, 0.3, 0.4, 0.5, 0.9, 1.4, 2.5, 6.0];
        let interval = bootstrap_mean_bias_corrected(&values, 50_000, 0.95, 3).unwrap();
        assert!((interval.low - 0.53).abs() < 0.02, "{interval:?}");
        assert!((interval.high - 3.08).abs() < 0.04, "{interval:?}");
    }

    #[test]
    fn values_that_do_not_vary_give_a_point() {
        let interval = bootstrap_mean_bias_corrected(&[0.3; 9], 100, 0.95, 1);
        assert_eq!(interval, Ok(Interval { low: 0.3, high: 0.3 }));
    }

    #[test]
    fn the_general_form_agrees_with_that_of_the_mean() {
        let values = [0.1, 0.4, 0.5, 2.0, 3.0];
        let statistic = |drawn: &[usize]| {
            Some(drawn.iter().map(|index| values[*index]).sum::<f64>() / drawn.len() as f64)
        };
        let general = bootstrap_bias_corrected(5, 400, 0.9, 8, statistic).unwrap().interval;
        let special = bootstrap_mean_bias_corrected(&values, 400, 0.9, 8).unwrap();
        assert!((general.low - special.low).abs() < 1e-12);
        assert!((general.high - special.high).abs() < 1e-12);
    }
}
