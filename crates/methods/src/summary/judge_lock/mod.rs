//! Judge-Lock: stricter than Twin-Lock, and every claim cross-examined by questions.
//!
//! Coverage, alignment, hallucination, relevance, bias and toxicity are computed in
//! this order, each with its own caps; [`safeguards`] then puts on one metric what
//! another one found, and doubts a perfect score that rests on little evidence.

pub mod alignment;
pub mod bias_toxicity;
pub mod coverage;
pub mod hallucination;
pub mod relevance;
pub mod report;
pub mod safeguards;

use assize_score::{Explained, Finding, MethodVersion, Verdict, Working};

use self::alignment::Alignment;
use self::bias_toxicity::BiasToxicity;
use self::coverage::Coverage;
use self::hallucination::Hallucination;
use self::relevance::Relevance;
pub use self::report::Report;
use super::evidence::Evidence;
use super::limits::{Complete, Limits};
use super::metrics::{FiveMetrics, Scored, outcome};
use super::refusal::Refusal;

/// This method; a change that can move a number is a new version.
pub const METHOD: MethodVersion = MethodVersion::new("judge-lock", 2);

/// How many questions are asked about the article, and as many about the claims.
pub const QUESTIONS: usize = 6;

/// What Judge-Lock expects of a judge.
pub const LIMITS: Limits = Limits {
    key_points: 4..=7,
    key_point_tokens_min: 6,
    alignment_tokens_max: 35,
    claims_max: 10,
    theme_tokens_max: 20,
    questions: Some(QUESTIONS),
};

/// The five metrics with the numbers on the way to them.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores<N> {
    /// Does it say what matters, and nothing else?
    pub coverage: Coverage<N>,
    /// Does it keep intent, stance and tone?
    pub alignment: Alignment<N>,
    /// Does it invent?
    pub hallucination: Hallucination<N>,
    /// Does every part of it belong to the article?
    pub relevance: Relevance<N>,
    /// Is it fair and civil?
    pub bias_toxicity: BiasToxicity<N>,
}

impl<N> Scores<N> {
    /// Only the five scores.
    pub fn overall(self) -> FiveMetrics<Scored<N>> {
        FiveMetrics {
            coverage: self.coverage.overall,
            alignment: self.alignment.overall,
            hallucination: self.hallucination.overall,
            relevance: self.relevance.overall,
            bias_toxicity: self.bias_toxicity.overall,
        }
    }
}

/// The five metrics, with workings (`Explained`) or without (`f64`).
pub fn score<N: Working>(evidence: &Evidence) -> Result<Scores<N>, Refusal> {
    Ok(compute(&Complete::of(evidence)?))
}

fn compute<N: Working>(evidence: &Complete<'_>) -> Scores<N> {
    let claims = &evidence.hallucination.claims;
    let coverage = coverage::score(evidence.coverage, claims, evidence.totals);
    let relevance = relevance::score(evidence.relevance, claims, coverage.qag_accuracy.clone());
    let scores = Scores {
        coverage,
        alignment: alignment::score(evidence.alignment),
        hallucination: hallucination::score(evidence.hallucination),
        relevance,
        bias_toxicity: bias_toxicity::score(evidence.bias_toxicity),
    };
    safeguards::apply(scores, evidence)
}

/// The verdict: five outcomes with their workings, and what was noticed.
pub fn verdict(evidence: &Evidence) -> Result<Verdict, Refusal> {
    let complete = Complete::of(evidence)?;
    let five = compute::<Explained>(&complete).overall().map(|_, scored| outcome(scored));
    let scores = five.in_order().map(|(metric, outcome)| (metric.name().into(), outcome.clone()));
    let findings = findings(evidence, &complete);
    Ok(Verdict { method: METHOD, scores: scores.into(), findings })
}

/// The five metric objects as the framework prints them.
pub fn report(evidence: &Evidence) -> Result<Report<'_>, Refusal> {
    let complete = Complete::of(evidence)?;
    Ok(Report::new(complete, &compute(&complete), findings(evidence, &complete)))
}

/// What the judge noticed, and then what we noticed about the judge.
fn findings(evidence: &Evidence, complete: &Complete<'_>) -> Vec<Finding> {
    let mut findings = evidence.findings.clone();
    findings.extend(LIMITS.findings(complete));
    findings
}
