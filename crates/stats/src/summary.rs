//! Number, mean, median, deviation and quantiles of a list of scores.

use crate::{check, error::StatsError, sum::sum};

/// A list of scores in a few figures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// How many values there are.
    pub count: usize,
    /// Their arithmetic mean.
    pub mean: f64,
    /// Sample standard deviation (divided by n - 1); one value has none.
    pub deviation: Option<f64>,
    /// The lowest value.
    pub min: f64,
    /// A quarter of the values lie below.
    pub lower_quartile: f64,
    /// Half of the values lie below.
    pub median: f64,
    /// A quarter of the values lie above.
    pub upper_quartile: f64,
    /// The highest value.
    pub max: f64,
}

/// Describes a list of scores.
///
/// ```
/// use assize_stats::summary::summarize;
/// let summary = summarize(&[4.0, 1.0, 2.0, 3.0])?;
/// assert_eq!((summary.count, summary.mean, summary.median), (4, 2.5, 2.5));
/// assert_eq!((summary.lower_quartile, summary.max), (1.75, 4.0));
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn summarize(values: &[f64]) -> Result<Summary, StatsError> {
    check::values(values, 1)?;
    let sorted = sorted(values);
    Ok(Summary {
        count: values.len(),
        mean: mean(values)?,
        deviation: if values.len() < 2 { None } else { Some(deviation(values)?) },
        min: sorted[0],
        lower_quartile: quantile_of_sorted(&sorted, 0.25),
        median: quantile_of_sorted(&sorted, 0.5),
        upper_quartile: quantile_of_sorted(&sorted, 0.75),
        max: sorted[sorted.len() - 1],
    })
}

/// The arithmetic mean.
///
/// ```
/// assert_eq!(assize_stats::summary::mean(&[1.0, 2.0, 6.0])?, 3.0);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn mean(values: &[f64]) -> Result<f64, StatsError> {
    check::values(values, 1)?;
    let mean = check::finite(sum(values.iter().copied()) / values.len() as f64)?;
    // Dividing may round past the ends; the mean of equal values is that value.
    let min = values.iter().copied().fold(f64::INFINITY, f64::min);
    let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Ok(mean.clamp(min, max))
}

/// The sample variance: squared distances from the mean, divided by n - 1.
///
/// ```
/// assert_eq!(assize_stats::summary::variance(&[1.0, 2.0, 6.0])?, 7.0);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn variance(values: &[f64]) -> Result<f64, StatsError> {
    check::values(values, 2)?;
    Ok(squared_deviations(values)? / (values.len() as f64 - 1.0))
}

/// The sample standard deviation, the root of the [`variance`].
///
/// ```
/// assert_eq!(assize_stats::summary::deviation(&[1.0, 1.0, 4.0])?, 3.0_f64.sqrt());
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn deviation(values: &[f64]) -> Result<f64, StatsError> {
    Ok(variance(values)?.sqrt())
}

/// The standard deviation of a whole population, divided by n.
///
/// ```
/// assert_eq!(assize_stats::summary::population_deviation(&[1.0, 3.0])?, 1.0);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn population_deviation(values: &[f64]) -> Result<f64, StatsError> {
    Ok((squared_deviations(values)? / values.len() as f64).sqrt())
}

/// The middle value, or the mean of the two in the middle.
///
/// ```
/// assert_eq!(assize_stats::summary::median(&[9.0, 1.0, 2.0, 4.0])?, 3.0);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn median(values: &[f64]) -> Result<f64, StatsError> {
    quantile(values, 0.5)
}

/// The value below which a share of the values lies, interpolated between neighbours.
///
/// Reference: Hyndman & Fan (1996), The American Statistician 50(4), type 7.
///
/// ```
/// assert_eq!(assize_stats::summary::quantile(&[1.0, 2.0, 3.0, 4.0, 5.0], 0.9)?, 4.6);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn quantile(values: &[f64], share: f64) -> Result<f64, StatsError> {
    check::values(values, 1)?;
    if !(0.0..=1.0).contains(&share) {
        return Err(StatsError::Invalid("the share must lie in 0 to 1"));
    }
    Ok(quantile_of_sorted(&sorted(values), share))
}

