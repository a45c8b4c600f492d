//! Looking for a better prompt, rubric or judge: tuned on some truth keys, decided on others.
//!
//! A search is planned once ([`plan`]): the keys, how they are divided, and the candidates, the
//! first of which is what is in use. Then it proceeds ([`proceed`]): every candidate is judged on
//! the keys to tune on, a model may propose others ([`propose`]), and only the best meets the
//! keys held out. Whatever stops it, it goes on from there.

pub mod plan;
pub mod proceed;
pub(crate) mod promote;

use assize_methods::compliance::Rubric;
use assize_methods::compliance::optimize::{Comparison, Split};
use assize_store::{CriteriaItemId, DocumentId, OptCandidate, OptRun};
use serde::{Deserialize, Serialize};

use super::error::{ComplianceError, Result};

/// What decides a search, frozen before it begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchPlan {
    /// The pairs that have a key, in order.
    pub pairs: Vec<(DocumentId, CriteriaItemId)>,
    /// Which of them are tuned on, and which decide.
    pub split: Split,
    /// How much of a document a model is shown, in tokens.
    pub context_tokens: usize,
    /// Who proposes other templates, if anybody.
    pub proposer: Option<String>,
    /// How many templates may be proposed; fewer if the proposer repeats itself.
    pub proposals: usize,
    /// Whether the winner is to be used from now on.
    pub promotes: bool,
}

impl SearchPlan {
    /// That of a stored search.
    pub fn of(run: &OptRun) -> Result<Self> {
        let json = run.configuration.clone().unwrap_or_default();
        serde_json::from_value(json)
            .map_err(|source| ComplianceError::Stored { what: "the plan of a search", source })
    }
}

/// A search with all it tried.
#[derive(Debug)]
pub struct Search {
    /// The search.
    pub run: OptRun,
    /// The candidates; the first is what is in use.
    pub candidates: Vec<OptCandidate>,
    /// What they are called, in the same order.
    pub names: Vec<String>,
}

impl Search {
    /// Where the candidate of a comparison stands: found by its id, as names are for people.
    fn place_of(&self, one: &Comparison) -> Result<usize> {
        let place = self.candidates.iter().position(|candidate| candidate.id.as_str() == one.id);
        place.ok_or_else(|| ComplianceError::missing("candidate", &one.id))
    }
}

/// The rubric of a candidate; none is the set's.
pub(super) fn rubric_of(candidate: &OptCandidate) -> Result<Option<Rubric>> {
    match &candidate.scoring_rubric {
        Some(json) => Ok(Some(Rubric::from_json(Some(json))?)),
        None => Ok(None),
    }
}
