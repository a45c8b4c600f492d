//! Runs of all four instruments: worked on together, saved, shown, compared, computed again.

pub mod error;
pub mod find;
pub(crate) mod leased;

pub use error::RunError;
