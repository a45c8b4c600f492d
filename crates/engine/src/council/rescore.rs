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
    let is_gate_changed = choices.safety_gate.is_some() || choices.safety_score_cap.is_some();
    if is_gate_changed {
        sitting.record.gate = plan.gate_cap.map(|cap| gating(cap, &sitting.record.answers));
    }
    sitting.settings = plan.settings;
    Ok(sitting)
}
