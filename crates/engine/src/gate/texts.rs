//! Answers checked by the built-in rules, one by one.

use assize_methods::gate::Gate;
use assize_wire::gate::{Checked, CheckedAnswer};

/// Checks answers; each is called after its place, from 1.
pub fn check_texts(answers: &[String]) -> Checked {
    let gate = Gate::built_in();
    let one = |(place, answer): (usize, &String)| CheckedAnswer {
        id: (place + 1).to_string(),
        report: gate.check(answer),
    };
    let answers: Vec<CheckedAnswer> = answers.iter().enumerate().map(one).collect();
    let failed = answers.iter().filter(|answer| !answer.report.passed).count();
    Checked { checked: answers.len(), failed, answers }
}
