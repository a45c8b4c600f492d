//! Compliance from the command line, on both databases.

#![expect(clippy::unwrap_used, reason = "a test that cannot run its command has failed")]

mod adopt;
mod analysts;
mod bad_input;
mod bed;
mod exports;
mod killed;
mod lifecycle;
mod models;
mod optimize;
#[cfg(feature = "reference-data")]
mod reference;
mod walk;
