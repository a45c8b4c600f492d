//! Relevance: does every part of the summary belong to the article?

use assize_score::arithmetic::times;
use assize_score::{Cap, Working};

use crate::summary::evidence::{RelevanceEvidence, Segment};
use crate::summary::labels::Overlap;
use crate::summary::metrics::{Scored, Unscored};

/// What a segment with high overlap is worth.
const HIGH: f64 = 1.0;

/// What a segment with some overlap is worth; without any it is worth nothing. Judge-Lock gives
/// 0.3 for the same label: both are the frameworks' own numbers.
const SOME: f64 = 0.5;

/// The highest score of a summary with a segment that overlaps with nothing.
pub const FOREIGN_SEGMENT_CAP: f64 = 4.0;

/// Relevance and the number on the way to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Relevance<N> {
    /// The mean worth of the segments.
    pub section_overlap: Scored<N>,
    /// The score.
    pub overall: Scored<N>,
}

/// Ten times the mean worth of the segments.
pub fn score<N: Working>(evidence: &RelevanceEvidence) -> Relevance<N> {
    if evidence.segments.is_empty() {
        let none = Unscored("the summary has no segment");
        return Relevance { section_overlap: Err(none), overall: Err(none) };
    }
    let section_overlap: N = mean_worth(&evidence.segments);
    let foreign = evidence.segments.iter().any(|segment| segment.label() == Overlap::None);
    let because = "a segment shares too little with the article";
    let caps = vec![Cap::when(foreign, FOREIGN_SEGMENT_CAP, because)];
    let overall = times("relevance", 10.0, section_overlap.clone()).capped(caps).rounded(2);
    Relevance { section_overlap: Ok(section_overlap), overall: Ok(overall) }
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
