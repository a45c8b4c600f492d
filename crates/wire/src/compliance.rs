//! Documents against criteria: sets, runs, single results, searches for a better prompt.

use assize_methods::compliance::optimize::Decision;
use assize_methods::compliance::rules::PartVerdict;
use assize_methods::compliance::sections::ResponseStructure;
use assize_methods::compliance::tiers::{Rubric, Status};
use assize_score::Verdict;
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// A criteria set in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CriteriaSetEntry {
    /// Its id, which stays when its name changes; either names it in an address.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What it is about; may be empty.
    pub description: String,
    /// How many criteria it has.
    pub criteria: usize,
    /// When it was last changed.
    pub updated_at: DateTime<Utc>,
    /// The default judge.
    pub judge: Option<String>,
    /// Whether it is archived and hidden from lists.
    pub archived: bool,
    /// How many tiers its rubric has.
    #[serde(skip)]
    pub tiers: usize,
}

/// A criteria set in full.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CriteriaSet {
    /// Its id, which stays when its name changes; either names it in an address.
    pub id: String,
    /// Its name.
    pub name: String,
    /// What it is about; may be empty.
    pub description: String,
    /// The rubric.
    #[schemars(with = "Value")]
    pub scoring_rubric: Rubric,
    /// The response structure.
    #[schemars(with = "Value")]
    pub response_structure: ResponseStructure,
    /// The default judge.
    pub judge: Option<String>,
    /// The search that found the judge, template and rubric, if any.
    pub promoted_by: Option<String>,
    /// The criteria in their order.
    pub criteria: Vec<Criterion>,
}

/// One criterion.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Criterion {
    /// Its id, such as `AC-2`.
    pub criteria_id: String,
    /// The requirement.
    pub requirement: String,
    /// A title or an explanation; may be empty.
    pub description: String,
    /// Its category.
    pub category: Option<String>,
    /// Its weight; 1 unless its file says otherwise.
    pub weight: f64,
}

/// A document set in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DocumentSetEntry {
    /// Its id, which stays when its name changes; either names it in an address.
    pub id: String,
    /// Its name.
    pub name: String,
    /// How many documents it has.
    pub documents: usize,
    /// When it was created.
    pub created_at: DateTime<Utc>,
    /// Whether it is archived and hidden from lists.
    pub archived: bool,
}

/// A document in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DocumentEntry {
    /// Its id.
    pub id: String,
    /// The name of its file.
    pub name: String,
    /// The version of the document in the set, from 1.
    pub version: i64,
    /// The media type, such as `application/pdf`.
    pub media_type: String,
    /// The hash of its bytes.
    pub content_hash: Option<String>,
    /// How many bytes.
    pub bytes: Option<i64>,
    /// When it was created.
    pub created_at: DateTime<Utc>,
}

/// A truth key: the answer an analyst expects.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TruthKeyEntry {
    /// The document's name.
    pub document: String,
    /// The criterion.
    pub criteria_id: String,
    /// The expected score.
    pub expected_score: f64,
    /// The expected text of each section.
    pub sections: Option<Value>,
    /// Who.
    pub analyst: Option<String>,
    /// Whether it adjudicates a disagreement between analysts.
    pub is_adjudicated: bool,
    /// A note; for an adjudication, the reason.
    pub note: Option<String>,
    /// When it was last changed.
    pub updated_at: DateTime<Utc>,
}

/// The result of importing truth keys.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct TruthKeysImported {
    /// Keys imported.
    pub kept: usize,
    /// Keys that are N/A or needs information and have no number to compare with.
    pub without_number: usize,
    /// Rows of a template that nobody filled in.
    pub not_judged: usize,
    /// What could not be imported, and why.
    pub problems: Vec<String>,
}

/// A run with its results.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Run {
    /// Its id.
    pub run: String,
    /// Its state.
    pub state: String,
    /// Who judged.
    pub judge: String,
    /// The criteria set.
    pub criteria_set: String,
    /// Where the documents come from.
    pub document_set: String,
    /// Results that were planned.
    pub planned: usize,
    /// Results with a score.
    pub scored: usize,
    /// Results without one.
    pub unscored: usize,
    /// The mean of the scores; null if there are none.
    pub mean: Option<f64>,
    /// All citations.
    pub citations: usize,
    /// Citations found in the document.
    pub citations_found: usize,
    /// The tiers, each with the number of its results.
    pub tiers: Vec<Tier>,
    /// The results, document by document.
    pub results: Vec<ResultLine>,
    /// How long it took, if it was processed just now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Results that were made just now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judged: Option<u64>,
}

