//! Compliance from the command line, on both databases.

#![expect(clippy::unwrap_used, reason = "a test that cannot run its command has failed")]

mod bad_input;
mod bed;
mod exports;
mod killed;
mod models;
mod old;
mod optimize;
#[cfg(feature = "reference-data")]
mod reference;
mod walk;
