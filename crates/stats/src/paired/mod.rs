//! Whether one run is better than another on the same items.
//!
//! Every test takes the scores of both runs, item by item, and looks at the differences
//! first minus second. All are two-sided.

pub mod bootstrap;
pub mod effect;
pub mod randomisation;
pub mod t_test;
pub mod wilcoxon;

pub use bootstrap::{PairedBootstrap, paired_bootstrap};
pub use effect::cohen_dz;
pub use randomisation::{Randomisation, randomisation_test};
pub use t_test::{PairedT, paired_t_test};
pub use wilcoxon::{Wilcoxon, wilcoxon};

use crate::{check, error::StatsError};

/// First minus second, item by item.
///
/// ```
/// assert_eq!(assize_stats::paired::differences(&[3.0, 1.0], &[1.0, 1.0])?, [2.0, 0.0]);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn differences(first: &[f64], second: &[f64]) -> Result<Vec<f64>, StatsError> {
    check::pair(first, second, 1)?;
    let differences: Vec<f64> =
        first.iter().zip(second).map(|(left, right)| left - right).collect();
    check::values(&differences, 1)?;
    Ok(differences)
}

/// Why differences without variation have no test: there are none, or all are alike.
fn no_variation(differences: &[f64]) -> StatsError {
    if differences.iter().all(|difference| *difference == 0.0) {
        StatsError::NoDifference
    } else {
        StatsError::Constant
    }
}