/// A tier with the number of its results.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tier {
    /// Its name.
    pub label: String,
    /// The lowest score in it.
    pub min: u8,
    /// The highest.
    pub max: u8,
    /// How many results are in it.
    pub results: usize,
}

/// The result for one document and one criterion.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct ResultLine {
    /// The document's name.
    pub document: String,
    /// The criterion.
    pub criteria_id: String,
    /// The outcome: `scored`, `not_applicable`, …
    pub outcome: String,
    /// The effective score: a person's override, otherwise the judge's.
    pub score: Option<f64>,
    /// Its tier.
    pub status: Option<String>,
    /// The judge's score.
    pub ai_score: Option<f64>,
    /// The judge's confidence.
    pub confidence: Option<i64>,
    /// Whether a person overrode the judge.
    pub overridden: bool,
    /// Why there is no score.
    pub reason: Option<String>,
}

/// One result in full. `C` is a citation and `O` what a person said instead, as they are stored.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ResultDetail<'a, C, O> {
    /// The criterion.
    pub criteria_id: &'a str,
    /// What was required.
    pub requirement: &'a str,
    /// The document's name.
    pub document: &'a str,
    /// The outcome.
    pub outcome: String,
    /// The effective score.
    pub score: Option<f64>,
    /// Its tier.
    pub status: Option<&'a Status>,
    /// The judge's score.
    pub ai_score: Option<f64>,
    /// The judge's confidence.
    pub confidence: Option<i64>,
    /// Why there is no score.
    pub reason: Option<&'a str>,
    /// The judge's text for each section.
    pub sections: Option<&'a Value>,
    /// The citations with their positions.
    pub citations: &'a [C],
    /// How the judge's score was computed.
    pub ledger: Option<&'a Value>,
    /// The judge’s raw answer, where it could not be read.
    pub raw_answer: Option<&'a str>,
    /// The keys of the exchanges with a model.
    pub exchanges: Option<&'a Value>,
    /// All overrides, oldest first.
    pub overrides: &'a [O],
}

/// A search for a better prompt, rubric or judge. `C` is a candidate as it is stored.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Search<'a, C> {
    /// Its id.
    pub search: &'a str,
    /// Its state.
    pub state: String,
    /// What was tried; the first is in use.
    pub candidates: &'a [String],
    /// The decision; null if the search was stopped before.
    pub decision: Option<&'a Decision>,
    /// The candidates with their figures.
    pub rows: &'a [C],
}

/// A search for a better prompt, rubric or judge.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SearchView {
    /// Its id.
    pub search: String,
    /// Its state.
    pub state: String,
    /// Why it failed, if it did.
    pub failure: Option<String>,
    /// When it was planned.
    pub created_at: DateTime<Utc>,
    /// What is tried; the first is in use.
    pub candidates: Vec<Tried>,
    /// The decision: the winner, the tests, whether it was promoted.
    pub decision: Option<Value>,
}

/// One thing that a search tries.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Tried {
    /// Its name.
    pub name: String,
    /// Who judges.
    pub judge: String,
    /// Its figures on the tuning keys.
    pub tune: Option<Value>,
    /// Its figures on the held-out keys.
    pub holdout: Option<Value>,
    /// Whether the set uses it from now on.
    pub promoted: bool,
}

/// How a stored score was computed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ledger<'a> {
    /// The format of the ledger.
    pub format: u32,
    /// The score with its workings.
    pub verdict: &'a Verdict,
    /// Which part of the document was looked at.
    pub context: Seen,
    /// What each repeat said, if the judge was asked several times.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub repeats: &'a [crate::repeats::Repeat],
    /// The parts of the requirement with what a reader read for each, if one was asked.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub parts: &'a [PartVerdict],
}

/// Why there is no score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UnscoredLedger<'a> {
    /// The format of the ledger.
    pub format: u32,
    /// Why.
    pub unscored: &'a str,
    /// What each repeat said, if the judge was asked several times.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub repeats: &'a [crate::repeats::Repeat],
}

/// Which part of a document a judge was shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Seen {
    /// All of it.
    Whole {
        /// Always true: readers look at this field first.
        whole: bool,
    },
    /// Some passages.
    Part {
        /// Always false.
        whole: bool,
        /// Begin and end of each passage, in bytes.
        passages_bytes: Vec<(usize, usize)>,
        /// How long they are together.
        bytes: usize,
        /// How long the document is.
        of_bytes: usize,
    },
}
