//! Retrieval: how well a ranked list answers its query.
//!
//! [`passages`] compares texts with gold snippets; [`spans`] compares places in files.

pub mod passages;
pub mod spans;
