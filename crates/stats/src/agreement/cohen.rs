//! Cohen's kappa: agreement of two judges beyond chance.

use std::collections::BTreeMap;

use crate::{check, error::StatsError, sum::sum};

/// How much a disagreement weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weights {
    /// Every disagreement alike.
    None,
    /// By the number of categories between.
    Linear,
    /// By its square.
    Quadratic,
}

impl Weights {
    fn of(self, left: usize, right: usize) -> f64 {
        let distance = left.abs_diff(right) as f64;
        match self {
            Self::None => f64::from(u8::from(left != right)),
            Self::Linear => distance,
            Self::Quadratic => distance * distance,
        }
    }
}

/// Agreement on categories beyond chance: 1 is perfect, 0 is chance.
///
/// Categories are numbered from 0 in their order; the order only matters with weights.
///
/// References: Cohen (1960), Educational and Psychological Measurement 20(1); weighted:
/// Cohen (1968), Psychological Bulletin 70(4).
///
/// ```
/// use assize_stats::agreement::{Weights, cohen_kappa};
/// // Three of four agree; chance alone would give one half.
/// let kappa = cohen_kappa(&[0, 0, 1, 1], &[0, 0, 1, 0], Weights::None)?;
/// assert_eq!(kappa, 0.5);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn cohen_kappa(first: &[usize], second: &[usize], weights: Weights) -> Result<f64, StatsError> {
    check::lengths(first.len(), second.len())?;
    check::count(first.len(), 1)?;
    let count = first.len() as f64;
    let observed = sum(first.iter().zip(second).map(|(left, right)| weights.of(*left, *right)));
    let (of_first, of_second) = (tally(first), tally(second));
    let pairs = of_first.iter().flat_map(|left| of_second.iter().map(move |right| (left, right)));
    let expected = sum(pairs
        .map(|((left, many), (right, others))| weights.of(*left, *right) * many * others / count));
    if expected == 0.0 {
        return Err(StatsError::Constant);
    }
    Ok(1.0 - observed / expected)
}

fn tally(categories: &[usize]) -> BTreeMap<usize, f64> {
    let mut tally = BTreeMap::new();
    for category in categories {
        *tally.entry(*category).or_insert(0.0) += 1.0;
    }
    tally
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `sklearn.metrics.cohen_kappa_score`.
    #[test]
    fn weights_agree_with_scikit_learn() {
        let (first, second) = ([0, 1, 2, 3, 4, 2, 1], [0, 2, 2, 4, 1, 2, 1]);
        for (weights, expected) in [
            (Weights::None, 0.432_432_432_432_432_35),
            (Weights::Linear, 0.461_538_461_538_461_45),
            (Weights::Quadratic, 0.461_538_461_538_461_45),
        ] {
            let kappa = cohen_kappa(&first, &second, weights).unwrap();
            assert!((kappa - expected).abs() < 1e-12, "{weights:?} {kappa}");
        }
    }

    #[test]
    fn one_category_leaves_nothing_to_agree_on() {
        assert_eq!(cohen_kappa(&[1, 1], &[1, 1], Weights::None), Err(StatsError::Constant));
        assert!(cohen_kappa(&[], &[], Weights::None).is_err());
    }

    proptest! {
        #[test]
        fn kappa_is_symmetric_and_at_most_one(
            pairs in prop::collection::vec((0..4_usize, 0..4_usize), 1..30),
        ) {
            let (first, second): (Vec<usize>, Vec<usize>) = pairs.into_iter().unzip();
            for weights in [Weights::None, Weights::Linear, Weights::Quadratic] {
                let kappa = cohen_kappa(&first, &second, weights);
                prop_assert_eq!(kappa.clone(), cohen_kappa(&second, &first, weights));
                prop_assert!(kappa.is_err() || kappa.unwrap() <= 1.0);
            }
        }
    }
}
