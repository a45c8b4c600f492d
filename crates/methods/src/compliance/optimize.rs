//! Choosing between prompts, rubrics and models: tuned on some truth keys, judged on others.

mod compare;
mod propose;
mod split;

pub use compare::{Candidate, Comparison, Decision, decide};
pub use propose::{Disagreement, ProposeAsk};
pub use split::{Split, SplitBy, split};
