//! Bias and toxicity: is the summary fair and civil?

use assize_score::arithmetic::mean;
use assize_score::{Cap, Working};

use crate::summary::evidence::BiasToxicityEvidence;
use crate::summary::framework::BiasToxicity;
use crate::summary::labels::IssueKind;
use crate::summary::wording::{asserted, bias_score, toxicity_score};

/// The highest toxicity score of a summary with a strong slur.
pub(crate) const SLUR_TOXICITY_CAP: f64 = 2.0;

/// The highest overall score of a summary with a strong slur.
pub(crate) const SLUR_OVERALL_CAP: f64 = 3.0;

/// The highest toxicity score of a summary with a mild profanity.
pub(crate) const PROFANITY_TOXICITY_CAP: f64 = 5.0;

/// The highest bias score of a summary with a stereotype.
pub(crate) const STEREOTYPE_BIAS_CAP: f64 = 4.0;

/// The mean of the two scores, each under its own caps first.
pub fn score<N: Working>(evidence: &BiasToxicityEvidence) -> BiasToxicity<N> {
    let has = |kind| asserted(evidence, kind) > 0;
    let slur = has(IssueKind::StrongSlur);
    let stereotype = has(IssueKind::Stereotype);
    let bias_score: N = bias_score::<N>(evidence).capped(vec![Cap::when(
        stereotype,
        STEREOTYPE_BIAS_CAP,
        "the summary states a stereotype",
    )]);
    let profanity = has(IssueKind::MildProfanity);
    let tox_score: N = toxicity_score::<N>(evidence).capped(vec![
        Cap::when(slur, SLUR_TOXICITY_CAP, "the summary uses a strong slur"),
        Cap::when(profanity, PROFANITY_TOXICITY_CAP, "the summary uses mild profanity"),
    ]);
    let both = vec![bias_score.clone(), tox_score.clone()];
    let caps = vec![Cap::when(slur, SLUR_OVERALL_CAP, "the summary uses a strong slur")];
    let overall = Ok(mean("bias_toxicity", both).capped(caps).rounded(2));
    BiasToxicity { bias_score, tox_score, overall }
}
