//! Percentile intervals by resampling.

use super::Interval;
use crate::{check, error::StatsError, resample::Generator, summary::sorted};

/// What resampling says about a figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bootstrap {
    /// The figure itself, from the items as they are.
    pub estimate: f64,
    /// Where it lies.
    pub interval: Interval,
    /// Resamples in which the figure had no value; they are left out.
    pub undefined: usize,
}

/// Where the mean lies, by the percentile bootstrap.
///
/// Takes as many values with replacement, `resamples` times, and keeps the middle
/// `level` of the means. The order of the values does not matter.
///
/// Reference: Efron & Tibshirani (1993), An Introduction to the Bootstrap, chapter 13.
///
/// ```
/// use assize_stats::interval::bootstrap_mean;
/// let interval = bootstrap_mean(&[0.0, 0.0, 1.0, 1.0], 1000, 0.95, 42)?;
/// assert_eq!((interval.low, interval.high), (0.0, 1.0));
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn bootstrap_mean(
    values: &[f64],
    resamples: usize,
    level: f64,
    seed: u64,
) -> Result<Interval, StatsError> {
    check::level(level)?;
    check::values(values, 2)?;
    Ok(Interval::middle(&resampled_means(&sorted(values), resamples, seed)?, level))
}

/// Where any figure of the items lies, by the percentile bootstrap.
///
/// `statistic` gets the 0-based indices of the items drawn, with repetitions, and may
/// say that they give no value. At least half of the resamples must give one.
///
/// ```
/// use assize_stats::interval::bootstrap;
/// let marks = [3.0, 4.0, 4.0, 5.0, 9.0];
/// let highest = |drawn: &[usize]| drawn.iter().map(|index| marks[*index]).reduce(f64::max);
/// let found = bootstrap(marks.len(), 500, 0.9, 1, highest)?;
/// assert_eq!((found.estimate, found.interval.high), (9.0, 9.0));
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn bootstrap(
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
    let undefined = resamples - found.len();
    Ok(Bootstrap { estimate, interval: Interval::middle(&found, level), undefined })
}

/// The figure of all items, each once.
fn whole_sample(
    items: usize,
    statistic: &impl Fn(&[usize]) -> Option<f64>,
) -> Result<f64, StatsError> {
    let all: Vec<usize> = (0..items).collect();
    statistic(&all).filter(|value| value.is_finite()).ok_or(StatsError::NotFinite)
}

/// The figure of each resample that has one.
fn resampled(
    items: usize,
    resamples: usize,
    seed: u64,
    statistic: &impl Fn(&[usize]) -> Option<f64>,
) -> Result<Vec<f64>, StatsError> {
    let mut drawn = vec![0; items];
    let figures = (0..resamples).map(|resample| {
        let mut generator = Generator::stream(seed, resample as u64);
        drawn.fill_with(|| generator.below(items));
        statistic(&drawn)
    });
    defined(figures, resamples)
}

/// The figures that are numbers, if they are at least half of all.
pub(super) fn defined(
    figures: impl Iterator<Item = Option<f64>>,
    resamples: usize,
) -> Result<Vec<f64>, StatsError> {
    let found: Vec<f64> = figures.flatten().filter(|value| value.is_finite()).collect();
    check::count(found.len(), resamples.div_ceil(2).max(1))?;
    Ok(found)
}

/// The means of the resamples; the values must be sorted, so that their order is no input.
pub(crate) fn resampled_means(
    sorted: &[f64],
    resamples: usize,
    seed: u64,
) -> Result<Vec<f64>, StatsError> {
    let count = sorted.len();
    let means = (0..resamples).map(|resample| {
        let mut generator = Generator::stream(seed, resample as u64);
        let mut total = 0.0;
        for _ in 0..count {
            total += sorted[generator.below(count)];
        }
        Some((total / count as f64).clamp(sorted[0], sorted[count - 1]))
    });
    defined(means, resamples)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The bootstrap mean of 0..=99 has deviation 28.866 / 10; the normal interval around
    /// 49.5 is 43.84 to 55.16, and 20,000 resamples come within a tenth of it.
    #[test]
    fn many_resamples_come_near_the_normal_interval() {
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        let interval = bootstrap_mean(&values, 20_000, 0.95, 7).unwrap();
        assert!((interval.low - 43.84).abs() < 0.15, "{interval:?}");
        assert!((interval.high - 55.16).abs() < 0.15, "{interval:?}");
    }

    #[test]
    fn the_seed_decides_every_bit() {
        let values = [0.3, 0.9, 0.1, 0.7, 0.4];
        let once = bootstrap_mean(&values, 200, 0.9, 11);
        assert_eq!(once, bootstrap_mean(&values, 200, 0.9, 11));
        assert_ne!(once, bootstrap_mean(&values, 200, 0.9, 12));
    }

    #[test]
    fn too_little_to_resample_is_refused() {
        assert_eq!(
            bootstrap_mean(&[1.0], 100, 0.95, 1),
            Err(StatsError::TooFew { needed: 2, found: 1 })
        );
        assert!(bootstrap_mean(&[1.0, 2.0], 0, 0.95, 1).is_err());
        assert_eq!(bootstrap_mean(&[1.0, f64::INFINITY], 9, 0.95, 1), Err(StatsError::NotFinite));
    }

    /// A quarter of the resamples of two items lack the first one, half hold one item twice.
    #[test]
    fn resamples_without_a_value_are_counted_until_they_are_too_many() {
        let with_first = |drawn: &[usize]| drawn.contains(&0).then_some(1.0);
        let found = bootstrap(2, 1000, 0.95, 3, with_first).unwrap();
        assert!((200..300).contains(&found.undefined), "{found:?}");
        let in_order = |drawn: &[usize]| (drawn == [0, 1]).then_some(1.0);
        assert!(matches!(
            bootstrap(2, 1000, 0.95, 3, in_order),
            Err(StatsError::TooFew { needed: 500, found: 200..300 })
        ));
    }

    proptest! {
        #[test]
        fn intervals_stay_in_range_and_do_not_depend_on_order(
            values in prop::collection::vec(0.0..1.0_f64, 2..30),
            seed in any::<u64>(),
        ) {
            let interval = bootstrap_mean(&values, 50, 0.95, seed).unwrap();
            let mut reversed = values.clone();
            reversed.reverse();
            prop_assert!(0.0 <= interval.low && interval.low <= interval.high);
            prop_assert!(interval.high <= 1.0);
            prop_assert_eq!(interval, bootstrap_mean(&reversed, 50, 0.95, seed).unwrap());
        }
    }
}
