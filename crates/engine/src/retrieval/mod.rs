//! Retrieval: files in, a scoreboard out.

pub mod passages;
pub mod scoreboard;
