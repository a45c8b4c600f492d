//! The standard normal distribution.

use std::f64::consts::FRAC_1_SQRT_2;

use super::{Tails, bisect};

/// Both tails of the standard normal distribution.
///
/// ```
/// use assize_stats::distribution::normal::normal;
/// assert!((normal(1.959_963_984_540_054).upper - 0.025).abs() < 1e-15);
/// ```
pub fn normal(at: f64) -> Tails {
    Tails {
        lower: 0.5 * libm::erfc(-at * FRAC_1_SQRT_2),
        upper: 0.5 * libm::erfc(at * FRAC_1_SQRT_2),
    }
}

/// The probability of a value at least as far from zero, on either side.
///
/// ```
/// use assize_stats::distribution::normal::two_sided;
/// assert!((two_sided(-1.959_963_984_540_054) - 0.05).abs() < 1e-15);
/// ```
pub fn two_sided(at: f64) -> f64 {
    libm::erfc(at.abs() * FRAC_1_SQRT_2)
}

/// The point below which a normal value lies with the given probability.
///
/// Probabilities beyond what a double resolves give the ends -40 and 40.
///
/// ```
/// use assize_stats::distribution::normal::quantile;
/// assert!((quantile(0.975) - 1.959_963_984_540_054).abs() < 1e-14);
/// assert_eq!(quantile(0.5), 0.0);
/// ```
pub fn quantile(probability: f64) -> f64 {
    if probability > 0.5 {
        return -quantile(1.0 - probability);
    }
    if probability == 0.5 {
        return 0.0;
    }
    bisect(-40.0, 0.0, |at| normal(at).lower < probability)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `scipy.stats.norm.ppf`.
    #[test]
    fn quantiles_agree_with_scipy() {
        let cases = [
            (1e-12, -7.034_483_825_301_131),
            (0.001, -3.090_232_306_167_813),
            (0.3, -0.524_400_512_708_040_9),
            (0.9, 1.281_551_565_544_600_4),
        ];
        for (probability, point) in cases {
            assert!((quantile(probability) - point).abs() < 1e-13);
        }
    }

    #[test]
    fn certainty_gives_the_ends() {
        assert_eq!(quantile(1.0), 40.0);
        assert_eq!(quantile(0.0), -40.0);
    }
}
