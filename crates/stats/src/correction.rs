//! p values corrected for asking more than once.

use crate::{check, error::StatsError};

/// How p values are corrected for the number of tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Correction {
    /// Times the number of tests. Dunn (1961), JASA 56(293).
    Bonferroni,
    /// Step by step from the smallest. Holm (1979), Scandinavian Journal of Statistics 6(2).
    Holm,
    /// Step by step, assuming independent tests. Šidák (1967), JASA 62(318).
    HolmSidak,
    /// Controls the share of false discoveries. Benjamini & Hochberg (1995), JRSS B 57(1).
    BenjaminiHochberg,
    /// The same under any dependence. Benjamini & Yekutieli (2001), Annals of Statistics 29(4).
    BenjaminiYekutieli,
}

/// Corrected p values, in the order given; reject where they are at most alpha.
///
/// ```
/// use assize_stats::correction::{Correction, adjust};
/// let p = [0.01, 0.04, 0.03];
/// // Smallest first: 0.01 · 3, 0.03 · 2, 0.04 · 1, none below the one before.
/// assert_eq!(adjust(Correction::Holm, &p)?, [0.03, 0.06, 0.06]);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn adjust(correction: Correction, p: &[f64]) -> Result<Vec<f64>, StatsError> {
    check::values(p, 0)?;
    if p.iter().any(|value| !(0.0..=1.0).contains(value)) {
        return Err(StatsError::Invalid("a p value must lie in 0 to 1"));
    }
    let count = p.len() as f64;
    Ok(match correction {
        Correction::Bonferroni => p.iter().map(|value| (value * count).min(1.0)).collect(),
        Correction::Holm => step_down(p, |value, left| value * left),
        Correction::HolmSidak => {
            step_down(p, |value, left| -libm::expm1(left * libm::log1p(-value)))
        }
        Correction::BenjaminiHochberg => step_up(p, 1.0),
        Correction::BenjaminiYekutieli => {
            step_up(p, (1..=p.len()).map(|rank| 1.0 / rank as f64).sum())
        }
    })
}

/// From the smallest p value upwards; each is at least as large as the one before.
fn step_down(p: &[f64], widen: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    let mut adjusted = vec![0.0; p.len()];
    let mut highest: f64 = 0.0;
    for (done, index) in rising(p).into_iter().enumerate() {
        highest = highest.max(widen(p[index], (p.len() - done) as f64)).min(1.0);
        adjusted[index] = highest;
    }
    adjusted
}

/// From the largest p value downwards; each is at most as large as the one before.
fn step_up(p: &[f64], scale: f64) -> Vec<f64> {
    let mut adjusted = vec![0.0; p.len()];
    let mut lowest: f64 = 1.0;
    for (done, index) in rising(p).into_iter().enumerate().rev() {
        lowest = lowest.min(p[index] * scale * p.len() as f64 / (done as f64 + 1.0));
        adjusted[index] = lowest;
    }
    adjusted
}

/// The indices of the values from low to high.
fn rising(p: &[f64]) -> Vec<usize> {
    let mut indices: Vec<usize> = (0..p.len()).collect();
    indices.sort_by(|left, right| p[*left].total_cmp(&p[*right]));
    indices
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ALL: [Correction; 5] = [
        Correction::Bonferroni,
        Correction::Holm,
        Correction::HolmSidak,
        Correction::BenjaminiHochberg,
        Correction::BenjaminiYekutieli,
    ];

    /// `statsmodels.stats.multitest.multipletests`.
    #[test]
    fn three_tests_agree_with_statsmodels() {
        let p = [0.021_142_470_085_564_385, 0.305_245_722_092_290_6, 0.112_043_809_565_694_76];
        let expected = [
            [0.063_427_410_256_693_16, 0.915_737_166_276_871_9, 0.336_131_428_697_084_3],
            [0.063_427_410_256_693_16, 0.305_245_722_092_290_6, 0.224_087_619_131_389_53],
            [0.062_095_848_902_307_92, 0.305_245_722_092_290_6, 0.211_533_803_869_395_85],
            [0.063_427_410_256_693_16, 0.305_245_722_092_290_6, 0.168_065_714_348_542_14],
            [0.116_283_585_470_604_12, 0.559_617_157_169_199_4, 0.308_120_476_305_660_6],
        ];
        for (correction, expected) in ALL.into_iter().zip(expected) {
            for (found, expected) in adjust(correction, &p).unwrap().iter().zip(expected) {
                assert!((found - expected).abs() < 1e-14, "{correction:?} {found} {expected}");
            }
        }
    }

    #[test]
    fn one_test_needs_no_correction() {
        for correction in ALL {
            let adjusted = adjust(correction, &[0.04]).unwrap();
            assert!((adjusted[0] - 0.04).abs() < 1e-15);
            assert!(adjust(correction, &[]).unwrap().is_empty());
        }
    }

    #[test]
    fn what_is_no_probability_is_refused() {
        assert!(adjust(Correction::Holm, &[1.5]).is_err());
        assert_eq!(adjust(Correction::Holm, &[f64::NAN]), Err(StatsError::NotFinite));
    }

    proptest! {
        #[test]
        fn correcting_never_lowers_and_keeps_the_order(
            p in prop::collection::vec(0.0..=1.0_f64, 1..20),
        ) {
            for correction in ALL {
                let adjusted = adjust(correction, &p).unwrap();
                for (before, after) in p.iter().zip(&adjusted) {
                    prop_assert!(*after >= *before - 1e-15 && *after <= 1.0);
                }
                for pair in rising(&p).windows(2) {
                    prop_assert!(adjusted[pair[0]] <= adjusted[pair[1]]);
                }
            }
        }
    }
}
