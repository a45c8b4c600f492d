//! Answers held against the safety gate. This is done whenever a verdict is computed: what a
//! record notes about it is never believed.

use super::record::{Answer, CouncilRecord, GateOutcome, Gating};
use super::settings::Settings;
use crate::gate::{Gate, GateError, GateFinding};

/// What the gate says of a record's answers now; `None` if the record is not gated.
pub(super) fn gated(record: &CouncilRecord, settings: &Settings) -> Option<Gating> {
    let cap = record.gate.as_ref()?.cap();
    let checked = gating(settings, &record.answers);
    let outcomes = checked.unwrap_or_else(|error| {
        // Rules that cannot be used let nothing pass.
        let reasons = vec![format!("the gate could not be run: {error}")];
        let failed = GateOutcome { passed: false, reasons, ..GateOutcome::default() };
        vec![failed; record.answers.len()]
    });
    Some(Gating::new(cap, outcomes).expect("a cap that was on the scale still is"))
}

/// The built-in gate with the rules and the stage that the settings add.
pub fn gate(settings: &Settings) -> Result<Gate, GateError> {
    let patterns = settings.gate_patterns.iter();
    let gate =
        patterns.clone().try_fold(Gate::built_in(), |gate, text| gate.with_patterns(text))?;
    gate.with_learned(settings.gate_learned.is_some(), settings.gate_learned)
}

/// Whether each answer passes the gate of the settings.
pub fn gating(settings: &Settings, answers: &[Answer]) -> Result<Vec<GateOutcome>, GateError> {
    let gate = gate(settings)?;
    let outcome = |answer: &Answer| {
        // An answer that never came has nothing to fail for.
        let Some(text) = answer.text() else {
            return GateOutcome { passed: true, ..GateOutcome::default() };
        };
        let report = gate.check(text);
        let reasons = report.findings.iter().map(reason).collect();
        GateOutcome {
            passed: report.passed,
            reasons,
            details: serde_json::to_value(&report).unwrap_or_default(),
        }
    };
    Ok(answers.iter().map(outcome).collect())
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
