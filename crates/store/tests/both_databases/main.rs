//! What a store promises, on SQLite and on PostgreSQL alike.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod administrators;
mod assignments;
mod audit;
mod bed;
mod bounded;
mod criteria_edit;
mod evaluation;
mod exchanges;
mod files;
mod gone;
mod identities;
mod killed;
mod leases;
mod lives;
mod migration;
mod people;
mod raw;
mod revision;
mod runs;
mod samples;
mod schema;
mod tokens;
mod transfer;
mod views;
