//! A criterion in its set, and one under change.

use serde::Serialize;

use super::rubric::SetRow;

/// Criteria sets in a list: those in use, or those that are archived.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SetsPage {
    /// The sets.
    pub sets: Vec<SetRow>,
    /// Whether these are the archived ones.
    pub is_archived: bool,
    /// How many there are of the other kind.
    pub others: usize,
}

/// A criterion in the list of its set.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CriterionRow {
    /// Its id in the store.
    pub item: String,
    /// Its name.
    pub id: String,
    /// The requirement.
    pub requirement: String,
    /// A title or an explanation; may be empty.
    pub description: String,
    /// Its group.
    pub category: Option<String>,
    /// How much it counts.
    pub weight: f64,
}

/// A criterion as somebody typed it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct CriterionDraft {
    /// Its name.
    pub id: String,
    /// The requirement.
    pub requirement: String,
    /// A title or an explanation.
    pub description: String,
    /// Its group.
    pub category: String,
    /// How much it counts.
    pub weight: String,
}

/// The editor of a criterion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CriterionView {
    /// The id of the set.
    pub set: String,
    /// What the set is called.
    pub set_name: String,
    /// The id of the criterion in the store; none for a new one.
    pub item: Option<String>,
    /// Its place in the set, from 1; behind the last for a new one.
    pub place: usize,
    /// How many criteria the set has.
    pub count: usize,
    /// What is being edited.
    pub draft: CriterionDraft,
    /// What is wrong: the name of the field, and a sentence.
    pub problems: Vec<(&'static str, String)>,
    /// Which version of the criterion this began from.
    pub etag: String,
    /// What somebody else saved meanwhile.
    pub theirs: Option<CriterionDraft>,
    /// The groups of the set, to choose from.
    pub categories: Vec<String>,
}
