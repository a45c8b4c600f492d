//! Fusion: several rankings of one query become one.
//!
//! Read in this order: what a document is worth in one ranking ([`norm`]), and how those
//! worths become one score ([`method`]).

pub mod method;
pub mod norm;

pub use method::{Fusion, FusionError, Method};
pub use norm::Norm;

/// A document that a ranking retrieved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Retrieved {
    /// Which document of the query's it is, counted from 0 over all rankings.
    pub document: usize,
    /// The score that the ranking gave it; finite.
    pub score: f64,
}
