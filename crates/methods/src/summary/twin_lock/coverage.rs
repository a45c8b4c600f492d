//! Coverage: does the summary say what matters, and nothing else?

use assize_score::arithmetic::{harmonic_mean, times};
use assize_score::{Cap, Working};

use crate::summary::evidence::{Claim, CoverageEvidence, Totals};
use crate::summary::framework::Scoring;
use crate::summary::metrics::Scored;
use crate::summary::shares::{has_unsupported, precision, recall};

/// The highest score of a summary with an extraneous claim.
pub(crate) const EXTRANEOUS_CLAIM_CAP: f64 = 4.0;

/// Coverage and the numbers on the way to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Coverage<N> {
    /// The share of the key points that is said.
    pub recall: N,
    /// The share of the summary that the article supports.
    pub precision: N,
    /// Their harmonic mean.
    pub f1: N,
    /// The score.
    pub overall: Scored<N>,
}

impl<N> Scoring<N> for Coverage<N> {
    fn into_overall(self) -> Scored<N> {
        self.overall
    }
}

/// Ten times the harmonic mean of precision and recall.
pub fn score<N: Working>(
    evidence: &CoverageEvidence,
    claims: &[Claim],
    totals: &Totals,
) -> Coverage<N> {
    let recall: N = recall(&evidence.key_points);
    let precision: N = precision(totals);
    let f1 = harmonic_mean("f1", precision.clone(), recall.clone());
    let extraneous = has_unsupported(claims);
    let caps = vec![Cap::when(extraneous, EXTRANEOUS_CLAIM_CAP, "a claim is extraneous")];
    let overall = Ok(times("coverage", 10.0, f1.clone()).capped(caps).rounded(2));
    Coverage { recall, precision, f1, overall }
}
