//! Truth keys as a grid.

use assize_methods::compliance::Status;
use serde::Serialize;

use crate::truth::Analysts;

/// A truth key with the names of what it is about.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TruthRow {
    /// Which key.
    pub id: String,
    /// The document.
    pub document: String,
    /// The criterion.
    pub criteria_id: String,
    /// The score that it should get.
    pub expected: f64,
    /// Its label.
    pub status: Status,
    /// Who says so.
    pub analyst: Option<String>,
    /// What each section should say, where somebody wrote it.
    pub sections: Vec<(String, String)>,
    /// What they added.
    pub note: Option<String>,
    /// Whether it adjudicates a disagreement between analysts.
    pub is_adjudicated: bool,
}

/// The truth keys of a document set under a criteria set.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TruthGrid {
    /// The criteria sets to choose from.
    pub criteria_sets: Vec<String>,
    /// The document sets to choose from.
    pub document_sets: Vec<String>,
    /// The chosen ones.
    pub chosen: Option<(String, String)>,
    /// The keys of all analysts, or of the chosen one.
    pub rows: Vec<TruthRow>,
    /// Everybody who entered a key here.
    pub people: Vec<String>,
    /// Whose keys are shown; none shows all.
    pub analyst: Option<String>,
    /// How far they agree, and where they differ.
    pub analysts: Analysts,
    /// Document names and criteria ids, to enter one.
    pub documents: Vec<String>,
    /// Criteria ids, to enter one.
    pub criteria: Vec<String>,
    /// The sections of the set's answers with their types, to enter one.
    pub sections: Vec<(String, String)>,
}

/// Truth keys that say nothing about a run, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct KeysLeftOut {
    /// Of other versions of its documents.
    pub other_versions: usize,
    /// Of documents or criteria that it does not have.
    pub elsewhere: usize,
}
