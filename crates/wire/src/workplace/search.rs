//! Searches for a better prompt, rubric or judge, as people compare their candidates.

use assize_methods::compliance::optimize::Comparison;
use chrono::{DateTime, Utc};
use serde::Serialize;

use super::prompts::DiffLine;

/// A search in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SearchRow {
    /// Its id.
    pub id: String,
    /// Its state.
    pub state: String,
    /// The criteria set.
    pub criteria_set: String,
    /// The document set with the truth keys.
    pub document_set: String,
    /// How many candidates it has.
    pub candidates: usize,
    /// When it was planned.
    pub created_at: DateTime<Utc>,
    /// What it came to, in words.
    pub because: Option<String>,
    /// Which candidate the set uses since.
    pub promoted: Option<String>,
}

/// How a candidate does on some of the keys.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct OnKeys {
    /// Its mean accuracy; none before it scored one.
    pub mean: Option<f64>,
    /// Keys that it scored.
    pub scored: usize,
    /// All of those keys.
    pub of: usize,
}

/// One candidate of a search.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CandidateView {
    /// Its name.
    pub name: String,
    /// Its prompt, as `name@version`; rules have none.
    pub template: Option<String>,
    /// What it was proposed from.
    pub parent: Option<String>,
    /// On the keys that are tuned on.
    pub tune: OnKeys,
    /// On the keys that decide; only the best candidate and the one in use meet them.
    pub hold_out: OnKeys,
    /// Beside the one in use, on the keys that are tuned on.
    pub tuned: Option<Comparison>,
    /// Beside the one in use, on the keys that decide.
    pub decided: Option<Comparison>,
    /// Whether it is what the set uses since.
    pub is_promoted: bool,
    /// The number of the run that judged it.
    pub run: Option<i64>,
    /// What its prompt says differently from the one in use; empty if nothing.
    pub diff: Vec<DiffLine>,
}

/// A search with its candidates; the first is what is in use.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SearchPage {
    /// The search.
    pub search: SearchRow,
    /// The criteria set's id.
    pub criteria_set_id: String,
    /// Why it stopped or failed.
    pub failure: Option<String>,
    /// Keys that are tuned on, and keys that decide.
    pub keys: (usize, usize),
    /// Who proposes prompts, if anybody, and how many at most.
    pub proposer: Option<(String, usize)>,
    /// Whether the winner is promoted without asking.
    pub promotes: bool,
    /// The candidates.
    pub candidates: Vec<CandidateView>,
    /// The winner that waits to be promoted.
    pub winner: Option<String>,
}

/// What a search can be started with.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct SearchChoices {
    /// The criteria sets.
    pub criteria_sets: Vec<String>,
    /// The document sets.
    pub document_sets: Vec<String>,
    /// Prompts as `name@version`.
    pub templates: Vec<String>,
    /// Models that can judge, beside the rules.
    pub judges: Vec<String>,
}
