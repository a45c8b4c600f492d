//! Charts as SVG, pure functions from numbers to markup; colours come from the styles.

pub mod axis;
pub mod bars;
pub mod intervals;
pub mod over_time;
pub mod reliability;
pub mod scatter;

pub(crate) use bars::differences;
pub use intervals::{Estimate, intervals};
pub(crate) use over_time::{Moment, over_time};
pub use reliability::{Group, reliability};
pub(crate) use scatter::scatter;
