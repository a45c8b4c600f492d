//! Twin-Lock: five metrics from labelled evidence, and two of them held by a third.
//!
//! Coverage, alignment, hallucination, relevance, bias and toxicity are computed in
//! this order, each from its own evidence; [`safeguards`] then puts on one metric what
//! another one found.

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
pub const METHOD: MethodVersion = MethodVersion::new("twin-lock", 6);

/// What Twin-Lock expects of a judge.
pub const LIMITS: Limits = Limits {
    key_points: 3..=7,
    key_point_tokens_min: 0,
    alignment_tokens_max: 40,
    claims_max: 10,
    theme_tokens_max: 25,
    questions: None,
};

/// The five metrics with the numbers on the way to them.
pub type Scores<N> = framework::Scores<N, Coverage<N>, Hallucination<N>>;

/// The five metrics, with workings (`Explained`) or without (`f64`).
pub fn score<N: Working>(evidence: &Evidence) -> Result<Scores<N>, Refusal> {
    Ok(compute(&Complete::of(evidence)?))
}

fn compute<N: Working>(evidence: &Complete<'_>) -> Scores<N> {
    let claims = &evidence.hallucination.claims;
    let scores = Scores {
        coverage: coverage::score(evidence.coverage, claims, evidence.totals),
        alignment: Alignment::of(evidence.alignment),
        hallucination: hallucination::score(evidence.hallucination),
        relevance: relevance::score(evidence.relevance),
        bias_toxicity: bias_toxicity::score(evidence.bias_toxicity),
    };
    safeguards::apply(scores, claims)
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
