//! Charts as SVG, pure functions from numbers to markup; colours come from the styles.

pub mod axis;
pub mod bars;
pub mod intervals;
pub mod scatter;

pub use bars::differences;
pub use intervals::{Estimate, intervals};
pub use scatter::scatter;
