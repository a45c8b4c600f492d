//! Retrieval: files in, a scoreboard out.

pub mod scoreboard;
