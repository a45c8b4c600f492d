//! The queue of a reviewer.

use assize_methods::compliance::tiers::Tier;
use serde::Serialize;

use super::item::{Cited, ExhibitText, SectionView};
use crate::runs::RunEntry;

/// How far people and the judge agree, over what people said so far.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Agreement {
    /// Results that somebody rated.
    pub rated: u64,
    /// Of those, in the judge's tier.
    pub same_tier: u64,
    /// Weighted kappa with the judge; none with too few.
    pub kappa: Option<f64>,
    /// Weighted kappa between people; none with too few.
    pub between: Option<f64>,
}

/// What is to be rated.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReviewItem {
    /// Its number in the run, from 1.
    pub number: i64,
    /// The criterion.
    pub criteria_id: String,
    /// The requirement.
    pub requirement: String,
    /// The document.
    pub document: ExhibitText,
    /// The judge's score; none in a blind queue.
    pub ai_score: Option<f64>,
    /// The judge's words; none in a blind queue.
    pub sections: Vec<SectionView>,
    /// The judge's quotes: they help to find the place, blind or not.
    pub citations: Vec<Cited>,
}

/// The queue of a reviewer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReviewQueue {
    /// The run that is reviewed.
    pub run: RunEntry,
    /// Whether the judge's score is hidden.
    pub is_blind: bool,
    /// The next item; none when all are rated.
    pub item: Option<ReviewItem>,
    /// Items that this reviewer rated.
    pub done: u64,
    /// All items.
    pub all: u64,
    /// The tiers to choose from.
    pub tiers: Vec<Tier>,
    /// Agreement so far.
    pub agreement: Agreement,
}

/// A run in which somebody looks after something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AssignedRun {
    /// The run's number.
    pub number: i64,
    /// Its name.
    pub name: String,
    /// How many of its criteria are theirs.
    pub criteria: u64,
}
