//! Isotonic regression: the rising curve nearest to the data.

use crate::{check, error::StatsError, resample::Generator, sum::sum, summary::between};

/// A curve that never falls, made of points joined by straight lines.
///
/// There is at least one knot; their first coordinates rise and their second never fall.
#[derive(Debug, Clone, PartialEq)]
pub struct Isotonic {
    knots: Vec<(f64, f64)>,
}

impl Isotonic {
    /// Fits the curve with the least squared distance to the values.
    ///
    /// Neighbours that fall are pooled to their mean until none does. Items with the same
    /// score are one point.
    ///
    /// Reference: Barlow et al. (1972), Statistical Inference under Order Restrictions.
    ///
    /// ```
    /// use assize_stats::classification::Isotonic;
    /// let curve = Isotonic::fit(&[1.0, 2.0, 3.0, 4.0], &[1.0, 3.0, 2.0, 4.0])?;
    /// assert_eq!((curve.at(2.0), curve.at(3.0), curve.at(3.5)), (2.5, 2.5, 3.25));
    /// assert_eq!((curve.at(-9.0), curve.at(9.0)), (1.0, 4.0));
    /// # Ok::<(), assize_stats::StatsError>(())
    /// ```
    pub fn fit(scores: &[f64], values: &[f64]) -> Result<Self, StatsError> {
        check::pair(scores, values, 1)?;
        let mut items: Vec<(f64, f64)> =
            scores.iter().copied().zip(values.iter().copied()).collect();
        items.sort_by(|left, right| left.0.total_cmp(&right.0));
        let mut blocks: Vec<Block> = Vec::new();
        for group in items.chunk_by(|left, right| left.0 == right.0) {
            let weight = group.len() as f64;
            let mean = sum(group.iter().map(|item| item.1)) / weight;
            let mut block = Block { mean: check::finite(mean)?, weight, scores: vec![group[0].0] };
            while let Some(below) = blocks.pop_if(|below| below.mean >= block.mean) {
                block = below.pooled(block);
            }
            blocks.push(block);
        }
        let knots =
            blocks.iter().flat_map(|block| block.scores.iter().map(|score| (*score, block.mean)));
        Ok(Self { knots: knots.collect() })
    }

    /// A curve from its points, or nothing if they do not rise from left to right without
    /// ever falling.
    pub fn from_knots(knots: Vec<(f64, f64)>) -> Option<Self> {
        let finite = knots.iter().all(|knot| knot.0.is_finite() && knot.1.is_finite());
        let rising = knots.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1);
        (!knots.is_empty() && finite && rising).then_some(Self { knots })
    }

    /// The height of the curve; flat beyond its ends.
    pub fn at(&self, score: f64) -> f64 {
        let above = self.knots.partition_point(|knot| knot.0 < score);
        let Some(&(right, high)) = self.knots.get(above) else {
            return self.knots[self.knots.len() - 1].1;
        };
        if above == 0 || right == score {
            return high;
        }
        let (left, low) = self.knots[above - 1];
        // Halves, because the distance between two doubles may not be one.
        between(low, high, (score / 2.0 - left / 2.0) / (right / 2.0 - left / 2.0))
    }

    /// The points of the curve.
    pub fn knots(&self) -> &[(f64, f64)] {
        &self.knots
    }
}

/// Each item's height on a curve fitted without it and its fold.
///
/// Items are dealt into `folds` at random by the seed, as evenly as can be.
///
/// ```
/// use assize_stats::classification::isotonic::cross_fitted;
/// let scores = [1.0, 2.0, 3.0, 4.0];
/// let heights = cross_fitted(&scores, &[1.0, 2.0, 3.0, 4.0], 4, 1)?;
/// // Each one left out: the inner two lie between neighbours, the ends take the nearest.
/// assert_eq!(heights, [2.0, 2.0, 3.0, 3.0]);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn cross_fitted(
    scores: &[f64],
    values: &[f64],
    folds: usize,
    seed: u64,
) -> Result<Vec<f64>, StatsError> {
    check::pair(scores, values, 2)?;
    if !(2..=scores.len()).contains(&folds) {
        return Err(StatsError::Invalid("there must be 2 folds or more, none of them empty"));
    }
    let mut order: Vec<usize> = (0..scores.len()).collect();
    Generator::new(seed).shuffle(&mut order);
    let mut heights = vec![0.0; scores.len()];
    for fold in 0..folds {
        let outside = order.iter().enumerate().filter(|(place, _)| place % folds != fold);
        let (known_scores, known_values): (Vec<f64>, Vec<f64>) =
            outside.map(|(_, item)| (scores[*item], values[*item])).unzip();
        let curve = Isotonic::fit(&known_scores, &known_values)?;
        for item in order.iter().skip(fold).step_by(folds) {
            heights[*item] = curve.at(scores[*item]);
        }
    }
    Ok(heights)
}

/// Neighbouring scores that share one height.
struct Block {
    mean: f64,
    weight: f64,
    scores: Vec<f64>,
}

impl Block {
    /// This block and the one above it as one.
    fn pooled(mut self, above: Self) -> Self {
        let weight = self.weight + above.weight;
        self.mean = between(above.mean, self.mean, self.weight / weight);
        self.weight = weight;
        self.scores.extend(above.scores);
        self
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `sklearn.isotonic.IsotonicRegression(out_of_bounds="clip")`.
    #[test]
    fn a_bumpy_line_agrees_with_scikit_learn() {
        let scores = [1.0, 2.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
        let values = [2.0, 1.0, 4.0, 3.0, 3.5, 2.0, 6.0, 5.0];
        let curve = Isotonic::fit(&scores, &values).unwrap();
        let expected = [
            (0.0, 2.0),
            (1.0, 2.0),
            (1.5, 2.25),
            (2.0, 2.5),
            (2.6, 2.7),
            (5.0, 2.833_333_333_333_333_5),
            (5.25, 3.5),
            (6.0, 5.5),
            (9.0, 5.5),
        ];
        for (score, height) in expected {
            assert!((curve.at(score) - height).abs() < 1e-12, "{score} {}", curve.at(score));
        }
    }

    #[test]
    fn nothing_to_fit_is_refused() {
        assert!(Isotonic::fit(&[], &[]).is_err());
        assert!(Isotonic::fit(&[1.0], &[f64::NAN]).is_err());
        assert!(cross_fitted(&[1.0, 2.0], &[1.0, 2.0], 3, 1).is_err());
        assert_eq!(Isotonic::fit(&[1.0], &[5.0]).unwrap().at(0.0), 5.0);
    }

    proptest! {
        #[test]
        fn the_curve_never_falls_and_keeps_the_mean(
            items in prop::collection::vec((0..20_u8, 0..10_u8), 1..40),
        ) {
            let scores: Vec<f64> = items.iter().map(|item| f64::from(item.0)).collect();
            let values: Vec<f64> = items.iter().map(|item| f64::from(item.1)).collect();
            let curve = Isotonic::fit(&scores, &values).unwrap();
            prop_assert!(curve.knots().windows(2).all(|pair| pair[0].1 <= pair[1].1));
            let before: f64 = values.iter().sum();
            let after: f64 = scores.iter().map(|score| curve.at(*score)).sum();
            prop_assert!((before - after).abs() < 1e-9);
        }
    }
}
