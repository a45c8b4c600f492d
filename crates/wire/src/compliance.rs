//! Documents against criteria: sets, runs, single results, searches for a better prompt.

use assize_methods::compliance::optimize::Decision;
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
    /// Its name.
    pub name: String,
    /// What it is about; may be empty.
    pub description: String,
    /// How many criteria it has.
    pub criteria: usize,
    /// When it was changed last.
    pub updated_at: DateTime<Utc>,
    /// Who judges it unless somebody else is named.
    pub judge: Option<String>,
    /// Whether lists leave it out.
    pub archived: bool,
    /// How many tiers its rubric has.
    #[serde(skip)]
    pub tiers: usize,
}

/// A criteria set in full.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CriteriaSet {
    /// Its name.
    pub name: String,
    /// What it is about; may be empty.
    pub description: String,
    /// What scores mean.
    #[schemars(with = "Value")]
    pub scoring_rubric: Rubric,
    /// What an answer holds.
    #[schemars(with = "Value")]
    pub response_structure: ResponseStructure,
    /// Who judges it unless somebody else is named.
    pub judge: Option<String>,
    /// The search that found judge, template and rubric, if one did.
    pub promoted_by: Option<String>,
    /// The criteria in their order.
    pub criteria: Vec<Criterion>,
}

/// One criterion.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Criterion {
    /// What people call it: `AC-2`.
    pub criteria_id: String,
    /// What must be so.
    pub requirement: String,
    /// A title or an explanation; may be empty.
    pub description: String,
    /// The group it stands in.
    pub category: Option<String>,
    /// How much it counts; 1 unless its file says otherwise.
    pub weight: f64,
}

/// A document set in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DocumentSetEntry {
    /// Its name.
    pub name: String,
    /// How many documents it has.
    pub documents: usize,
    /// Since when.
    pub created_at: DateTime<Utc>,
    /// Whether lists leave it out.
    pub archived: bool,
}

/// A document in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DocumentEntry {
    /// Its id.
    pub id: String,
    /// The name of its file.
    pub name: String,
    /// Which of the documents of this name in the set, from 1.
    pub version: i64,
    /// What kind of file: `application/pdf`.
    pub media_type: String,
    /// The hash of its bytes.
    pub content_hash: Option<String>,
    /// How many bytes.
    pub bytes: Option<i64>,
    /// Since when.
    pub created_at: DateTime<Utc>,
}

/// What an analyst would have answered.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TruthKeyEntry {
    /// The document's name.
    pub document: String,
    /// The criterion.
    pub criteria_id: String,
    /// The score they expect.
    pub expected_score: f64,
    /// What they would write, section by section.
    pub sections: Option<Value>,
    /// Who.
    pub analyst: Option<String>,
    /// Whether it settles what analysts say differently.
    pub is_adjudicated: bool,
    /// What they want to add; of one that settles, why.
    pub note: Option<String>,
    /// When it was changed last.
    pub updated_at: DateTime<Utc>,
}

/// What came of an import of truth keys.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct TruthKeysImported {
    /// Keys that are kept now.
    pub kept: usize,
    /// Keys that say N/A or needs information: there is no number to compare with.
    pub without_number: usize,
    /// Rows of a template that nobody filled in.
    pub not_judged: usize,
    /// What could not be used, and why.
    pub problems: Vec<String>,
}

/// A run with its results.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Run {
    /// Its id.
    pub run: String,
    /// How far it has come.
    pub state: String,
    /// Who judged.
    pub judge: String,
    /// What documents were held against.
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
    /// Those that stand in the document.
    pub citations_found: usize,
    /// The tiers, each with the number of its results.
    pub tiers: Vec<Tier>,
    /// The results, document by document.
    pub results: Vec<ResultLine>,
    /// How long it took, where it was worked on just now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Results that were made just now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judged: Option<u64>,
}

/// A tier with the number of its results.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tier {
    /// What it is called.
    pub label: String,
    /// The lowest score in it.
    pub min: u8,
    /// The highest.
    pub max: u8,
    /// How many results lie in it.
    pub results: usize,
}

/// What came of one document and one criterion.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ResultLine {
    /// The document's name.
    pub document: String,
    /// The criterion.
    pub criteria_id: String,
    /// What came of it in the end: `scored`, `not_applicable`, …
    pub outcome: String,
    /// The score that counts: a person's, or else the judge's.
    pub score: Option<f64>,
    /// Its tier.
    pub status: Option<String>,
    /// The judge's score.
    pub ai_score: Option<f64>,
    /// How sure the judge is.
    pub confidence: Option<i64>,
    /// Whether a person said something else than the judge.
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
    /// What came of it in the end.
    pub outcome: String,
    /// The score that counts.
    pub score: Option<f64>,
    /// Its tier.
    pub status: Option<&'a Status>,
    /// The judge's score.
    pub ai_score: Option<f64>,
    /// How sure the judge is.
    pub confidence: Option<i64>,
    /// Why there is no score.
    pub reason: Option<&'a str>,
    /// The judge's words, section by section.
    pub sections: Option<&'a Value>,
    /// What was quoted, with its place.
    pub citations: &'a [C],
    /// How the judge's score was computed.
    pub ledger: Option<&'a Value>,
    /// The judge’s raw answer, where it could not be read.
    pub raw_answer: Option<&'a str>,
    /// The keys of the exchanges with a model.
    pub exchanges: Option<&'a Value>,
    /// Everything people said, the oldest first.
    pub overrides: &'a [O],
}

/// A search for a better prompt, rubric or judge. `C` is a candidate as it is stored.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Search<'a, C> {
    /// Its id.
    pub search: &'a str,
    /// How far it has come.
    pub state: String,
    /// What was tried; the first is in use.
    pub candidates: &'a [String],
    /// What is to be done; null if it was stopped before.
    pub decision: Option<&'a Decision>,
    /// The candidates with their figures.
    pub rows: &'a [C],
}

/// A search for a better prompt, rubric or judge.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SearchView {
    /// Its id.
    pub search: String,
    /// How far it has come.
    pub state: String,
    /// Why it failed, if it did.
    pub failure: Option<String>,
    /// When it was planned.
    pub created_at: DateTime<Utc>,
    /// What is tried; the first is in use.
    pub candidates: Vec<Tried>,
    /// What it came to: the winner, the tests, whether it was promoted.
    pub decision: Option<Value>,
}

/// One thing that a search tries.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Tried {
    /// What it is called.
    pub name: String,
    /// Who judges.
    pub judge: String,
    /// How it did on the keys that are tuned on.
    pub tune: Option<Value>,
    /// How it did on the keys that are held out.
    pub holdout: Option<Value>,
    /// Whether it is what the set uses from now on.
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
}

/// Why there is no score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UnscoredLedger<'a> {
    /// The format of the ledger.
    pub format: u32,
    /// Why.
    pub unscored: &'a str,
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
