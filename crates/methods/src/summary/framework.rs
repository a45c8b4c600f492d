//! What Twin-Lock and Judge-Lock share: five metrics, of which three have the same parts.

use assize_score::{Explained, Finding, MethodVersion, Verdict, Working};

use super::drift::ladder;
use super::evidence::{AlignmentEvidence, Evidence, Segment};
use super::labels::Overlap;
use super::limits::{Complete, Limits};
use super::metrics::{FiveMetrics, Scored, Unscored, outcome};
use super::refusal::Refusal;

/// The five metrics with the numbers on the way to them.
///
/// Coverage `C` and hallucination `H` have other parts in each framework.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores<N, C, H> {
    /// Does it say what matters, and nothing else?
    pub coverage: C,
    /// Does it keep intent, stance and tone?
    pub alignment: Alignment<N>,
    /// Does it invent?
    pub hallucination: H,
    /// Does every part of it belong to the article?
    pub relevance: Relevance<N>,
    /// Is it fair and civil?
    pub bias_toxicity: BiasToxicity<N>,
}

/// A metric with parts, of which one is its score.
pub trait Scoring<N> {
    /// The score alone.
    fn into_overall(self) -> Scored<N>;
}

impl<N, C: Scoring<N>, H: Scoring<N>> Scores<N, C, H> {
    /// Only the five scores.
    pub fn overall(self) -> FiveMetrics<Scored<N>> {
        FiveMetrics {
            coverage: self.coverage.into_overall(),
            alignment: self.alignment.overall,
            hallucination: self.hallucination.into_overall(),
            relevance: self.relevance.overall,
            bias_toxicity: self.bias_toxicity.overall,
        }
    }
}

/// Alignment.
#[derive(Debug, Clone, PartialEq)]
pub struct Alignment<N> {
    /// The score.
    pub overall: Scored<N>,
}

impl<N: Working> Alignment<N> {
    /// The ladder of mild and severe deviations.
    pub fn of(evidence: &AlignmentEvidence) -> Self {
        Self { overall: Ok(ladder(&evidence.deviations)) }
    }
}

/// Relevance and the number on the way to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Relevance<N> {
    /// The mean worth of the segments.
    pub section_overlap: Scored<N>,
    /// The score.
    pub overall: Scored<N>,
}

/// The mean worth of the segments, where one with some overlap is worth `some`; one with high
/// overlap is worth 1, one with none nothing.
///
/// Counted by label, so that the order of the segments cannot matter.
pub(super) fn section_overlap<N: Working>(segments: &[Segment], some: f64) -> Scored<N> {
    if segments.is_empty() {
        return Err(Unscored("the summary has no segment"));
    }
    let count = |label| segments.iter().filter(|segment| segment.label() == label).count() as f64;
    let (high, partial) = (count(Overlap::High), count(Overlap::Some));
    let total = segments.len() as f64;
    let inputs = [
        N::given("segments with high overlap", high),
        N::given("segments with some overlap", partial),
        N::given("segments", total),
    ];
    let formula = || format!("(high + {some} some) / segments");
    Ok(N::computed_by("section overlap", formula, (high + partial * some) / total, inputs))
}

/// Bias and toxicity, and the two scores it is the mean of.
#[derive(Debug, Clone, PartialEq)]
pub struct BiasToxicity<N> {
    /// How fair the wording is.
    pub bias_score: N,
    /// How civil the wording is.
    pub tox_score: N,
    /// The score.
    pub overall: Scored<N>,
}

/// The verdict of a method: five outcomes with their workings, and what was noticed.
pub(super) fn verdict(
    method: MethodVersion,
    limits: &Limits,
    evidence: &Evidence,
    five: impl FnOnce(&Complete<'_>) -> FiveMetrics<Scored<Explained>>,
) -> Result<Verdict, Refusal> {
    let complete = Complete::of(evidence)?;
    let five = five(&complete).map(|_, scored| outcome(scored));
    let scores = five.in_order().map(|(metric, outcome)| (metric.name().into(), outcome.clone()));
    let findings = findings(limits, evidence, &complete);
    Ok(Verdict { method, scores: scores.into(), findings })
}

/// What the judge noticed, and then what we noticed about the judge.
pub(super) fn findings(
    limits: &Limits,
    evidence: &Evidence,
    complete: &Complete<'_>,
) -> Vec<Finding> {
    let mut findings = evidence.findings.clone();
    findings.extend(limits.findings(complete));
    findings
}
