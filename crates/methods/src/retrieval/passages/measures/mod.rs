//! The four measures of the drop-in scorer, one in each file.

mod exact_match;
mod ndcg;
mod recall;
mod span_f1;

pub use exact_match::exact_match;
pub use ndcg::{held_at_one, ndcg, passes_one};
pub use recall::recall;
pub use span_f1::span_f1;
