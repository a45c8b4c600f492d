//! What text is: normal forms, tokens, sentences, spans and quotes.
//!
//! Read in this order: what Python's strings do ([`python`]), normal forms for
//! comparing ([`normalize`]), sentences ([`punkt`]), words ([`treebank`]), and the
//! tokens every count is made of ([`tokens`]). Then what is done with them: parts of a
//! text ([`span`]), how much two texts share ([`overlap`],
//! [`similarity`]), finding quotations ([`quote`]), and cutting to length ([`shorten`]).
//! Last, words as pieces ([`word_pieces`]) and as directions ([`word_vectors`]).
//!
//! Everything here is pure, deterministic and linear in the length of its input.

#![warn(missing_docs)]

pub mod normalize;
pub mod overlap;
pub mod punkt;
pub mod python;
pub mod quote;
pub mod shorten;
pub mod similarity;
pub mod span;
pub mod tokens;
pub mod treebank;
pub mod word_list;
pub mod word_pieces;
pub mod word_vectors;

pub use normalize::{for_matching, lower_strip};
pub use overlap::{Overlap, TokenBag};
pub use punkt::sentences;
pub use span::{CodePoints, Span};
pub use tokens::{alnum_tokens, for_each_alnum_token, word_tokens};
pub use word_list::word_list;
