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

pub use bars::differences;
pub use intervals::{Estimate, intervals};
pub use matrix::{Cell, Matrix, matrix};
pub use over_time::{Moment, over_time};
pub use precision_recall::precision_recall;
pub use reliability::{Group, reliability};
pub use scatter::scatter;
pub use whisker::whisker;
