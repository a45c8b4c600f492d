//! The chi-squared distribution.

use super::gamma::gamma;

/// The probability of a sum of squares at least as large.
///
/// Reference: Pearson (1900), Philosophical Magazine 50.
///
/// ```
/// use assize_stats::distribution::chi_squared::upper;
/// // Two degrees of freedom: exp(-x / 2).
/// assert!((upper(3.0, 2.0) - (-1.5_f64).exp()).abs() < 1e-15);
/// ```
pub fn upper(at: f64, degrees: f64) -> f64 {
    gamma(degrees / 2.0, at / 2.0).upper
}
