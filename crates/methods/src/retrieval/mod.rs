//! Retrieval: how well a ranked list answers its query.
//!
//! [`passages`] compares texts with gold snippets; [`spans`] compares places in files;
//! [`ranked`] compares document identifiers with relevance judgements; [`answers`] holds answers
//! against their passages; [`fusion`] makes one run out of several.

pub mod answers;
pub mod fusion;
pub mod passages;
pub mod ranked;
pub mod spans;
