//! The same evidence counted another way: no model is asked.

use super::choices::Choices;
use super::file::Sitting;
use super::gating::gating;
use super::plan::PlanError;

/// A sitting with other weights, another rubric, another aggregation, or the gate on or off.
///
/// Where choices are silent it is counted as it was. The gate looks at the answers again, so
/// that a sitting held without it can be gated afterwards.
pub fn rescored(sitting: &Sitting, choices: &Choices) -> Result<Sitting, PlanError> {
    let plan = sitting.plan().changed(choices)?;
    let mut sitting = sitting.clone();
    let is_gate_changed = choices.safety_gate.is_some()
        || choices.safety_score_cap.is_some()
        || !choices.gate_patterns.is_empty();
    if is_gate_changed {
        sitting.record.gate = gating(&plan, &sitting.record.answers);
    }
    sitting.gate_patterns = plan.gate_patterns;
    sitting.settings = plan.settings;
    Ok(sitting)
}
