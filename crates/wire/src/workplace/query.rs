//! The texts of a query: what was found, and what should have been.

use serde::Serialize;

/// A passage as it was ranked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PassageText {
    /// Its rank, from 1.
    pub rank: usize,
    /// Its text; blank where it has only a place.
    pub text: String,
    /// The golds that it matches, by their places from 0.
    pub golds: Vec<usize>,
    /// Where they stand in it: first code point, the one after the last, and which gold.
    pub marks: Vec<(usize, usize, usize)>,
}

/// The passages of a query and its golds.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct QueryTexts {
    /// What was found, best first.
    pub passages: Vec<PassageText>,
    /// What should be found.
    pub gold: Vec<String>,
}
