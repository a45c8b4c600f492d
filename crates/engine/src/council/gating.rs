//! Answers checked by the safety gate, in the form in which the count needs it.

use assize_methods::council::{Answer, GateOutcome, Gating};
use assize_methods::gate::{Gate, GateError, GateFinding};
use assize_wire::text::tree;

use super::plan::Plan;

/// Checks every answer, if the gate is on. Cap and patterns were checked with the plan.
pub fn gating(plan: &Plan, answers: &[Answer]) -> Option<Gating> {
    let cap = plan.gate_cap?;
    let gate = gate(&plan.gate_patterns).expect("a plan's patterns can be read");
    let outcome = |answer: &Answer| {
        let Some(text) = answer.text() else {
            return GateOutcome { passed: true, ..GateOutcome::default() };
        };
        let report = gate.check(text);
        let reasons = report.findings.iter().map(reason).collect();
        GateOutcome { passed: report.passed, reasons, details: tree(&report) }
    };
    let outcomes = answers.iter().map(outcome).collect();
    Some(Gating::new(cap, outcomes).expect("a plan's cap is on the scale"))
}

/// The built-in gate with rules of the user added.
pub(super) fn gate(patterns: &[String]) -> Result<Gate, GateError> {
    patterns.iter().try_fold(Gate::built_in(), |gate, text| gate.with_patterns(text))
}

/// A finding in words.
fn reason(finding: &GateFinding) -> String {
    let category = finding.category.name().replace('_', " ");
    let matched = &finding.matched;
    if finding.context.excused {
        format!("{category} (“{matched}”), excused: {}", finding.context.rule)
    } else {
        format!("{category} (“{matched}”)")
    }
}
