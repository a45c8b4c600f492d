//! The methods of judgement, without input or output: ask, read, score.
//!
//! Every method is pure. The same evidence gives the same bits, and nothing here
//! knows a file, a clock, a network or a database.

#![warn(missing_docs)]

pub mod ask;
pub mod compliance;
pub mod council;
pub mod gate;
pub mod hello;
pub mod reply;
pub mod retrieval;
pub mod schema;
pub mod summary;
pub mod template;
pub mod tones;

pub use ask::{Ask, Prompt, Question, ReplyError};
