//! What a store promises, on SQLite and on PostgreSQL alike.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod bed;
mod evaluation;
mod exchanges;
mod files;
mod migration;
mod raw;
mod samples;
