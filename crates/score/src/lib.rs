//! What a score is: a number that carries its workings.
//!
//! Read in this order: a number and how it was computed ([`explained`], [`arithmetic`]),
//! what may pull it down ([`cap`]), how it becomes a label ([`bands`]), the check that every
//! result passes ([`score`]), and the verdict it ends up in ([`outcome`], [`verdict`]).
//!
//! A formula is written once, generic over [`Working`]. With [`Explained`] it keeps
//! every step; with `f64` the same code compiles to bare arithmetic.

#![warn(missing_docs)]

pub mod arithmetic;
pub mod bands;
pub mod cap;
pub mod explained;
pub mod float;
pub mod outcome;
pub mod rounding;
pub mod score;
pub mod verdict;
pub mod workings;

pub use bands::Bands;
pub use cap::{AppliedCap, Cap, CapState};
pub use explained::{Explained, How, Working};
pub use outcome::Outcome;
pub use score::{NotFinite, Score};
pub use verdict::{Finding, MethodVersion, MetricName, Verdict};
