//! The rule judge: a document held against a criterion without any model.
//!
//! It finds out how much of what a requirement asks for is said by statements that agree with
//! it. It knows words, not meaning, and is a baseline: its accuracy against truth keys is
//! reported like that of any other judge.
//!
//! Read in this order: words and what they weigh (`words`, `lexicon`, `groups`), a requirement
//! with its title as obligations (`title`, `obligations`), a document as statements (`statements`, `denial`), what
//! covers what (`evidence`, `coverage`), and how [`RuleJudge`] puts it together and into words
//! (`judge`, `report`).

mod coverage;
mod denial;
mod evidence;
mod groups;
mod judge;
mod lexicon;
mod obligations;
mod report;
mod statements;
mod title;
mod words;

pub use judge::{METHOD, Passage, RuleAssessment, RuleJudge};
pub use obligations::obligations;
pub use statements::Reading;

#[cfg(test)]
mod tests;
