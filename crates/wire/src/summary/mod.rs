//! Summaries: a scorecard, and how near scores are to people's ratings.

pub mod agreement;
pub mod card;
pub mod overview;
pub mod scorecard;

pub use agreement::{
    Agreement, Bin, Binary, Confusion, Correlations, Curve, CurveFile, Estimate, Figures, Groups,
    Method, Plotted, PrecisionRecall, System,
};
pub use card::Card;
pub use overview::{Mean, Overview, Row};
pub use scorecard::{Report, Scorecard, Scored, Trail, Working};
