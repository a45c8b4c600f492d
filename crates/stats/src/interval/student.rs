//! The t interval of a mean.

use super::Interval;
use crate::{check, distribution::student::two_sided_quantile, error::StatsError, summary};

/// Where the mean lies if the values came from a normal distribution.
///
/// `mean ± t · s / √n` with n - 1 degrees of freedom.
///
/// Reference: Student (1908), Biometrika 6(1).
///
/// ```
/// use assize_stats::interval::t_interval;
/// // Mean 2, deviation 1, t = 4.3027 for two degrees: 2 ± 2.4841.
/// let interval = t_interval(&[1.0, 2.0, 3.0], 0.95)?;
/// assert!((interval.low + 0.4841).abs() < 1e-4 && (interval.high - 4.4841).abs() < 1e-4);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn t_interval(values: &[f64], level: f64) -> Result<Interval, StatsError> {
    check::level(level)?;
    check::values(values, 2)?;
    let count = values.len() as f64;
    let mean = summary::mean(values)?;
    let error = summary::deviation(values)? / count.sqrt();
    let reach = two_sided_quantile(1.0 - level, count - 1.0) * error;
    Ok(Interval { low: check::finite(mean - reach)?, high: check::finite(mean + reach)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_do_not_vary_give_a_point() {
        assert_eq!(t_interval(&[0.1; 7], 0.95), Ok(Interval { low: 0.1, high: 0.1 }));
    }

    #[test]
    fn one_value_and_a_level_of_one_are_refused() {
        assert_eq!(t_interval(&[1.0], 0.95), Err(StatsError::TooFew { needed: 2, found: 1 }));
        assert!(t_interval(&[1.0, 2.0], 1.0).is_err());
        assert!(t_interval(&[1.0, 2.0], f64::NAN).is_err());
    }
}
