//! A compliance run: its figures, its lines, and criteria by documents.

use assize_methods::compliance::Status;
use serde::Serialize;

use super::runs::Figure;
use crate::runs::{ApprovalEntry, RunEntry};

/// A tier with the number of results in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TierCount {
    /// Its name.
    pub label: String,
    /// Its colour.
    pub colour: String,
    /// The lowest score in it.
    pub min: u8,
    /// The highest.
    pub max: u8,
    /// How many results are in it.
    pub results: u64,
}

/// How many lines there are of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Counts {
    /// All that are judged.
    pub all: u64,
    /// In the lower half of the tiers.
    pub weak: u64,
    /// That a person decided.
    pub decided: u64,
    /// Without a score.
    pub unscored: u64,
    /// With a quote that is not in its document.
    pub unfound: u64,
    /// Within two points of a tier's edge.
    pub edge: u64,
    /// To be looked at first.
    pub triage: u64,
}

/// Something that a person should look at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Attention {
    /// The filter that shows it.
    pub filter: &'static str,
    /// How many.
    pub count: u64,
    /// What it is.
    pub what: String,
    /// Why it matters.
    pub why: String,
}

/// A document that denies what another one states.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Contradiction {
    /// The criterion.
    pub criteria_id: String,
    /// The document that denies it.
    pub document: String,
    /// The number of its result in the run, from 1.
    pub number: i64,
}

/// What holds for the documents taken together: of each criterion the best document decides,
/// unless another one denies it.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct SetAtAGlance {
    /// The weighted mean over the criteria with a score. A mean has no tier: it would hide what
    /// is open.
    pub score: Option<f64>,
    /// All criteria.
    pub criteria: u64,
    /// Those that are met.
    pub met: u64,
    /// Those that have a score and are not met.
    pub open: u64,
    /// Those without any score.
    pub without_score: u64,
    /// The lowest tier in which a criterion is met.
    pub met_from: String,
    /// Criteria that one document states and another denies: they count as open.
    pub contradicted: u64,
    /// Documents that deny what another one states.
    pub contradictions: Vec<Contradiction>,
}

/// What readers of a run must know about one of its documents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DocumentFinding {
    /// The document.
    pub document: String,
    /// What: hidden text, text that speaks to the judge.
    pub message: String,
}

/// A compliance run at a glance.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evaluation {
    /// The run.
    pub run: RunEntry,
    /// The criteria set's id.
    pub criteria_set: String,
    /// Its name.
    pub criteria_name: String,
    /// Where the documents come from.
    pub document_set: String,
    /// The documents, in the order of the plan.
    pub documents: Vec<String>,
    /// What readers must know about the documents, whoever judged.
    pub findings: Vec<DocumentFinding>,
    /// How many criteria.
    pub criteria: u64,
    /// The prompt, as `name@version`; rules have none.
    pub template: Option<String>,
    /// The mean of the scores that count.
    pub mean: Figure,
    /// Citations that stand in their documents, and all of them.
    pub citations: (u64, u64),
    /// What holds for the documents taken together.
    pub set: SetAtAGlance,
    /// How many results lie in which tier, the lowest tier first.
    pub tiers: Vec<TierCount>,
    /// How many of which kind.
    pub counts: Counts,
    /// What needs a person.
    pub attention: Vec<Attention>,
    /// Who approved it and who took that back, the oldest first.
    pub approvals: Vec<ApprovalEntry>,
    /// Who could look after a criterion.
    pub people: Vec<String>,
    /// Who is looking.
    pub who: String,
    /// Seconds that are probably left, while it runs.
    pub seconds_left: Option<u64>,
}

/// One result in a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Line {
    /// Its number in the run, from 1.
    pub number: i64,
    /// The criterion.
    pub criteria_id: String,
    /// The requirement.
    pub requirement: String,
    /// The document.
    pub document: String,
    /// What came of it in the end; `pending` before it is judged.
    pub outcome: String,
    /// Why there is no score.
    pub reason: Option<String>,
    /// The effective score.
    pub score: Option<f64>,
    /// Its label.
    pub status: Option<Status>,
    /// The judge's score.
    pub ai_score: Option<f64>,
    /// The judge's confidence.
    pub confidence: Option<i64>,
    /// Citations in the document, and all of them.
    pub citations: (u64, u64),
    /// Whether a person decided.
    pub is_decided: bool,
    /// Who looks after the criterion.
    pub assignee: Option<String>,
    /// Why it is looked at first; only in the list of those that are.
    pub danger: Option<&'static str>,
}

/// A page of lines.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Lines {
    /// The lines.
    pub lines: Vec<Line>,
    /// Where the next page begins; none on the last.
    pub next: Option<String>,
}

/// One criterion under one document.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MatrixCell {
    /// The number of the result in the run, from 1.
    pub number: i64,
    /// What came of it.
    pub outcome: String,
    /// The effective score.
    pub score: Option<f64>,
    /// Its label.
    pub status: Option<Status>,
    /// Whether a person decided.
    pub is_decided: bool,
}

/// A criterion with its cells.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MatrixRow {
    /// The criterion.
    pub criteria_id: String,
    /// The requirement.
    pub requirement: String,
    /// Its group, where its file named one.
    pub category: Option<String>,
    /// Its weight; 1 unless its file says otherwise.
    pub weight: f64,
    /// One for each document; none before it is judged.
    pub cells: Vec<Option<MatrixCell>>,
    /// Who looks after it.
    pub assignee: Option<String>,
    /// The label of the set; none without a score.
    pub status: Option<Status>,
}

/// Criteria by documents.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Matrix {
    /// The documents across.
    pub documents: Vec<String>,
    /// The criteria down.
    pub rows: Vec<MatrixRow>,
    /// Where the next page begins; none on the last.
    pub next: Option<usize>,
    /// The weighted mean of the set's verdicts by category, where there are several.
    pub categories: Vec<(String, f64, u64)>,
}
