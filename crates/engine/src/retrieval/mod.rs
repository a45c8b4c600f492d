//! Retrieval: files in, a scoreboard out.

pub mod compare;
pub mod passages;
pub mod report;
pub mod scoreboard;
pub mod sureness;
