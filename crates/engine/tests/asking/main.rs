//! Interviews with a model server that fails on cue: what the user is told, what is kept, and
//! what was paid.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod failures;
mod killed;
mod repeats;
mod stops;
mod support;
