//! Answers checked by the safety gate, in the form in which it is noted in a record.

use assize_methods::council::{self, Answer, Gating};

use super::plan::Plan;

/// Checks every answer, if the gate is on. Cap and patterns were checked with the plan.
pub fn gating(plan: &Plan, answers: &[Answer]) -> Option<Gating> {
    let cap = plan.gate_cap?;
    let outcomes = council::gating(&plan.settings, answers).expect("a plan's patterns can be read");
    Some(Gating::new(cap, outcomes).expect("a plan's cap is on the scale"))
}
