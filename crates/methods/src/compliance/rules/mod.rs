//! The rule judge: a document held against a criterion without any model.
//!
//! It finds out how much of what a requirement asks for is said by statements that agree with
//! it: how they are meant, what they deny, and whether their numbers fit. It knows words and
//! phrases, not meaning: its accuracy against truth keys is reported like that of any judge.
//!
//! Read in this order: words, phrases and what they weigh (`words`, `concepts`, `lexicon`,
//! `groups`, `meaning`), a sentence with its clauses, denials and numbers (`tokens`, `denial`, `units`,
//! `quantity`, `sentence`), a requirement with its title as parts (`title`, `obligations`,
//! `parts`, `wanted`), a document as statements (`pieces`, `phrases`, `stance`, `verbs`, `addressed`,
//! `statements`), what covers what (`fit`, `curve`, `evidence`, `coverage`, `applies`), how
//! [`RuleJudge`] puts it together and into words (`judge`, `report`), and what is said about
//! parts and sets of documents (`verdicts`).

mod addressed;
mod applies;
mod concepts;
mod coverage;
mod curve;
mod denial;
mod evidence;
mod fit;
mod groups;
mod judge;
mod lexicon;
mod meaning;
mod obligations;
mod over;
mod parts;
mod phrases;
mod pieces;
mod quantity;
mod report;
mod sentence;
mod stance;
mod statements;
mod title;
mod tokens;
mod units;
mod verbs;
mod verdicts;
mod wanted;
mod words;

pub use judge::{METHOD, Passage, RuleAssessment, RuleJudge};
pub use obligations::obligations;
pub use statements::Reading;
pub use verdicts::{PartState, PartVerdict, SetVerdict, set_verdict};

#[cfg(test)]
mod tests;
