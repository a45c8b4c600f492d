//! From a panel's scores to people's: a rising curve for each metric, beside the raw score
//! and never instead of it.

use assize_score::rounding::half_up;
use assize_stats::StatsError;
use assize_stats::classification::Isotonic;
use assize_stats::classification::isotonic::cross_fitted;
use serde::{Deserialize, Serialize};

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
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Quality {
    /// How many rated items it rests on.
    pub items: usize,
    /// The mean distance of raw scores from people's ratings; it says little where the two
    /// are on different scales.
    pub raw_error: f64,
    /// The mean distance of ratings from their own mean: what knowing no score would give.
    pub mean_error: f64,
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
            mean_error: distance(&vec![mean(ratings); ratings.len()], ratings),
            calibrated_error: distance(&fitted, ratings),
        };
        Ok(Self { curve, quality })
    }

    /// A curve that was written down: its points, rising to the right and never falling.
    pub fn from_knots(knots: Vec<(f64, f64)>, quality: Quality) -> Option<Self> {
        Some(Self { curve: Isotonic::from_knots(knots)?, quality })
    }

    /// The points of the curve: score, rating.
    pub fn knots(&self) -> &[(f64, f64)] {
        self.curve.knots()
    }

    /// What people would probably say about such a score.
    pub fn at(&self, score: f64) -> f64 {
        half_up(self.curve.at(score), 2)
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
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
        // Ratings 1, 3, 5, 7 around their mean of 4.
        assert_eq!(calibration.quality.mean_error, (3.0 + 1.0 + 1.0 + 3.0) / 4.0);
    }

    #[test]
    fn a_curve_survives_being_written_down_and_a_falling_one_is_refused() {
        let fitted = Calibration::fit(&[1.0, 2.0, 3.0], &[2.0, 4.0, 8.0]).unwrap();
        let read = Calibration::from_knots(fitted.knots().to_vec(), fitted.quality);
        assert_eq!(read.as_ref(), Some(&fitted));
        let of = |knots: &[(f64, f64)]| Calibration::from_knots(knots.to_vec(), fitted.quality);
        for wrong in
            [&[][..], &[(1.0, 2.0), (1.0, 3.0)], &[(1.0, 3.0), (2.0, 2.0)], &[(f64::NAN, 1.0)]]
        {
            assert_eq!(of(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn one_rating_is_not_enough() {
        assert!(Calibration::fit(&[1.0], &[1.0]).is_err());
    }
}
