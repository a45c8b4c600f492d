//! The same evidence counted another way: no model is asked.

use assize_methods::council::{Gating, Settings};

use super::choices::Choices;
use super::file::CouncilRun;
use super::gating::gating;
use super::plan::PlanError;

/// A run with other weights, another rubric, another aggregation, or the gate on or off.
///
/// Where choices are silent it is counted as it was. The gate looks at the answers again, so
/// that a run held without it can be gated afterwards.
pub fn rescored(run: &CouncilRun, choices: &Choices) -> Result<CouncilRun, PlanError> {
    rescored_under(run, choices, &Choices::default())
}

/// The same where an operator has a policy: what it says about the gate holds for every run, and
/// neither the caller nor the record makes it weaker.
pub fn rescored_under(
    run: &CouncilRun,
    choices: &Choices,
    operator: &Choices,
) -> Result<CouncilRun, PlanError> {
    let asked = choices.safety_score_cap;
    let mut choices = choices.clone().under(operator.clone().gate_only());
    let kept = run.record.gate.as_ref().map(Gating::cap);
    if let (None, Some(cap), Some(kept)) = (asked, choices.safety_score_cap, kept) {
        choices.safety_score_cap = Some(kept.min(cap));
    }
    let plan = run.plan().changed(&choices)?;
    let mut run = run.clone();
    run.findings.retain(|finding| finding.code != "classic_profile");
    run.findings.extend(plan.notes.clone());
    run.record.gate = gating(&plan, &run.record.answers);
    // What reviewers were asked for does not change afterwards.
    let scoring = run.settings.scoring;
    run.settings = Settings { scoring, ..plan.settings };
    Ok(run)
}
