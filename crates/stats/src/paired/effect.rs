//! How large a difference is, in deviations.

use super::{differences, no_variation};
use crate::{check, error::StatsError, summary};

/// The mean difference in units of the standard deviation of the differences.
///
/// Around 0.2 is small, 0.5 middling, 0.8 large. Unlike a p value it does not grow with
/// the number of items.
///
/// Reference: Cohen (1988), Statistical Power Analysis, 2nd edition, section 2.3.5.
///
/// ```
/// use assize_stats::paired::cohen_dz;
/// // Differences 1, 2, 3: mean 2, deviation 1.
/// assert_eq!(cohen_dz(&[2.0, 3.0, 4.0], &[1.0, 1.0, 1.0])?, 2.0);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn cohen_dz(first: &[f64], second: &[f64]) -> Result<f64, StatsError> {
    let differences = differences(first, second)?;
    let deviation = summary::deviation(&differences)?;
    if deviation == 0.0 {
        return Err(no_variation(&differences));
    }
    check::finite(summary::mean(&differences)? / deviation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_items_agree_with_the_reference() {
        let effect = cohen_dz(&[1.0, 1.5, 0.0, 0.5, -2.5], &[2.0, 1.0, 1.0, 0.5, -1.5]).unwrap();
        assert!((effect + 0.707_106_781_186_547_5).abs() < 1e-12);
    }

    #[test]
    fn swapping_the_runs_turns_the_sign() {
        let (first, second) = ([0.2, 0.9, 0.4], [0.1, 0.3, 0.5]);
        assert_eq!(cohen_dz(&first, &second), cohen_dz(&second, &first).map(|effect| -effect));
    }

    #[test]
    fn equal_runs_have_no_effect_size() {
        assert_eq!(cohen_dz(&[1.0, 2.0], &[1.0, 2.0]), Err(StatsError::NoDifference));
    }
}
