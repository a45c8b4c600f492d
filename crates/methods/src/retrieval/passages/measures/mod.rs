//! The four measures of the drop-in scorer, one in each file, and two of ragas in another.

pub mod context;
mod exact_match;
mod ndcg;
mod recall;
mod span_f1;

pub use context::{Likeness, context_precision, context_recall};
pub use exact_match::exact_match;
pub(crate) use ndcg::passes_one;
pub use ndcg::{held_at_one, ndcg};
pub use recall::recall;
pub use span_f1::span_f1;
