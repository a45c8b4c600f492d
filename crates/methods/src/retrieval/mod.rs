//! Retrieval: how well a ranked list answers its query.

pub mod fusion;
pub mod ranked;
