//! Retrieval: files in, a scoreboard out.

pub mod compare;
pub mod detect;
pub mod fuse;
pub mod groups;
pub mod passages;
pub mod ranked;
pub mod report;
pub mod scoreboard;
pub mod sureness;
