//! Corpora and retrievers: from a folder of texts to ranked passages.
//!
//! Read in this order: a folder becomes a [`corpus`], documents become passages
//! ([`chunk`], [`collection`]), text becomes terms ([`tokens`]) or vectors ([`dense`]),
//! [`lexical`] formulas weigh shared terms, and a [`ranking`] comes out.

pub mod chunk;
pub mod collection;
pub mod corpus;
pub mod dense;
pub mod lexical;
pub mod ranking;
pub mod tokens;

pub use chunk::Chunking;
pub use collection::{Collection, Passage};
pub use corpus::{Corpus, Document};
pub use ranking::Hit;
