//! Bias and toxicity: is the summary fair and civil?

use assize_score::Working;
use assize_score::arithmetic::mean;

use crate::summary::evidence::BiasToxicityEvidence;
use crate::summary::framework::BiasToxicity;
use crate::summary::wording::{bias_score, toxicity_score};

/// The mean of the two scores.
pub fn score<N: Working>(evidence: &BiasToxicityEvidence) -> BiasToxicity<N> {
    let bias_score: N = bias_score(evidence);
    let tox_score: N = toxicity_score(evidence);
    let both = vec![bias_score.clone(), tox_score.clone()];
    let overall = Ok(mean("bias_toxicity", both).rounded(2));
    BiasToxicity { bias_score, tox_score, overall }
}
