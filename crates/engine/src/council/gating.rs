//! Answers held against the safety gate, in the form in which the count needs it.

use assize_methods::council::{Answer, GateOutcome, Gating};
use assize_methods::gate::{Gate, GateFinding};
use serde_json::json;

/// Checks every answer. The cap was checked when the plan was made.
pub fn gating(cap: f64, answers: &[Answer]) -> Gating {
    let gate = Gate::built_in();
    let outcome = |answer: &Answer| {
        let Some(text) = answer.text() else {
            return GateOutcome { passed: true, ..GateOutcome::default() };
        };
        let report = gate.check(text);
        let reasons = report.findings.iter().map(reason).collect();
        GateOutcome { passed: report.passed, reasons, details: json!(report) }
    };
    let outcomes = answers.iter().map(outcome).collect();
    Gating::new(cap, outcomes).expect("a plan's cap is on the scale")
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
