//! What many scores say: intervals, tests, correlation, agreement, rank aggregation.
//!
//! Everything is pure and gives the same bits on every machine: logarithms come from
//! `libm`, sums do not depend on the order of the items, and the only randomness is the
//! seeded generator in [`resample`]. Input that has no answer (nothing given, one value
//! where two are needed, values that do not vary) is an [`StatsError`], never NaN.

#![warn(missing_docs)]

mod check;
pub mod error;
pub mod sum;
pub mod summary;

pub mod distribution;
pub mod resample;

pub mod interval;

pub mod paired;

pub mod correction;

pub mod rank;

pub mod correlation;

pub mod agreement;

pub mod additive;
pub mod fixed_effects;
mod linear;
pub mod logistic;
pub mod ridge;
pub mod standardize;

pub mod aggregation;

pub mod classification;

pub use error::StatsError;
pub use interval::Interval;
