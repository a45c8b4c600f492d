//! One ranking out of many.
//!
//! Votes are counted once, into [`Preferences`]; Borda, Copeland, Schulze and Kemeny read
//! them from there. Bradley-Terry and Plackett-Luce fit strengths. Candidates are numbered
//! from 0; scores can be turned into places by [`crate::rank::competition_ranks`].

pub mod borda;
pub mod bradley_terry;
pub mod copeland;
pub mod kemeny;
mod luce;
pub mod plackett_luce;
pub mod preferences;
pub mod schulze;

pub use borda::{Borda, borda};
pub use bradley_terry::{bradley_terry, bradley_terry_penalised};
pub use copeland::copeland;
pub use kemeny::{Kemeny, kemeny};
pub use plackett_luce::plackett_luce;
pub use preferences::Preferences;
pub use schulze::{Schulze, schulze};