/// The mean without the lowest and the highest `share` of the values at each end.
///
/// The number cut at each end is rounded down, so few values may all be kept.
///
/// ```
/// use assize_stats::summary::trimmed_mean;
/// assert_eq!(trimmed_mean(&[0.0, 5.0, 6.0, 7.0, 90.0], 0.2)?, 6.0);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn trimmed_mean(values: &[f64], share: f64) -> Result<f64, StatsError> {
    check::values(values, 1)?;
    if !(0.0..0.5).contains(&share) {
        return Err(StatsError::Invalid("the share cut at each end must lie in 0 to 0.5"));
    }
    let sorted = sorted(values);
    let cut = whole(share * values.len() as f64);
    mean(&sorted[cut..values.len() - cut])
}

/// The values from low to high.
pub(crate) fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

/// A quantile of values that rise; there must be at least one.
pub(crate) fn quantile_of_sorted(sorted: &[f64], share: f64) -> f64 {
    let position = share * (sorted.len() as f64 - 1.0);
    let index = whole(position).min(sorted.len() - 1);
    let (low, high) = (sorted[index], sorted[(index + 1).min(sorted.len() - 1)]);
    between(low, high, position - index as f64)
}

/// The point a share of the way from `low` to `high`, which may be at the ends of the range.
pub(crate) fn between(low: f64, high: f64, share: f64) -> f64 {
    let distance = high - low;
    let point = if distance.is_finite() {
        low + share * distance
    } else {
        low * (1.0 - share) + high * share
    };
    point.clamp(low, high)
}

/// Sum of squared distances from the mean.
fn squared_deviations(values: &[f64]) -> Result<f64, StatsError> {
    let centre = mean(values)?;
    check::finite(sum(values.iter().map(|value| (value - centre) * (value - centre))))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "positions in a list: not negative, and far below 2^53"
)]
fn whole(position: f64) -> usize {
    position as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn one_value_has_a_mean_but_no_deviation() {
        let summary = summarize(&[3.0]).unwrap();
        assert_eq!((summary.mean, summary.median, summary.deviation), (3.0, 3.0, None));
        assert_eq!(deviation(&[3.0]), Err(StatsError::TooFew { needed: 2, found: 1 }));
    }

    #[test]
    fn nothing_and_what_is_not_a_number_are_refused() {
        assert_eq!(mean(&[]), Err(StatsError::TooFew { needed: 1, found: 0 }));
        assert_eq!(median(&[1.0, f64::NAN]), Err(StatsError::NotFinite));
        assert_eq!(mean(&[f64::MAX, f64::MAX]), Err(StatsError::NotFinite));
        assert!(quantile(&[1.0], 1.5).is_err());
    }

    #[test]
    fn ends_are_quantiles_zero_and_one() {
        assert_eq!(quantile(&[3.0, 1.0, 2.0], 0.0), Ok(1.0));
        assert_eq!(quantile(&[3.0, 1.0, 2.0], 1.0), Ok(3.0));
    }

    proptest! {
        #[test]
        fn the_order_of_the_items_does_not_change_a_bit(
            values in prop::collection::vec(-1e6..1e6_f64, 1..60),
        ) {
            let mut reversed = values.clone();
            reversed.reverse();
            prop_assert_eq!(summarize(&values), summarize(&reversed));
        }

        #[test]
        fn figures_lie_between_the_ends(values in prop::collection::vec(-1e6..1e6_f64, 2..60)) {
            let summary = summarize(&values).unwrap();
            let range = summary.min..=summary.max;
            prop_assert!(range.contains(&summary.mean));
            prop_assert!(summary.min <= summary.lower_quartile);
            prop_assert!(summary.lower_quartile <= summary.median);
            prop_assert!(summary.median <= summary.upper_quartile);
            prop_assert!(summary.upper_quartile <= summary.max);
            prop_assert!(summary.deviation.unwrap() >= 0.0);
        }
    }
}
