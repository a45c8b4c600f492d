//! Ranking by shared terms: what occurs where, and how much that is worth.
//!
//! Read in this order: terms get numbers ([`vocabulary`]), texts become bags of them
//! ([`bags`]), bags are turned round ([`postings`]), and two formulas weigh what is
//! found ([`bm25`], [`tfidf`]).

pub mod bags;
pub mod bm25;
mod features;
pub mod postings;
pub mod tfidf;
pub mod vocabulary;

pub use bags::Bags;
pub use bm25::{Bm25, Idf, Parameters};
pub use postings::Postings;
pub use tfidf::TfIdf;
pub use vocabulary::Vocabulary;
