//! Thresholds for continuous integration: what must hold of a result, for every instrument.
//!
//! A [`Requirement`] is a line of text (`recall@10 >= 0.8`, `unscored <= 1%`, `ndcg@10 no worse
//! than baseline by 0.02 (p < 0.05)`), [`Figures`] are what was measured, a [`Baseline`] is what was
//! measured before, and [`check`] makes PASS or FAIL of them. It fails closed: a figure that is not
//! there is a failure, never a pass.

mod baseline;
mod chance;
mod check;
mod figures;
mod junit;
mod requirement;

pub use baseline::{Baseline, BaselineError};
pub(crate) use check::check_same_items;
pub use check::{check, check_baseline, check_complete, check_scored, is_met};
pub use figures::Figures;
pub use junit::junit;
pub(crate) use requirement::CORRECTED;
pub use requirement::{Figure, Relation, Requirement, RequirementError, Rule};
