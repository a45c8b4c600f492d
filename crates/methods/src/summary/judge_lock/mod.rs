//! Judge-Lock: stricter than Twin-Lock, and every claim cross-examined by questions.
//!
//! Coverage, alignment, hallucination, relevance, bias and toxicity are computed in
//! this order, each with its own caps; [`safeguards`] then puts on one metric what
//! another one found, and doubts a perfect score that rests on little evidence.

pub mod bias_toxicity;
pub mod coverage;
pub mod hallucination;
pub mod relevance;
mod report;
pub mod safeguards;

use assize_score::{Explained, MethodVersion, Verdict, Working};

use self::coverage::Coverage;
use self::hallucination::Hallucination;
use super::evidence::Evidence;
use super::framework::{self, Alignment};
use super::limits::{Complete, Limits};
use super::metric_objects::Report;
use super::refusal::Refusal;

/// This method; a change that can move a number is a new version.
pub const METHOD: MethodVersion = MethodVersion::new("judge-lock", 7);

/// How many questions are asked about the article, and as many about the claims.
pub(crate) const QUESTIONS: usize = 6;

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
pub type Scores<N> = framework::Scores<N, Coverage<N>, Hallucination<N>>;

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
        alignment: Alignment::of(evidence.alignment),
        hallucination: hallucination::score(evidence.hallucination),
        relevance,
        bias_toxicity: bias_toxicity::score(evidence.bias_toxicity),
    };
    safeguards::apply(scores, evidence)
}

/// The verdict: five outcomes with their workings, and what was noticed.
pub fn verdict(evidence: &Evidence) -> Result<Verdict, Refusal> {
    framework::verdict(METHOD, &LIMITS, evidence, |complete| compute(complete).overall())
}

/// The five metric objects as the framework prints them.
pub fn report(evidence: &Evidence) -> Result<Report<'_>, Refusal> {
    let complete = Complete::of(evidence)?;
    let scores: Scores<Explained> = compute(&complete);
    let coverage = report::coverage(&complete, &scores.coverage);
    let hallucination = report::hallucination(&complete, &scores.hallucination);
    let findings = framework::findings(&LIMITS, evidence, &complete);
    Ok(Report::new((METHOD, findings), complete, &scores, coverage, hallucination))
}
