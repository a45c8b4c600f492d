//! From a panel's scores to people's: a rising curve for each metric, beside the raw score
//! and never instead of it.

use assize_score::rounding::half_up;
use assize_stats::StatsError;
use assize_stats::classification::Isotonic;
use assize_stats::classification::isotonic::cross_fitted;
use serde::Serialize;

/// How many folds a curve is tried on.
const FOLDS: usize = 5;

/// The same folds every time.
const SEED: u64 = 1;

/// A curve for one metric, and what it gains on items it has not seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Calibration {
    curve: Isotonic,
    /// How good it is.
    pub quality: Quality,
}

/// What a curve gains, on items it was not fitted to.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Quality {
    /// How many rated items it rests on.
    pub items: usize,
    /// The mean distance of raw scores from people's ratings.
    pub raw_error: f64,
    /// The mean distance of calibrated scores, each from a curve fitted without it.
    pub calibrated_error: f64,
}

impl Calibration {
    /// Fits the curve of one metric to people's ratings on the same scale.
    pub fn fit(scores: &[f64], ratings: &[f64]) -> Result<Self, StatsError> {
        let folds = FOLDS.min(scores.len());
        let fitted = cross_fitted(scores, ratings, folds, SEED)?;
        let curve = Isotonic::fit(scores, ratings)?;
        let quality = Quality {
            items: scores.len(),
            raw_error: distance(scores, ratings),
            calibrated_error: distance(&fitted, ratings),
        };
        Ok(Self { curve, quality })
    }

    /// What people would probably say about such a score.
    pub fn at(&self, score: f64) -> f64 {
        half_up(self.curve.at(score), 2)
    }
}

fn distance(left: &[f64], right: &[f64]) -> f64 {
    let sum: f64 = left.iter().zip(right).map(|(left, right)| (left - right).abs()).sum();
    sum / left.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four items, four folds: each one left out, its neighbours give 3, 3, 5, 5 (the ends
    /// take the nearest, the inner two lie half-way between 1 and 5, 3 and 7).
    #[test]
    fn a_curve_is_held_against_items_it_has_not_seen() {
        let calibration = Calibration::fit(&[1.0, 2.0, 3.0, 4.0], &[1.0, 3.0, 5.0, 7.0]).unwrap();
        assert_eq!(calibration.at(2.5), 4.0);
        assert_eq!(calibration.quality.raw_error, (0.0 + 1.0 + 2.0 + 3.0) / 4.0);
        assert_eq!(calibration.quality.calibrated_error, (2.0 + 0.0 + 0.0 + 2.0) / 4.0);
    }

    #[test]
    fn one_rating_is_not_enough() {
        assert!(Calibration::fit(&[1.0], &[1.0]).is_err());
    }
}
