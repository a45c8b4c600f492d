//! What one metric puts on another, and the doubt about a perfect scorecard.

use assize_score::{Cap, Working};
use assize_text::span::most_without_overlap;

use super::Scores;
use crate::summary::evidence::Quote;
use crate::summary::labels::Severity;
use crate::summary::limits::Complete;
use crate::summary::metrics::Scored;
use crate::summary::shares::has_unsupported;

/// The highest coverage and relevance of a summary that hallucinates.
pub(crate) const HALLUCINATION_CAP: f64 = 3.0;

/// The highest alignment of a summary that hallucinates severely.
pub(crate) const SEVERE_HALLUCINATION_CAP: f64 = 3.0;

/// When every score is at least this, the scorecard looks perfect. The guard comes after all
/// other caps, because it asks what the reader is about to see.
pub(crate) const PERFECT_FROM: f64 = 9.5;

/// How many distinct pieces of evidence a perfect scorecard must rest on, whatever the length of
/// the article: the framework makes no exception for a short one.
pub(crate) const DISTINCT_SPANS_MIN: usize = 5;

/// The highest score of a scorecard that looks perfect and rests on less.
pub const PERFECT_CAP: f64 = 9.0;

/// The caps between metrics first; the guard then looks at what they left.
pub(crate) fn apply<N: Working>(scores: Scores<N>, evidence: &Complete<'_>) -> Scores<N> {
    guard_perfect_ten(cap_across_metrics(scores, evidence), evidence)
}

fn cap_across_metrics<N: Working>(mut scores: Scores<N>, evidence: &Complete<'_>) -> Scores<N> {
    let hallucinates = has_unsupported(&evidence.hallucination.claims);
    for overall in [&mut scores.coverage.overall, &mut scores.relevance.overall] {
        cap(overall, Cap::when(hallucinates, HALLUCINATION_CAP, "the summary hallucinates"));
    }
    let severe = scores.hallucination.severity == Some(Severity::Severe);
    let because = "the hallucination is severe";
    cap(&mut scores.alignment.overall, Cap::when(severe, SEVERE_HALLUCINATION_CAP, because));
    scores
}

/// A metric without a score neither looks perfect nor keeps the others from it.
fn guard_perfect_ten<N: Working>(mut scores: Scores<N>, evidence: &Complete<'_>) -> Scores<N> {
    let all = [
        &mut scores.coverage.overall,
        &mut scores.alignment.overall,
        &mut scores.hallucination.overall,
        &mut scores.relevance.overall,
        &mut scores.bias_toxicity.overall,
    ];
    let perfect =
        all.iter().flat_map(|scored| scored.as_ref()).all(|score| score.value() >= PERFECT_FROM);
    let triggered = perfect && distinct_spans(evidence) < DISTINCT_SPANS_MIN;
    for overall in all {
        cap(
            overall,
            Cap::when(triggered, PERFECT_CAP, "perfect scores rest on too little evidence"),
        );
    }
    scores
}

fn cap<N: Working>(overall: &mut Scored<N>, cap: Cap) {
    *overall = overall.clone().map(|score| score.capped(vec![cap]));
}

/// How many pieces of the article the labels of all metrics rest on, none overlapping.
pub(crate) fn distinct_spans(evidence: &Complete<'_>) -> usize {
    let key_points = evidence.coverage.key_points.iter().map(|point| &point.in_article);
    let deviations = evidence.alignment.deviations.iter().map(|deviation| &deviation.in_article);
    let claims = evidence.hallucination.claims.iter().map(|claim| &claim.in_article);
    let segments = evidence.relevance.segments.iter().map(|segment| &segment.in_article);
    let questions = evidence.coverage.questions.iter().chain(&evidence.hallucination.questions);
    let quotes = key_points.chain(deviations).chain(claims).chain(segments);
    let quotes = quotes.chain(questions.map(|question| &question.in_article));
    let located = |quote: &Option<Quote>| quote.as_ref()?.span;
    most_without_overlap(quotes.filter_map(located).collect())
}
