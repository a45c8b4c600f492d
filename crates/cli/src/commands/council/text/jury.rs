//! What the jury decided about each answer, and who was against it.

use std::fmt::Write;

use assize_methods::council::CouncilVerdict;
use assize_methods::council::jury::{Decision, Vote};

use crate::output::terminal::{one_line, strong};

const NAME_CHARACTERS_MAX: usize = 40;
const QUESTION_CHARACTERS_MAX: usize = 300;
const REASON_CHARACTERS_MAX: usize = 200;

/// The decisions with their votes; empty where there was no jury.
pub(super) fn decisions(verdict: &CouncilVerdict) -> String {
    let Some(found) = &verdict.jury else { return String::new() };
    let question = one_line(&found.jury.question, QUESTION_CHARACTERS_MAX);
    let mut text = format!("\n{}\n", strong(&format!("Jury: {question}")));
    for (answer, found) in verdict.answers.iter().zip(&found.answers) {
        if answer.missing.is_some() {
            continue;
        }
        let decision = match found.decision {
            Decision::Yes => "yes",
            Decision::No => "no",
            Decision::Undecided => "undecided",
            Decision::FailsGate => "no, it fails the safety gate",
        };
        let name = one_line(&answer.model, NAME_CHARACTERS_MAX);
        let _ = writeln!(text, "  {name}: {decision} ({} yes, {} no)", found.yes, found.no);
        let is_open = found.decision == Decision::Undecided;
        for vote in found.votes.iter().filter(|vote| vote.dissents || is_open) {
            text.push_str(&line(verdict, vote));
        }
    }
    text
}

fn line(verdict: &CouncilVerdict, vote: &Vote) -> String {
    let reviewer = verdict.reviewers.get(vote.reviewer).map_or("", |one| &one.model);
    let said = if vote.yes { "yes" } else { "no" };
    let against = if vote.dissents { "dissents, " } else { "" };
    let reason = match one_line(&vote.reason, REASON_CHARACTERS_MAX) {
        reason if reason.is_empty() => "gives no reason".to_owned(),
        reason => reason,
    };
    format!("    {} {against}{said}: {reason}\n", one_line(reviewer, NAME_CHARACTERS_MAX))
}
