//! One item with all that belongs to it.

use assize_methods::compliance::Status;
use assize_methods::compliance::rules::PartVerdict;
use assize_methods::compliance::tiers::Tier;
use chrono::{DateTime, Utc};
use serde::Serialize;

use super::dispute::TruthOfResult;
use crate::runs::RunEntry;

/// The item before or after.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Neighbour {
    /// Its number in the run, from 1.
    pub number: i64,
    /// Its name.
    pub name: String,
}

/// A quote with its place.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cited {
    /// The words as the judge gave them.
    pub quote: String,
    /// How they were found: `exact`, `normalized`, `elided`, `fuzzy`, `not_found`, `not looked up`.
    pub matched: String,
    /// The share of words in common with what was found.
    pub similarity: Option<f64>,
    /// The first code point and the one after the last.
    pub place: Option<(usize, usize)>,
    /// The page, from 1.
    pub page: Option<usize>,
}

/// The text that was judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExhibitText {
    /// The document's name.
    pub name: String,
    /// Its id, for the original.
    pub id: String,
    /// Its text as it was read.
    pub text: String,
    /// How many pages it has; 0 where the format has none.
    pub pages: usize,
}

/// A section of an answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SectionView {
    /// Its id.
    pub id: String,
    /// `text`, `list` or `number`.
    pub kind: &'static str,
    /// Whether an answer without it has a defect.
    pub is_required: bool,
    /// What the judge wrote; a list has several lines, a missing section none.
    pub judge: Vec<String>,
    /// What a person wrote instead.
    pub person: Option<Vec<String>>,
}

/// What a person said about a result.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Decided {
    /// Who.
    pub author: String,
    /// When.
    pub at: DateTime<Utc>,
    /// Why.
    pub reason: String,
    /// Whether it takes back what was said before.
    pub is_withdrawal: bool,
    /// What was said, in words: `score 60`, `not applicable`, `section findings`.
    pub what: String,
}

/// What a person's decision holds now.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Settled {
    /// The score, if one was given.
    pub score: Option<f64>,
    /// `not_applicable` or `needs_information`, if one was given.
    pub outcome: Option<String>,
}

/// One compliance result in full.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ResultView {
    /// The run.
    pub run: RunEntry,
    /// Its number in the run, from 1.
    pub number: i64,
    /// The criterion.
    pub criteria_id: String,
    /// The requirement.
    pub requirement: String,
    /// A title or an explanation; may be empty.
    pub description: String,
    /// The document.
    pub document: ExhibitText,
    /// The outcome.
    pub outcome: String,
    /// Why there is no score.
    pub reason: Option<String>,
    /// The score that counts, and its label.
    pub score: Option<(f64, Status)>,
    /// The judge's score, and its label.
    pub ai_score: Option<(f64, Status)>,
    /// The judge's confidence.
    pub confidence: Option<i64>,
    /// The tiers of the run.
    pub tiers: Vec<Tier>,
    /// Who judged.
    pub judge: String,
    /// The prompt, as `name@version`.
    pub template: Option<String>,
    /// The sections.
    pub sections: Vec<SectionView>,
    /// The quotes.
    pub citations: Vec<Cited>,
    /// What people said, the oldest first.
    pub history: Vec<Decided>,
    /// What counts of that now.
    pub settled: Option<Settled>,
    /// What analysts say it should be.
    pub truth: TruthOfResult,
    /// The lines of how the score was computed: depth, and what the line says.
    pub ledger: Vec<(usize, String)>,
    /// What a reader read for each part of the requirement, if one was asked.
    pub parts: Vec<PartVerdict>,
    /// Why it is looked at first, if it is.
    pub danger: Option<&'static str>,
    /// The judge’s raw answer, where it could not be read.
    pub raw_answer: Option<String>,
    /// The one before and the one after.
    pub around: [Option<Neighbour>; 2],
}

/// A measure of an item.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Measured {
    /// The measure.
    pub name: String,
    /// Its value.
    pub value: Option<f64>,
}

/// An item of another instrument: what all of them show.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ItemView {
    /// The run.
    pub run: RunEntry,
    /// Its number in the run, from 1.
    pub number: i64,
    /// Its name.
    pub subject: String,
    /// What came of it; `pending` before it is judged.
    pub outcome: String,
    /// Why it has no score.
    pub reason: Option<String>,
    /// Its measures.
    pub measures: Vec<Measured>,
    /// What people said about it, the oldest first.
    pub comments: Vec<Decided>,
    /// The one before and the one after.
    pub around: [Option<Neighbour>; 2],
}
