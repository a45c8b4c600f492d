//! The same evidence counted another way: no model is asked.

use super::choices::Choices;
use super::file::CouncilRun;
use super::gating::gating;
use super::plan::PlanError;

/// A run with other weights, another rubric, another aggregation, or the gate on or off.
///
/// Where choices are silent it is counted as it was. The gate looks at the answers again, so
/// that a run held without it can be gated afterwards.
pub fn rescored(run: &CouncilRun, choices: &Choices) -> Result<CouncilRun, PlanError> {
    let plan = run.plan().changed(choices)?;
    let mut run = run.clone();
    let is_gate_changed = choices.safety_gate.is_some()
        || choices.safety_score_cap.is_some()
        || !choices.gate_patterns.is_empty();
    if is_gate_changed {
        run.record.gate = gating(&plan, &run.record.answers);
    }
    run.gate_patterns = plan.gate_patterns;
    run.settings = plan.settings;
    Ok(run)
}
