//! Retrieving: a folder of texts and a benchmark's queries in, predictions out.
//!
//! Read in this order: queries and texts, also those of BEIR ([`queries`], [`texts`]), what is worth a word to the user ([`notes`]), vectors from a model
//! elsewhere or in a folder ([`endpoint`], [`embeddings`]) and kept for the next time ([`vectors`]), queries asked one batch after the other ([`mod@ask`]),
//! predictions as the scorer and others read them ([`json`], [`formats`]), and methods against each other on one
//! benchmark ([`bench`], [`characters`]).

pub mod ask;
pub mod bench;
pub mod characters;
pub mod embeddings;
pub mod endpoint;
#[cfg(feature = "readers")]
mod folder;
pub mod formats;
pub mod json;
pub mod notes;
pub mod queries;
pub mod texts;
pub mod vectors;

pub use ask::ask;
pub use bench::{Entrant, enter};
pub use embeddings::EmbeddingSource;
pub use endpoint::{EmbedderError, connect};
pub use formats::{Format, Found};
pub use json::json;
pub use queries::{Benchmark, queries_in, read_benchmark};
pub use texts::read_texts;
