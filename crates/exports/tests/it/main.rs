//! Every export, written and read again by somebody else's reader.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod contradicted;
mod csv;
mod findings;
mod hostile;
mod json;
mod oscal;
mod pdf;
mod sample;
mod states;
mod xlsx;
