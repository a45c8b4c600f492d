//! Why answers stand where they stand: what moved them, what the gate found, what was written.

use std::fmt::Write;

use assize_methods::council::CouncilVerdict;
use assize_page::council::words::signed;

use crate::output::terminal::{one_line, quiet, strong};

const NAME_CHARACTERS_MAX: usize = 40;
const NOTE_CHARACTERS_MAX: usize = 200;
const FINDING_CHARACTERS_MAX: usize = 400;

/// What moved each answer, the strongest first.
pub(super) fn moved(verdict: &CouncilVerdict) -> String {
    let ranked = || verdict.ranking.iter().filter_map(|index| verdict.answers.get(*index));
    let names = ranked().map(|answer| one_line(&answer.model, NAME_CHARACTERS_MAX));
    let width = names.map(|name| name.chars().count()).max().unwrap_or(0);
    let mut lines = String::new();
    for answer in ranked() {
        let mut name = one_line(&answer.model, NAME_CHARACTERS_MAX);
        for moved in &answer.moved {
            let _ =
                writeln!(lines, "  {name:width$}  {:>6}  {}", signed(moved.points), moved.words);
            name.clear();
        }
        if !name.is_empty() {
            let _ = writeln!(lines, "  {name:width$}          nothing much");
        }
    }
    titled("Effect on each score, in points", &lines)
}

/// What the gate found.
pub(super) fn gate(verdict: &CouncilVerdict) -> String {
    let Some(gate) = &verdict.safety_gate else { return String::new() };
    let mut lines = String::new();
    for (answer, outcome) in verdict.answers.iter().zip(&gate.outcomes) {
        if answer.missing.is_some() {
            continue;
        }
        let name = one_line(&answer.model, 40);
        let result = if outcome.passed { "passes" } else { "fails" };
        let reasons: Vec<String> =
            outcome.reasons.iter().map(|reason| one_line(reason, NOTE_CHARACTERS_MAX)).collect();
        let reasons =
            if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join("; ")) };
        let _ = writeln!(lines, "  {name} {result}{reasons}");
    }
    titled("Safety gate", &lines)
}

/// What reviewers wrote.
pub(super) fn notes(verdict: &CouncilVerdict) -> String {
    let mut lines = String::new();
    for answer in verdict.ranking.iter().filter_map(|index| verdict.answers.get(*index)) {
        if !answer.notes.is_empty() {
            let _ = writeln!(lines, "  {}", one_line(&answer.model, NAME_CHARACTERS_MAX));
        }
        for (reviewer, note) in &answer.notes {
            let reviewer = verdict.reviewers.get(*reviewer).map_or("", |reviewer| &reviewer.model);
            let by = quiet(&format!("— {}", one_line(reviewer, NAME_CHARACTERS_MAX)));
            let _ = writeln!(lines, "    {} {by}", one_line(note, NOTE_CHARACTERS_MAX));
        }
    }
    titled("What reviewers wrote", &lines)
}

/// What a reader should know that is not a number.
pub(super) fn findings(verdict: &CouncilVerdict) -> String {
    let mut lines = String::new();
    for finding in &verdict.findings {
        let _ = writeln!(lines, "  {}", one_line(&finding.message, FINDING_CHARACTERS_MAX));
    }
    titled("Findings", &lines)
}

fn titled(title: &str, lines: &str) -> String {
    if lines.is_empty() { String::new() } else { format!("\n{}\n{lines}", strong(title)) }
}
