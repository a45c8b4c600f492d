//! Where a mean, or another figure, lies with a stated confidence.

pub mod bootstrap;
pub mod cluster;
pub mod drawn;
pub mod prediction_powered;
pub mod student;
pub mod wilson;

pub use bootstrap::{Bootstrap, bootstrap, bootstrap_mean};
pub use cluster::cluster_bootstrap;
pub use drawn::{Drawing, drawn};
pub use prediction_powered::{PredictionPowered, prediction_powered_mean};
pub use student::t_interval;
pub use wilson::wilson;

use crate::summary::{quantile_of_sorted, sorted};

/// A range from `low` to `high`, both ends included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Whether a value lies in the interval.
    pub fn contains(self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// How far apart the ends are.
    pub fn width(self) -> f64 {
        self.high - self.low
    }

    /// The middle `level` of the values; there must be at least one.
    pub(crate) fn middle(values: &[f64], level: f64) -> Self {
        let (outside, sorted) = ((1.0 - level) / 2.0, sorted(values));
        let at = |share| quantile_of_sorted(&sorted, share);
        Self { low: at(outside), high: at(1.0 - outside) }
    }
}
