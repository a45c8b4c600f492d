//! How two lists of scores move together.

pub mod kendall;
pub mod partial;
pub mod pearson;
pub mod spearman;

pub use kendall::kendall;
pub use partial::partial_pearson;
pub use pearson::{pearson, pearson_interval};
pub use spearman::spearman;

use crate::distribution::beta::beta;

/// A correlation and whether chance would give one as strong.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Correlation {
    /// From -1 to 1.
    pub value: f64,
    /// Two-sided p value.
    pub p: f64,
    /// How many items it comes from.
    pub count: usize,
}

/// The two-sided p value of a correlation by Student's t with the given degrees of freedom.
fn p_by_student(correlation: f64, degrees: f64) -> f64 {
    let squared = correlation * correlation;
    let rest = (1.0 - correlation) * (1.0 + correlation);
    beta(degrees / 2.0, 0.5, rest, squared).lower
}
