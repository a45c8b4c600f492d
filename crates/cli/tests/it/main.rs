//! The command line from the outside, one file a command.

#![expect(clippy::unwrap_used, reason = "a test that cannot run its command has failed")]

mod compare;
mod docs;
mod fuse;
mod readme;
mod retrieve;
mod score;
mod summary;
mod support;
