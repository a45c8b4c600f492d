//! Relevance: does every part of the summary belong to the article?

use assize_score::arithmetic::times;
use assize_score::{Cap, Working};

use crate::summary::evidence::RelevanceEvidence;
use crate::summary::framework::{Relevance, section_overlap};
use crate::summary::labels::Overlap;

/// What a segment with some overlap is worth; without any it is worth nothing. Judge-Lock gives
/// 0.3 for the same label: both are the frameworks' own numbers.
const SOME: f64 = 0.5;

/// The highest score of a summary with a segment that overlaps with nothing.
pub(crate) const FOREIGN_SEGMENT_CAP: f64 = 4.0;

/// Ten times the mean worth of the segments.
pub fn score<N: Working>(evidence: &RelevanceEvidence) -> Relevance<N> {
    let section_overlap = section_overlap::<N>(&evidence.segments, SOME);
    let foreign = evidence.segments.iter().any(|segment| segment.label() == Overlap::None);
    let because = "a segment shares too little with the article";
    let caps = vec![Cap::when(foreign, FOREIGN_SEGMENT_CAP, because)];
    let overall = section_overlap
        .clone()
        .map(|overlap| times("relevance", 10.0, overlap).capped(caps).rounded(2));
    Relevance { section_overlap, overall }
}
