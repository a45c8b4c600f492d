//! The council from ballots to verdict: the cases that a known implementation gets wrong,
//! properties, and reference values.

#![expect(clippy::unwrap_used, reason = "these are all tests, their helpers too")]

mod aggregate;
mod arithmetic;
mod attacks;
mod bias;
mod cases;
mod mutations;
mod parse;
mod pipeline;
mod properties;
mod rubric;
mod support;
#[cfg(feature = "reference-data")]
mod vectors;
mod workings;
