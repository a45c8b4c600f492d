//! Wording.
use super::judge::Case;
use crate::summary::evidence::BiasToxicityEvidence;
use crate::summary::labels::Tone;
pub(super) fn evidence(_case: &Case) -> BiasToxicityEvidence {
    BiasToxicityEvidence { tone: Tone::Unclear, issues: Vec::new() }
}
