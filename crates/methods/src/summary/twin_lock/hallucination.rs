//! Hallucination: how much of what the summary claims is not in the article?

use assize_score::Working;
use assize_score::arithmetic::times;

use crate::summary::evidence::HallucinationEvidence;
use crate::summary::framework::Scoring;
use crate::summary::metrics::{Scored, Unscored};
use crate::summary::shares::unsupported_fraction;

/// Where a summary starts.
const START: f64 = 10.0;

/// The points a summary loses when nothing it claims is supported, before rounding. The
/// framework's number: above ten, so that the score is 0 from five sevenths unsupported on.
const PENALTY: f64 = 14.0;

/// Hallucination and the number on the way to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Hallucination<N> {
    /// The share of the claims without support; none without claims.
    pub unsupported_fraction: Scored<N>,
    /// The score.
    pub overall: Scored<N>,
}

impl<N> Scoring<N> for Hallucination<N> {
    fn into_overall(self) -> Scored<N> {
        self.overall
    }
}

/// Ten less the rounded penalty; always a whole number.
///
/// A summary that claims nothing is not thereby faithful: it has no score.
pub fn score<N: Working>(evidence: &HallucinationEvidence) -> Hallucination<N> {
    if evidence.claims.is_empty() {
        let none = Unscored("the summary makes no factual claim");
        return Hallucination { unsupported_fraction: Err(none), overall: Err(none) };
    }
    let fraction: N = unsupported_fraction(&evidence.claims);
    let penalty = times("penalty", PENALTY, fraction.clone()).rounded(0);
    let value = (START - penalty.value()).max(0.0);
    let formula = || format!("max(0, {START} - penalty)");
    let overall = N::computed_by("hallucination", formula, value, [penalty]);
    Hallucination { unsupported_fraction: Ok(fraction), overall: Ok(overall) }
}
