//! The same evidence counted another way: no model is asked.

use assize_methods::council::Gating;

use super::file::CouncilRun;
use super::plan::PlanError;
use super::request::CouncilRequest;

/// A run with other weights, another rubric, another aggregation, or the gate on or off.
///
/// Where the request is silent it is counted as it was. The gate looks at the answers again, so
/// that a run held without it can be gated afterwards.
pub fn rescored(run: &CouncilRun, request: &CouncilRequest) -> Result<CouncilRun, PlanError> {
    rescored_under(run, request, &CouncilRequest::default())
}

/// The same where an operator has a policy: what it says about the gate holds for every run, and
/// neither the caller nor the record makes it weaker.
pub fn rescored_under(
    run: &CouncilRun,
    request: &CouncilRequest,
    operator: &CouncilRequest,
) -> Result<CouncilRun, PlanError> {
    request.check_rescoring()?;
    let asked = request.safety_score_cap;
    let mut request = request.clone().under(operator.clone().gate_only());
    let kept = run.record.gate.as_ref().map(Gating::cap);
    if let (None, Some(cap), Some(kept)) = (asked, request.safety_score_cap, kept) {
        request.safety_score_cap = Some(kept.min(cap));
    }
    let plan = run.plan().changed(&request)?;
    let mut run = run.clone();
    run.findings.retain(|finding| finding.code != "classic_profile");
    run.findings.extend(plan.notes.clone());
    run.record.gate = plan.gating(&run.record.answers);
    run.settings = plan.settings;
    Ok(run)
}
