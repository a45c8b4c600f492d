//! The incomplete beta function.

use super::Tails;

/// More terms than any count met here asks for; they grow with its root.
const TERMS_MAX: usize = 100_000;

/// Both tails of the beta distribution at `at`, with `rest` = 1 - `at`.
///
/// The rest is an argument of its own because the caller often knows it to more digits
/// than a subtraction would leave. A continued fraction (modified Lentz), taken on the
/// side where it converges fast.
///
/// Reference: DLMF 8.17.22.
///
/// ```
/// use assize_stats::distribution::beta::beta;
/// // Both shapes 1 are the uniform distribution.
/// assert!((beta(1.0, 1.0, 0.3, 0.7).lower - 0.3).abs() < 1e-15);
/// ```
pub fn beta(left: f64, right: f64, at: f64, rest: f64) -> Tails {
    if at.is_nan() || at <= 0.0 {
        return Tails::from_lower(0.0);
    }
    if rest <= 0.0 {
        return Tails::from_upper(0.0);
    }
    let scale = libm::lgamma(left + right) - libm::lgamma(left) - libm::lgamma(right);
    let front = libm::exp(left * libm::log(at) + right * libm::log(rest) + scale);
    if at < (left + 1.0) / (left + right + 2.0) {
        Tails::from_lower(front * fraction(left, right, at) / left)
    } else {
        Tails::from_upper(front * fraction(right, left, rest) / right)
    }
}

fn fraction(left: f64, right: f64, at: f64) -> f64 {
    let sum = left + right;
    let mut upper = 1.0;
    let mut lower = 1.0 / away_from_zero(1.0 - sum * at / (left + 1.0));
    let mut value = lower;
    for step in 1..TERMS_MAX {
        let step = step as f64;
        let twice = left + 2.0 * step;
        let even = step * (right - step) * at / ((twice - 1.0) * twice);
        let odd = -(left + step) * (sum + step) * at / (twice * (twice + 1.0));
        let mut change = 1.0;
        for term in [even, odd] {
            lower = 1.0 / away_from_zero(1.0 + term * lower);
            upper = away_from_zero(1.0 + term / upper);
            change = lower * upper;
            value *= change;
        }
        if (change - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    value
}

/// Keeps a divisor from being zero, as Lentz's method asks.
fn away_from_zero(value: f64) -> f64 {
    if value.abs() < 1e-300 { 1e-300 } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `scipy.special.betainc` and `betaincc`.
    #[test]
    fn both_tails_agree_with_scipy() {
        let cases = [
            (2.5, 0.5, 0.8, 0.314_372_637_647_017_2, 0.685_627_362_352_983),
            (0.5, 5000.0, 0.0001, 0.682_689_492_742_073_1, 0.317_310_507_257_926_8),
            (5000.0, 0.5, 0.999, 0.001_561_579_160_289_283_6, 0.998_438_420_839_710_7),
            (30.0, 4.0, 0.2, 3.073_177_949_306_885_2e-18, 1.0),
            (7.5, 3.25, 0.97, 0.998_739_106_731_614_1, 0.001_260_893_268_385_713_7),
        ];
        for (left, right, at, lower, upper) in cases {
            let tails = beta(left, right, at, 1.0 - at);
            assert!((tails.lower / lower - 1.0_f64).abs() < 1e-11, "{tails:?}");
            assert!((tails.upper / upper - 1.0_f64).abs() < 1e-11, "{tails:?}");
        }
    }

    #[test]
    fn ends_are_certain() {
        assert_eq!(beta(2.0, 3.0, 0.0, 1.0).lower, 0.0);
        assert_eq!(beta(2.0, 3.0, 1.0, 0.0).upper, 0.0);
    }
}
