//! The rule judge: a document held against a criterion without a language model.
//!
//! For each part of a requirement it decides whether a statement of the document says it, says it in
//! part or denies it, whether nothing is about it, or that it cannot tell. Each decision is about this
//! part and this document alone. Words decide only what is clear; a reader decides the rest where one
//! is installed, and what rules do precisely overrides it: numbers, denials, mentions.
//!
//! Read in this order: words and lists of them (`words`, `lists`, `verbs`), a sentence with its clauses,
//! denials and numbers (`tokens`, `denial`, `over`, `units`, `quantity`, `fit`, `sentence`), a requirement
//! as parts (`title`, `obligations`, `parts`, `prepared`), a document as statements (`pieces`,
//! `stance`, `addressed`, `statements`), what a statement says about a part (`overlap`, `consulted`,
//! `decide`, `applies`), and what [`RuleJudge`] makes of it (`score`, `confidence`, `report`, `judge`).

mod addressed;
mod applies;
mod confidence;
mod consulted;
mod decide;
mod denial;
mod fit;
mod judge;
mod lists;
mod obligations;
mod over;
mod overlap;
mod parts;
mod pieces;
mod prepared;
mod quantity;
mod report;
mod score;
mod sentence;
mod stance;
mod statements;
mod title;
mod tokens;
mod units;
mod verbs;
mod words;

pub use consulted::Consulted;
pub use decide::Decision;
pub use judge::{METHOD, METHOD_WITH_READER, RuleAssessment, RuleJudge};
pub use obligations::obligations;
pub use report::{PartVerdict, ReadShares, ReadStatement};
pub use statements::Reading;

#[cfg(test)]
mod tests;
