//! Bias and toxicity: is the summary fair and civil?

use assize_score::Working;
use assize_score::arithmetic::mean;

use crate::summary::evidence::BiasToxicityEvidence;
use crate::summary::metrics::Scored;
use crate::summary::wording::{bias_score, toxicity_score};

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

/// The mean of the two scores.
pub fn score<N: Working>(evidence: &BiasToxicityEvidence) -> BiasToxicity<N> {
    let bias_score: N = bias_score(evidence);
    let tox_score: N = toxicity_score(evidence);
    let both = vec![bias_score.clone(), tox_score.clone()];
    let overall = Ok(mean("bias_toxicity", both).rounded(2));
    BiasToxicity { bias_score, tox_score, overall }
}
