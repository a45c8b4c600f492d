//! Retrieving: a folder of texts and a benchmark's queries in, predictions out.
//!
//! Read in this order: what is worth a word to the user ([`notes`]), vectors from a model
//! elsewhere ([`endpoint`]), queries asked one batch after the other ([`mod@ask`]),
//! predictions as the scorer reads them ([`json`]), and methods against each other on one
//! benchmark ([`bench`], [`characters`]).

pub mod ask;
pub mod bench;
pub mod characters;
pub mod endpoint;
pub mod json;
pub mod notes;

pub use ask::ask;
pub use bench::{Entrant, enter};
pub use endpoint::{EmbedderError, connect};
pub use json::json;
