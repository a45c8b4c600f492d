//! How far stated values lie from the truth.

use crate::{check, error::StatsError, sum::sum};

/// The mean distance between two lists, whatever its direction.
///
/// ```
/// use assize_stats::agreement::mean_absolute_error;
/// assert_eq!(mean_absolute_error(&[80.0, 50.0], &[70.0, 70.0])?, 15.0);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn mean_absolute_error(stated: &[f64], truth: &[f64]) -> Result<f64, StatsError> {
    mean_of(stated, truth, f64::abs)
}

/// The mean signed distance: above zero where the stated values are too high.
///
/// ```
/// use assize_stats::agreement::bias;
/// assert_eq!(bias(&[80.0, 50.0], &[70.0, 70.0])?, -5.0);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn bias(stated: &[f64], truth: &[f64]) -> Result<f64, StatsError> {
    mean_of(stated, truth, |distance| distance)
}

/// The share of items where both lists say the same; for tiers, labels and the like.
///
/// ```
/// use assize_stats::agreement::exact_match;
/// assert_eq!(exact_match(&["high", "low"], &["high", "none"])?, 0.5);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn exact_match<T: PartialEq>(stated: &[T], truth: &[T]) -> Result<f64, StatsError> {
    check::lengths(stated.len(), truth.len())?;
    check::count(stated.len(), 1)?;
    let same = stated.iter().zip(truth).filter(|(left, right)| left == right).count();
    Ok(same as f64 / stated.len() as f64)
}

fn mean_of(stated: &[f64], truth: &[f64], of: impl Fn(f64) -> f64) -> Result<f64, StatsError> {
    check::pair(stated, truth, 1)?;
    let total = sum(stated.iter().zip(truth).map(|(left, right)| of(left - right)));
    check::finite(total / stated.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_to_compare_is_refused() {
        assert_eq!(mean_absolute_error(&[], &[]), Err(StatsError::TooFew { needed: 1, found: 0 }));
        assert!(exact_match::<u8>(&[], &[]).is_err());
        assert_eq!(bias(&[1.0], &[]), Err(StatsError::Unpaired { left: 1, right: 0 }));
        assert_eq!(bias(&[1.0], &[f64::NAN]), Err(StatsError::NotFinite));
    }
}
