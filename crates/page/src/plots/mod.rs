//! Charts as SVG, pure functions from numbers to markup; colours come from the styles.

pub mod axis;
pub mod bars;
pub mod intervals;
pub mod matrix;
mod numbers;
pub mod over_time;
pub mod precision_recall;
pub mod reliability;
pub mod scatter;
mod square;
pub mod whisker;

pub(crate) use bars::differences;
pub use intervals::{Estimate, intervals};
pub(crate) use matrix::{Cell, Matrix, matrix};
pub(crate) use over_time::{Moment, over_time};
pub(crate) use precision_recall::precision_recall;
pub use reliability::{Group, reliability};
pub(crate) use scatter::scatter;
pub(crate) use whisker::whisker;
