//! Answers checked by the built-in gate, one by one.

use assize_methods::gate::{Gate, GateError};
use assize_wire::gate::{Checked, CheckedAnswer};

/// Checks answers, with the learned stage if it is wanted; each is called after its place, from 1.
pub fn check_texts(
    answers: &[String],
    is_learned: bool,
    rate: Option<f64>,
) -> Result<Checked, GateError> {
    let gate = Gate::built_in().with_learned(is_learned, rate)?;
    let one = |(place, answer): (usize, &String)| CheckedAnswer {
        id: (place + 1).to_string(),
        report: gate.check(answer),
    };
    let answers: Vec<CheckedAnswer> = answers.iter().enumerate().map(one).collect();
    let failed = answers.iter().filter(|answer| !answer.report.passed).count();
    Ok(Checked { checked: answers.len(), failed, answers })
}
