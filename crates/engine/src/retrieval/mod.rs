//! Retrieval: files in, a scoreboard out.

pub mod fuse;
pub mod ranked;
pub mod scoreboard;
