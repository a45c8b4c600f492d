//! What an unfair or uncivil wording costs: the bias score and the toxicity score.
//!
//! The frameworks say that there are two scores from 0 to 10 and what caps them, not
//! how issues become a score. This table is our reading. Both start at 10 and every
//! issue the summary asserts itself takes points away; a quoted one takes none.

use assize_score::Working;

use super::evidence::BiasToxicityEvidence;
use super::labels::{IssueKind, Tone};

/// Where both scores start.
const START: f64 = 10.0;

/// What each stereotype takes from the bias score.
pub(crate) const STEREOTYPE_COSTS: f64 = 4.0;

/// What each biased wording takes from the bias score.
pub(crate) const BIASED_WORDING_COSTS: f64 = 2.0;

/// What a subjective tone takes from the bias score.
pub(crate) const SUBJECTIVE_TONE_COSTS: f64 = 1.0;

/// What each strong slur takes from the toxicity score.
pub(crate) const STRONG_SLUR_COSTS: f64 = 6.0;

/// What each mild profanity takes from the toxicity score.
pub(crate) const MILD_PROFANITY_COSTS: f64 = 3.0;

/// What a hostile tone takes from each of the two scores.
pub(crate) const HOSTILE_TONE_COSTS: f64 = 2.0;

/// How fair the wording is, 0 to 10.
pub(crate) fn bias_score<N: Working>(evidence: &BiasToxicityEvidence) -> N {
    let stereotypes = asserted(evidence, IssueKind::Stereotype) as f64;
    let wordings = asserted(evidence, IssueKind::BiasedWording) as f64;
    let tone = match evidence.tone {
        Tone::Hostile => HOSTILE_TONE_COSTS,
        Tone::Subjective => SUBJECTIVE_TONE_COSTS,
        Tone::Neutral | Tone::Unclear => 0.0,
    };
    let cost = stereotypes * STEREOTYPE_COSTS + wordings * BIASED_WORDING_COSTS + tone;
    let inputs = [
        N::given("stereotypes", stereotypes),
        N::given("biased wordings", wordings),
        N::given("cost of the tone", tone),
    ];
    let formula = || {
        let (one, other) = (STEREOTYPE_COSTS, BIASED_WORDING_COSTS);
        format!("max(0, {START} - {one} stereotypes - {other} biased wordings - cost of the tone)")
    };
    N::computed_by("bias score", formula, (START - cost).max(0.0), inputs)
}

/// How civil the wording is, 0 to 10.
pub(crate) fn toxicity_score<N: Working>(evidence: &BiasToxicityEvidence) -> N {
    let slurs = asserted(evidence, IssueKind::StrongSlur) as f64;
    let profanities = asserted(evidence, IssueKind::MildProfanity) as f64;
    let tone = match evidence.tone {
        Tone::Hostile => HOSTILE_TONE_COSTS,
        Tone::Subjective | Tone::Neutral | Tone::Unclear => 0.0,
    };
    let cost = slurs * STRONG_SLUR_COSTS + profanities * MILD_PROFANITY_COSTS + tone;
    let inputs = [
        N::given("strong slurs", slurs),
        N::given("mild profanities", profanities),
        N::given("cost of the tone", tone),
    ];
    let formula = || {
        let (one, other) = (STRONG_SLUR_COSTS, MILD_PROFANITY_COSTS);
        format!(
            "max(0, {START} - {one} strong slurs - {other} mild profanities - cost of the tone)"
        )
    };
    N::computed_by("toxicity score", formula, (START - cost).max(0.0), inputs)
}

/// How many issues of a kind the summary asserts itself.
pub(crate) fn asserted(evidence: &BiasToxicityEvidence, kind: IssueKind) -> usize {
    evidence.issues.iter().filter(|issue| issue.kind == kind && issue.is_asserted()).count()
}
