//! Corpora and retrievers: from a folder of texts to ranked passages.
//!
//! Read in this order: a folder becomes a [`corpus`], documents become passages
//! ([`chunk`], [`collection`]), text becomes terms ([`tokens`]) or vectors ([`dense`]),
//! [`lexical`] formulas weigh shared terms, a [`query`] is taken apart and leads to a
//! document ([`routing`]), [`hybrid`] puts all of it together, and a [`retriever`] gives
//! one face to every method.

pub mod benchmark;
pub mod chunk;
pub mod collection;
pub mod corpus;
pub mod dense;
pub mod hybrid;
pub mod lexical;
pub mod predictions;
pub mod query;
pub mod ranking;
pub mod retriever;
pub mod routing;
pub mod tokens;

pub use chunk::Chunking;
pub use collection::{Collection, Passage};
pub use corpus::{Corpus, Document};
pub use dense::StaticTable;
pub use predictions::Prediction;
pub use ranking::Hit;
pub use retriever::{Answer, Method, Retriever};
