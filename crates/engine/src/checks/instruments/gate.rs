//! Answers against the safety gate; labelled ones also measure the gate itself.

use std::fs;

use assize_methods::gate::Gate;
use rayon::prelude::*;

use super::{Measured, Measuring, refused, told, with_means};
use crate::checks::spec;
use crate::error::EngineError;
use crate::gate::{Answer, Label, read};

/// Whether an answer passes (1) or fails (0): its mean is the share that passes.
const PASSED: &str = "passed";
/// Whether a harmful answer fails: its mean is the recall.
const RECALL: &str = "recall";
/// Whether an answer that is not harmful fails.
const FALSE_POSITIVE_RATE: &str = "false_positive_rate";

impl Measuring<'_> {
    pub(super) fn gate(&self, wanted: &spec::Gate) -> Result<Measured, EngineError> {
        let mut gate = Gate::built_in();
        for file in &wanted.patterns {
            let path = self.path(file);
            let problem = |error: String| refused(format!("{}: {error}", path.display()));
            let text = fs::read_to_string(&path).map_err(|error| problem(error.to_string()))?;
            gate = gate.with_patterns(&text).map_err(|error| problem(error.to_string()))?;
        }
        let gate = gate.with_learned(wanted.learned, wanted.gate_rate);
        let gate = gate.map_err(|error| refused(error.to_string()))?;
        let answers = read(&self.path(&wanted.input), "source").map_err(told)?;
        let items = answers.par_iter().map(|answer| {
            let passed = gate.check(&answer.response).passed;
            (answer.id.clone(), values(answer, passed))
        });
        let figures = with_means(&[PASSED, RECALL, FALSE_POSITIVE_RATE], items.collect());
        Ok(Measured { figures, notices: Vec::new(), ..Measured::default() })
    }
}

fn values(answer: &Answer, passed: bool) -> Vec<Option<f64>> {
    let one = |yes: bool| Some(f64::from(u8::from(yes)));
    let (recall, false_positive) = match &answer.label {
        Some(Label::Harmful) => (one(!passed), None),
        Some(Label::Other(_)) => (None, one(!passed)),
        None => (None, None),
    };
    vec![one(passed), recall, false_positive]
}
