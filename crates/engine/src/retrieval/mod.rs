//! Retrieval: files in, a scoreboard out.
//!
//! Callers begin at [`request`]; what programs outside see is made in [`wire`].

pub mod compare;
pub mod detect;
pub mod fuse;
pub mod groups;
pub mod passages;
pub mod ranked;
pub mod report;
pub mod request;
pub mod scoreboard;
pub mod uncertainty;
pub mod wire;
