//! Ranked retrieval: what a ranking is worth when some of its documents are judged.
//!
//! Read in this order: a ranking and its judgements ([`ranking`]), what a judgement is
//! worth ([`gain`]), the formulas ([`measures`]), their table ([`table`]) and the way
//! they are written ([`notation`]), and the order of documents with one score ([`ties`]).
//!
//! Values agree with `trec_eval` 10 to the digits it prints, for every measure it has.

mod error;
pub mod gain;
pub mod measure;
pub mod measures;
mod nearest;
pub mod notation;
pub mod ranking;
pub mod table;
pub mod ties;
pub mod trec;

pub use error::MeasureError;
pub use gain::Gain;
pub use measure::{Measure, Settings};
pub use nearest::nearest;
pub use ranking::{Found, JudgedRanking, LevelCount, relevance_string};
pub use table::{Combine, Family, MEASURES};
pub use ties::Ties;
