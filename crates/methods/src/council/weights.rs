//! How much each dimension counts. Weights that do not add up are refused, not mended.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::dimension::{ByDimension, Dimension};

/// How far the sum may be from one: three thirds written as 0.333 are meant to be one.
const SUM_TOLERANCE: f64 = 0.001;

/// Weights that sum to one. A dimension without a weight is not asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "ByDimension<f64>", into = "ByDimension<f64>")]
pub struct Weights(ByDimension<f64>);

/// Why weights were refused.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// A weight is NaN, infinite, negative or above one.
    #[error("the weight of {dimension} is {weight}; it must be from 0 to 1 (the sum is {sum})")]
    OutOfRange {
        /// Whose weight.
        dimension: Dimension,
        /// What was given.
        weight: f64,
        /// What all of them sum to.
        sum: f64,
    },
    /// They do not sum to one.
    #[error("the weights sum to {sum}, not to 1")]
    Sum {
        /// What they sum to.
        sum: f64,
    },
    /// Without accuracy there is no ceiling.
    #[error("accuracy needs a weight; the ceiling depends on it")]
    NoAccuracy,
}

impl Weights {
    /// Weights, if each lies in 0 to 1 and they sum to 1 within 0.001.
    ///
    /// ```
    /// use assize_methods::council::{Dimension, Weights};
    /// let halves = [(Dimension::Accuracy, 0.5), (Dimension::Clarity, 0.5)];
    /// assert!(Weights::new(halves.into()).is_ok());
    /// let too_much = [(Dimension::Accuracy, 0.5), (Dimension::Clarity, 0.6)];
    /// let error = Weights::new(too_much.into()).unwrap_err();
    /// assert_eq!(error.to_string(), "the weights sum to 1.1, not to 1");
    /// ```
    pub fn new(weights: ByDimension<f64>) -> Result<Self, WeightsError> {
        let sum = assize_stats::sum::sum(weights.values().copied());
        for (dimension, weight) in &weights {
            if !(0.0..=1.0).contains(weight) {
                let (dimension, weight) = (*dimension, *weight);
                return Err(WeightsError::OutOfRange { dimension, weight, sum });
            }
        }
        if (sum - 1.0).abs() > SUM_TOLERANCE {
            return Err(WeightsError::Sum { sum });
        }
        if weights.get(&Dimension::Accuracy).is_none_or(|weight| *weight == 0.0) {
            return Err(WeightsError::NoAccuracy);
        }
        Ok(Self(weights))
    }

    /// These weights with some of them replaced. The rules are checked on the whole.
    pub fn with(&self, replaced: &ByDimension<f64>) -> Result<Self, WeightsError> {
        let mut weights = self.0.clone();
        weights.extend(replaced);
        Self::new(weights)
    }

    /// The weight of a dimension; 0 for one that does not count.
    pub fn of(&self, dimension: Dimension) -> f64 {
        self.0.get(&dimension).copied().unwrap_or(0.0)
    }

    /// The dimensions that count, with their weights.
    pub fn counting(&self) -> impl Iterator<Item = (Dimension, f64)> + '_ {
        self.0
            .iter()
            .filter(|(_, weight)| **weight > 0.0)
            .map(|(dimension, weight)| (*dimension, *weight))
    }

    /// All weights as given.
    pub fn as_map(&self) -> &ByDimension<f64> {
        &self.0
    }
}

impl TryFrom<ByDimension<f64>> for Weights {
    type Error = WeightsError;

    fn try_from(weights: ByDimension<f64>) -> Result<Self, WeightsError> {
        Self::new(weights)
    }
}

impl From<Weights> for ByDimension<f64> {
    fn from(weights: Weights) -> Self {
        weights.0
    }
}
