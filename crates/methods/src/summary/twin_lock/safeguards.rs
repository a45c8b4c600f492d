//! What one metric puts on another, once all five are known.

use assize_score::{Cap, Working};

use super::Scores;
use crate::summary::evidence::Claim;
use crate::summary::shares::has_unsupported;

/// The highest coverage and relevance of a summary that hallucinates.
pub(crate) const HALLUCINATION_CAP: f64 = 4.0;

/// Holds coverage and relevance as soon as one claim is unsupported.
///
/// After all five, and not inside coverage: the framework computes coverage first and caps it
/// by hallucination, which comes third. A claim supported in part lowers the hallucination score
/// and triggers nothing; the framework says "unsupported" here and "partial" elsewhere.
pub(crate) fn apply<N: Working>(mut scores: Scores<N>, claims: &[Claim]) -> Scores<N> {
    let hallucinates = has_unsupported(claims);
    for overall in [&mut scores.coverage.overall, &mut scores.relevance.overall] {
        let cap = Cap::when(hallucinates, HALLUCINATION_CAP, "the summary hallucinates");
        *overall = overall.clone().map(|score| score.capped(vec![cap]));
    }
    scores
}
