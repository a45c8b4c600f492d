//! Student's t distribution.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::{beta::beta, bisect_positive};

/// The probability of a t at least as far from zero, on either side.
///
/// Reference: Student (1908), Biometrika 6(1).
///
/// ```
/// use assize_stats::distribution::student::two_sided;
/// // One degree of freedom is the Cauchy distribution: half of it lies beyond 1.
/// assert!((two_sided(1.0, 1.0) - 0.5).abs() < 1e-15);
/// ```
pub fn two_sided(t: f64, degrees: f64) -> f64 {
    if t.is_infinite() {
        return 0.0;
    }
    let squared = t * t;
    let total = degrees + squared;
    beta(degrees / 2.0, 0.5, degrees / total, squared / total).lower
}

/// The t that is exceeded on either side with the given probability together.
///
/// ```
/// use assize_stats::distribution::student::two_sided_quantile;
/// assert!((two_sided_quantile(0.05, 10.0) - 2.228_138_851_986_274).abs() < 1e-12);
/// ```
///
/// A table of intervals asks for the same few again and again, and each takes a tenth of a
/// millisecond: they are kept for the thread.
pub fn two_sided_quantile(probability: f64, degrees: f64) -> f64 {
    let key = (probability.to_bits(), degrees.to_bits());
    if let Some(known) = KNOWN.with_borrow(|known| known.get(&key).copied()) {
        return known;
    }
    let found = bisect_positive(|t| two_sided(t, degrees) > probability);
    KNOWN.with_borrow_mut(|known| {
        if known.len() >= KNOWN_MAX {
            known.clear();
        }
        known.insert(key, found);
    });
    found
}

/// Some kilobytes.
const KNOWN_MAX: usize = 256;

thread_local! {
    static KNOWN: RefCell<BTreeMap<(u64, u64), f64>> = const { RefCell::new(BTreeMap::new()) };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `scipy.stats.t.isf` of half the probability.
    #[test]
    fn quantiles_agree_with_scipy() {
        let cases = [
            (0.05, 3.0, 3.182_446_305_283_708_6),
            (0.01, 9999.0, 2.576_321_095_856_598),
            (0.1, 1.0, 6.313_751_514_675_044),
            (1e-6, 20.0, 6.927_031_381_423_296),
        ];
        for (probability, degrees, t) in cases {
            assert!((two_sided_quantile(probability, degrees) - t).abs() < 1e-11);
        }
    }

    #[test]
    fn an_infinite_t_is_certain() {
        assert_eq!(two_sided(f64::INFINITY, 3.0), 0.0);
        assert_eq!(two_sided(0.0, 3.0), 1.0);
    }
}
