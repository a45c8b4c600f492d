//! Alignment: does the summary keep the article's intent, stance and tone?

use assize_score::Working;

use crate::summary::drift::ladder;
use crate::summary::evidence::AlignmentEvidence;
use crate::summary::metrics::Scored;

/// Alignment.
#[derive(Debug, Clone, PartialEq)]
pub struct Alignment<N> {
    /// The score.
    pub overall: Scored<N>,
}

/// The ladder of mild and severe deviations.
pub fn score<N: Working>(evidence: &AlignmentEvidence) -> Alignment<N> {
    Alignment { overall: Ok(ladder(&evidence.deviations)) }
}
