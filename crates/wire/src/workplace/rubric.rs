//! Criteria sets, and their rubrics and structures under change.

use assize_methods::compliance::Status;
use assize_methods::compliance::tiers::Tier;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::criterion::CriterionRow;
use super::prompts::DiffLine;

/// A criteria set in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SetRow {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What it is about; may be empty.
    pub description: String,
    /// How many criteria it has.
    pub criteria: usize,
    /// The labels and colours of its tiers.
    pub tiers: Vec<(String, String)>,
    /// How many sections its answers have.
    pub sections: usize,
    /// When it was last changed.
    pub updated_at: DateTime<Utc>,
    /// Whether it is archived and hidden from lists.
    pub is_archived: bool,
    /// How many runs used it, and the number of the last; none where it is not asked for.
    pub used: Option<(u64, i64)>,
}

/// A criteria set with its criteria.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CriteriaSetView {
    /// The set.
    pub set: SetRow,
    /// A page of its criteria.
    pub criteria: Vec<CriterionRow>,
    /// The place of the first of them, from 0.
    pub from: usize,
    /// Where the next page of them begins; none on the last.
    pub next: Option<usize>,
}

/// A tier as somebody typed it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TierDraft {
    /// The lowest score.
    pub min: String,
    /// The highest.
    pub max: String,
    /// Its name.
    pub label: String,
    /// What a document in it looks like.
    pub description: String,
}

impl From<&Tier> for TierDraft {
    fn from(tier: &Tier) -> Self {
        Self {
            min: tier.min.to_string(),
            max: tier.max.to_string(),
            label: tier.label.clone(),
            description: tier.description.clone(),
        }
    }
}

/// A rubric as somebody typed it, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct RubricDraft {
    /// The tiers.
    pub tiers: Vec<TierDraft>,
    /// What is wrong, with the number of the tier from 1; 0 is the rubric as a whole.
    pub problem: Option<(usize, String)>,
}

/// A stored result whose label would change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LabelChange {
    /// The criterion.
    pub criteria_id: String,
    /// The document.
    pub document: String,
    /// The score, as it is shown.
    pub score: String,
    /// The label now.
    pub before: Status,
    /// The label then.
    pub after: Status,
}

/// A change of a rubric or a structure, to go back to what was before it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EditEntry {
    /// Its place in the audit.
    pub number: i64,
    /// Who made it.
    pub who: String,
    /// When.
    pub at: DateTime<Utc>,
    /// The labels or sections that were in force before it.
    pub before: String,
}

/// What a draft would change.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct DraftView {
    /// Whether it differs from what is in force.
    pub is_changed: bool,
    /// The prompt as a model would get it, for the first criterion; empty while something is wrong.
    pub whole_prompt: String,
    /// The lines of the prompt that would be others.
    pub difference: Vec<DiffLine>,
    /// What was changed before, the latest first.
    pub history: Vec<EditEntry>,
}

/// The editor of a rubric.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RubricView {
    /// The set's id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What is being edited.
    pub draft: RubricDraft,
    /// The lines of the prompt; empty while something is wrong.
    pub prompt: String,
    /// Results of the latest run of the set, and those among them that would carry another label.
    pub results: u64,
    /// Some of those, the nearest to the edge first.
    pub changes: Vec<LabelChange>,
    /// How many would change in all.
    pub changed: u64,
    /// Which version of the set this began from.
    pub etag: String,
    /// What it would change beyond labels.
    pub change: DraftView,
    /// What somebody else saved meanwhile.
    pub conflict: Option<Vec<TierDraft>>,
}

/// A section as somebody typed it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SectionDraft {
    /// Its id.
    pub id: String,
    /// `text`, `list` or `number`.
    pub kind: String,
    /// Whether it must be there.
    pub required: bool,
    /// What the judge is to write there.
    pub description: String,
}

/// The editor of a response structure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StructureView {
    /// The set's id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The sections.
    pub sections: Vec<SectionDraft>,
    /// What is wrong, with the number of the section from 1; 0 is the structure as a whole.
    pub problem: Option<(usize, String)>,
    /// The lines of the prompt; empty while something is wrong.
    pub prompt: String,
    /// An answer that would be accepted.
    pub example: String,
    /// Which version of the set this began from.
    pub etag: String,
    /// What it would change.
    pub change: DraftView,
    /// What somebody else saved meanwhile.
    pub conflict: Option<Vec<SectionDraft>>,
}
