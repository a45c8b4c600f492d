//! What analysts say about one document and one criterion, side by side, and what it is settled at.

use assize_methods::compliance::{Status, Tier};
use chrono::{DateTime, Utc};
use serde::Serialize;

use super::item::ExhibitText;

/// What one analyst says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Side {
    /// Who.
    pub analyst: String,
    /// The score that the document should get.
    pub score: f64,
    /// Its label.
    pub status: Status,
    /// What they added.
    pub note: Option<String>,
    /// What they wrote, section by section.
    pub sections: Vec<(String, String)>,
    /// When.
    pub at: DateTime<Utc>,
}

/// A document and a criterion that several analysts judged.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DisputeView {
    /// The criteria set.
    pub criteria_set: String,
    /// The document set.
    pub document_set: String,
    /// The criterion.
    pub criteria_id: String,
    /// The requirement.
    pub requirement: String,
    /// A title or an explanation; may be empty.
    pub description: String,
    /// The document.
    pub document: ExhibitText,
    /// The tiers of the set.
    pub tiers: Vec<Tier>,
    /// Each analyst.
    pub sides: Vec<Side>,
    /// What it is settled at, by whom and why.
    pub settled: Option<Side>,
    /// What the key that counts expects of each section of the set's answers.
    pub sections: Vec<(String, String)>,
    /// Whether an analyst changed a score after the adjudication.
    pub is_outdated: bool,
    /// The score that counts as the truth now, and its label.
    pub counts: (f64, Status),
    /// Another one that waits to be settled: criterion and document.
    pub next: Option<(String, String)>,
}

/// The truth keys about a result.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct TruthOfResult {
    /// The score that counts as the truth; none without a key.
    pub score: Option<f64>,
    /// Each analyst with their score.
    pub said: Vec<(String, f64)>,
    /// Whether somebody settled what they say.
    pub is_settled: bool,
    /// The criteria set and the document set under which it is settled; none where the document
    /// has a newer version.
    pub sets: Option<(String, String)>,
}
