//! Ranking by meaning: texts as directions, near ones alike.
//!
//! Read in this order: text becomes word pieces ([`assize_text::word_pieces`]), pieces become a
//! vector ([`table`]), vectors are compared ([`vectors`]).

pub mod embedder;
pub mod table;
pub mod vectors;

pub use embedder::{EmbedError, Embedder};
pub use table::StaticTable;
pub(crate) use vectors::Vectors;
