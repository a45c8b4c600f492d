//! Retrieved passages against gold snippets: exact match, span F1, recall@k, nDCG@k.
//!
//! Read in this order: what comes in ([`input`]), which prediction belongs to which gold
//! ([`pairing`]), the readings one may choose ([`options`]), texts made alike ([`alike`]),
//! which passage matches which gold ([`matching`]), the words two texts share ([`overlap`]), the measures
//! ([`measures`]), and one query's values or verdict ([`mod@score`]).

pub mod alike;
pub mod input;
pub mod label;
pub mod matching;
pub mod measures;
pub mod options;
pub mod overlap;
pub mod pairing;
pub mod score;

pub use input::{Gold, Passage, Prediction, Predictions, Test};
pub use options::{F1, NdcgIdeal, PassageOptions, Whitespace};
pub use pairing::{Pair, Pairing, PairingError, pair};
pub use score::{Measured, explain, score};
