//! Pearson's correlation: how near two lists are to a straight line.

use crate::{
    check, distribution::normal::quantile, error::StatsError, interval::Interval, sum::sum, summary,
};

/// Pearson's product-moment correlation.
///
/// Reference: Pearson (1895), Proceedings of the Royal Society 58.
///
/// ```
/// use assize_stats::correlation::pearson;
/// assert!((pearson(&[1.0, 2.0, 3.0], &[1.0, 3.0, 2.0])? - 0.5).abs() < 1e-15);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn pearson(first: &[f64], second: &[f64]) -> Result<f64, StatsError> {
    check::pair(first, second, 2)?;
    let (first, second) = (centred(first)?, centred(second)?);
    let product = |left: &[f64], right: &[f64]| sum(left.iter().zip(right).map(|(x, y)| x * y));
    // One root of both squares: a list with itself is then 1 to the last digit.
    let scale = (product(&first, &first) * product(&second, &second)).sqrt();
    Ok(check::finite(product(&first, &second) / scale)?.clamp(-1.0, 1.0))
}

/// Where Pearson's correlation of `count` items lies, by Fisher's transformation.
///
/// Reference: Fisher (1921), Metron 1.
///
/// ```
/// use assize_stats::correlation::pearson_interval;
/// let interval = pearson_interval(0.5, 28, 0.95)?;
/// assert!((interval.low - 0.1560).abs() < 1e-4 && (interval.high - 0.7358).abs() < 1e-4);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn pearson_interval(value: f64, count: usize, level: f64) -> Result<Interval, StatsError> {
    check::level(level)?;
    check::count(count, 4)?;
    if !(-1.0..=1.0).contains(&value) {
        return Err(StatsError::Invalid("a correlation must lie in -1 to 1"));
    }
    let centre = libm::atanh(value);
    let reach = quantile(0.5 + level / 2.0) / (count as f64 - 3.0).sqrt();
    Ok(Interval { low: libm::tanh(centre - reach), high: libm::tanh(centre + reach) })
}

/// The values around their mean, brought near 1 by a power of two so that squares stay
/// in range and no digit changes.
fn centred(values: &[f64]) -> Result<Vec<f64>, StatsError> {
    if values.iter().all(|value| *value == values[0]) {
        return Err(StatsError::Constant);
    }
    let mean = summary::mean(values)?;
    let around: Vec<f64> = values.iter().map(|value| value - mean).collect();
    let largest = around.iter().map(|value| value.abs()).fold(0.0, f64::max);
    let (_, exponent) = libm::frexp(check::finite(largest)?);
    Ok(around.iter().map(|value| libm::ldexp(*value, -exponent)).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `scipy.stats.pearsonr` and its confidence interval.
    #[test]
    fn five_items_agree_with_scipy() {
        let value = pearson(&[0.0, 2.0, 1.0, 0.0, -1.0], &[1.0, 1.0, -1.0, -2.0, 3.0]).unwrap();
        assert!((value + 0.314_944_889_466_093_17).abs() < 1e-12);
        let interval = pearson_interval(value, 5, 0.95).unwrap();
        assert!((interval.low + 0.936_883_811_914_714_8).abs() < 1e-12);
        assert!((interval.high - 0.785_617_333_947_097).abs() < 1e-12);
    }

    #[test]
    fn what_does_not_vary_has_no_correlation() {
        assert_eq!(pearson(&[0.1; 5], &[1.0, 2.0, 3.0, 4.0, 5.0]), Err(StatsError::Constant));
        assert_eq!(pearson(&[1.0], &[1.0]), Err(StatsError::TooFew { needed: 2, found: 1 }));
        assert_eq!(pearson(&[1.0, f64::NAN], &[1.0, 2.0]), Err(StatsError::NotFinite));
        assert!(pearson_interval(f64::NAN, 9, 0.95).is_err());
    }

    #[test]
    fn a_straight_line_is_one_and_its_interval_a_point() {
        assert_eq!(pearson(&[1.0, 2.0], &[1e-200, 2e-200]), Ok(1.0));
        assert_eq!(pearson_interval(1.0, 9, 0.95), Ok(Interval { low: 1.0, high: 1.0 }));
    }

    proptest! {
        #[test]
        fn correlation_is_symmetric_in_range_and_order_does_not_matter(
            pairs in prop::collection::vec((0.0..10.0_f64, 0.0..10.0_f64), 3..30),
        ) {
            let (first, second): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
            let (turned, other): (Vec<f64>, Vec<f64>) = pairs.iter().rev().copied().unzip();
            let found = pearson(&first, &second).unwrap();
            prop_assert!((-1.0..=1.0).contains(&found));
            prop_assert_eq!(Ok(found), pearson(&second, &first));
            prop_assert_eq!(Ok(found), pearson(&turned, &other));
        }
    }
}
