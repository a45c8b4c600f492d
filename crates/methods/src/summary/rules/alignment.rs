//! Intent, stance and tone.
use super::judge::{Case, Judged};
use crate::summary::evidence::{AlignmentEvidence, KeyPoint};
use crate::summary::limits::Limits;
pub(super) fn evidence(
    _case: &Case,
    _key_points: &[KeyPoint],
    _judged: &[Judged],
    _limits: &Limits,
) -> AlignmentEvidence {
    AlignmentEvidence::default()
}
