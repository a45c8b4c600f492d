//! Retrieval: files in, a scoreboard out.

pub mod ranked;
pub mod scoreboard;
