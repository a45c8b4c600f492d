//! Passages scored against gold snippets: two files in, a scoreboard or a ledger out.
//!
//! Read in this order: what the user may ask for ([`options`]), reading the files,
//! also those of other tools (`parse`, `records`, `files`, `shapes`), one query (`row`, `answers`), what all of them allow (`kinds`) and what
//! they share with the gold (`overlap`), a scoreboard ([`mod@score`]) with its notices (`notices`), one query's ledger ([`mod@explain`],
//! [`selector`]), and what can go wrong ([`error`]).

mod answers;
pub mod error;
pub mod explain;
mod files;
mod kinds;
mod notices;
pub mod options;
mod overlap;
mod parse;
mod records;
mod row;
pub mod score;
pub mod selector;
pub(in crate::retrieval) mod shapes;

pub use error::PassageError;
pub use explain::{Explanation, explain, explain_sources};
pub(in crate::retrieval) use files::open;
pub use options::{Besides, Measures, ScoreOptions};
pub use parse::gold as read_gold;
pub use score::{score, score_sources};
pub use selector::QuerySelector;
