//! Relevance: does every part of the summary belong to the article, and answer for it?

use assize_score::arithmetic::{harmonic_mean, times};
use assize_score::{Cap, Working};

use crate::summary::evidence::{Claim, RelevanceEvidence};
use crate::summary::framework::{Relevance, section_overlap};
use crate::summary::labels::Overlap;
use crate::summary::metrics::Scored;
use crate::summary::questions::is_unanswerable;
use crate::summary::shares::has_unsupported;

/// What a segment with some overlap is worth; without any it is worth nothing.
const SOME: f64 = 0.3;

/// The highest score of a summary with a foreign segment or an extraneous claim.
pub(crate) const FOREIGN_CAP: f64 = 3.0;

/// Ten times the harmonic mean of the overlap and coverage's accuracy of answers.
pub fn score<N: Working>(
    evidence: &RelevanceEvidence,
    claims: &[Claim],
    qag_accuracy: Scored<N>,
) -> Relevance<N> {
    let section_overlap: Scored<N> = section_overlap(&evidence.segments, SOME);
    let foreign = evidence.segments.iter().any(|segment| segment.label() == Overlap::None);
    let caps = vec![
        Cap::when(foreign, FOREIGN_CAP, "a segment shares too little with the article"),
        Cap::when(has_unsupported(claims), FOREIGN_CAP, "a claim is extraneous"),
    ];
    // Without segments that is the reason, whatever the questions came to.
    let overall = section_overlap.clone().and_then(|overlap| {
        let both = if is_unanswerable(&qag_accuracy) {
            overlap
        } else {
            harmonic_mean("overlap with accuracy", overlap, qag_accuracy?)
        };
        Ok(times("relevance", 10.0, both).capped(caps).rounded(2))
    });
    Relevance { section_overlap, overall }
}
