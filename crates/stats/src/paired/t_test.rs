//! The paired t test.

use super::{differences, no_variation};
use crate::{
    check,
    distribution::student,
    error::StatsError,
    interval::{Interval, t_interval},
    summary,
};

/// What the paired t test found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairedT {
    /// Mean difference, first minus second.
    pub difference: f64,
    /// Where the mean difference lies.
    pub interval: Interval,
    /// Mean difference in standard errors.
    pub t: f64,
    /// Degrees of freedom.
    pub degrees: usize,
    /// Two-sided p value.
    pub p: f64,
}

/// Tests whether the mean difference is zero, if differences are normal.
///
/// `t = mean / (s / √n)` with n - 1 degrees of freedom; `level` is that of the interval.
///
/// Reference: Student (1908), Biometrika 6(1).
///
/// ```
/// use assize_stats::paired::paired_t_test;
/// // Differences 1, 2, 3: mean 2, standard error 1 / √3.
/// let test = paired_t_test(&[2.0, 3.0, 4.0], &[1.0, 1.0, 1.0], 0.95)?;
/// assert!((test.t - 12.0_f64.sqrt()).abs() < 1e-12 && (test.p - 0.0742).abs() < 1e-4);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn paired_t_test(first: &[f64], second: &[f64], level: f64) -> Result<PairedT, StatsError> {
    let differences = differences(first, second)?;
    check::count(differences.len(), 2)?;
    let count = differences.len() as f64;
    let difference = summary::mean(&differences)?;
    let error = summary::deviation(&differences)? / count.sqrt();
    if error == 0.0 {
        return Err(no_variation(&differences));
    }
    let t = check::finite(difference / error)?;
    Ok(PairedT {
        difference,
        interval: t_interval(&differences, level)?,
        t,
        degrees: differences.len() - 1,
        p: student::two_sided(t, count - 1.0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `scipy.stats.ttest_rel`.
    #[test]
    fn five_items_agree_with_scipy() {
        let first = [1.0, 1.5, 0.0, 0.5, -2.5];
        let second = [2.0, 1.0, 1.0, 0.5, -1.5];
        let test = paired_t_test(&first, &second, 0.95).unwrap();
        assert_eq!((test.difference, test.degrees), (-0.5, 4));
        assert!((test.t + 1.581_138_830_084_189_5).abs() < 1e-12);
        assert!((test.p - 0.189_003_658_455_175_4).abs() < 1e-12);
        assert!((test.interval.low + 1.377_989_033_085_082_8).abs() < 1e-12);
        assert!((test.interval.high - 0.377_989_033_085_082_8).abs() < 1e-12);
    }

    #[test]
    fn differences_that_do_not_vary_have_no_test() {
        let same = [0.5, 0.7, 0.1];
        assert_eq!(paired_t_test(&same, &same, 0.95), Err(StatsError::NoDifference));
        assert_eq!(paired_t_test(&[1.0, 2.0], &[0.0, 1.0], 0.95), Err(StatsError::Constant));
        assert!(paired_t_test(&[1.0], &[2.0], 0.95).is_err());
        assert_eq!(
            paired_t_test(&[1.0, 2.0], &[2.0], 0.95),
            Err(StatsError::Unpaired { left: 2, right: 1 })
        );
    }
}
