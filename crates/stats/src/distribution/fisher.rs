//! Fisher's F distribution.

use super::{beta::beta, bisect_positive};

/// The probability of an F at least as large.
///
/// ```
/// use assize_stats::distribution::fisher::upper;
/// // Two degrees on either side: 1 / (1 + F).
/// assert!((upper(3.0, 2.0, 2.0) - 0.25).abs() < 1e-15);
/// ```
pub fn upper(at: f64, numerator_degrees: f64, denominator_degrees: f64) -> f64 {
    if at <= 0.0 {
        return 1.0;
    }
    if at.is_infinite() {
        return 0.0;
    }
    let part = numerator_degrees * at;
    let total = denominator_degrees + part;
    let (left, right) = (denominator_degrees / 2.0, numerator_degrees / 2.0);
    beta(left, right, denominator_degrees / total, part / total).lower
}

/// The F that is exceeded with the given probability.
///
/// ```
/// use assize_stats::distribution::fisher::upper_quantile;
/// assert!((upper_quantile(0.25, 2.0, 2.0) - 3.0).abs() < 1e-13);
/// ```
pub fn upper_quantile(probability: f64, numerator: f64, denominator: f64) -> f64 {
    bisect_positive(|at| upper(at, numerator, denominator) > probability)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `scipy.stats.f.isf`.
    #[test]
    fn quantiles_agree_with_scipy() {
        let cases = [
            (0.025, 5.0, 18.0, 3.381_967_805_875_243),
            (0.025, 7.33, 4.5, 7.725_718_728_492_189),
            (0.975, 3.0, 30.0, 0.071_020_087_356_894_77),
        ];
        for (probability, numerator, denominator, expected) in cases {
            let point = upper_quantile(probability, numerator, denominator);
            assert!((point / expected - 1.0_f64).abs() < 1e-12, "{point}");
        }
    }
}
