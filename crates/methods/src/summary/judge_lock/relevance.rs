//! Relevance: does every part of the summary belong to the article, and answer for it?

use assize_score::arithmetic::{harmonic_mean, times};
use assize_score::{Cap, Working};

use crate::summary::evidence::{Claim, RelevanceEvidence, Segment};
use crate::summary::labels::Overlap;
use crate::summary::metrics::{Scored, Unscored};
use crate::summary::shares::has_unsupported;

/// What a segment with high overlap is worth.
const HIGH: f64 = 1.0;

/// What a segment with some overlap is worth; without any it is worth nothing.
const SOME: f64 = 0.3;

/// The highest score of a summary with a foreign segment or an extraneous claim.
pub const FOREIGN_CAP: f64 = 3.0;

/// Relevance and the number on the way to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Relevance<N> {
    /// The mean worth of the segments.
    pub section_overlap: Scored<N>,
    /// The score.
    pub overall: Scored<N>,
}

/// Ten times the harmonic mean of the overlap and coverage's accuracy of answers.
pub fn score<N: Working>(
    evidence: &RelevanceEvidence,
    claims: &[Claim],
    qag_accuracy: Scored<N>,
) -> Relevance<N> {
    if evidence.segments.is_empty() {
        let none = Unscored("the summary has no segment");
        return Relevance { section_overlap: Err(none), overall: Err(none) };
    }
    let section_overlap: N = mean_worth(&evidence.segments);
    let foreign = evidence.segments.iter().any(|segment| segment.label() == Overlap::None);
    let caps = vec![
        Cap::when(foreign, FOREIGN_CAP, "a segment shares too little with the article"),
        Cap::when(has_unsupported(claims), FOREIGN_CAP, "a claim is extraneous"),
    ];
    let overall = qag_accuracy.map(|accuracy| {
        let both = harmonic_mean("overlap with accuracy", section_overlap.clone(), accuracy);
        times("relevance", 10.0, both).capped(caps).rounded(2)
    });
    Relevance { section_overlap: Ok(section_overlap), overall }
}

/// Counted by label, so that the order of the segments cannot matter.
fn mean_worth<N: Working>(segments: &[Segment]) -> N {
    let count = |label| segments.iter().filter(|segment| segment.label() == label).count() as f64;
    let (high, some) = (count(Overlap::High), count(Overlap::Some));
    let total = segments.len() as f64;
    let inputs = [
        N::given("segments with high overlap", high),
        N::given("segments with some overlap", some),
        N::given("segments", total),
    ];
    let value = (high * HIGH + some * SOME) / total;
    let formula = || format!("(high + {SOME} some) / segments");
    N::computed_by("section overlap", formula, value, inputs)
}
