//! Wilson's score interval of a share.

use super::Interval;
use crate::check;
use crate::distribution::normal::quantile;
use crate::error::StatsError;

/// The interval of a share that was seen in so many trials. A mean of shares within items may be
/// given: it varies at most as much as a share of as many single trials.
///
/// ```
/// use assize_stats::interval::wilson;
///
/// // `scipy.stats.binomtest(3, 20).proportion_ci(method="wilson")`
/// let found = wilson(3.0 / 20.0, 20, 0.95)?;
/// assert!((found.low - 0.05237).abs() < 1e-5 && (found.high - 0.36042).abs() < 1e-5);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn wilson(share: f64, trials: usize, level: f64) -> Result<Interval, StatsError> {
    check::level(level)?;
    check::values(&[share], 1)?;
    let (count, reached) = (trials.max(1) as f64, quantile(f64::midpoint(1.0, level)));
    let squared = reached * reached;
    let middle = share + squared / (2.0 * count);
    let reach = (share * (1.0 - share) / count + squared / (4.0 * count * count)).sqrt();
    let (reach, scale) = (reached * reach, 1.0 + squared / count);
    Ok(Interval {
        // What was never seen, or always, ends there exactly; rounding would say nearly.
        low: if share <= 0.0 { 0.0 } else { ((middle - reach) / scale).max(0.0) },
        high: if share >= 1.0 { 1.0 } else { ((middle + reach) / scale).min(1.0) },
    })
}
