//! A verdict as it is handed back: what the command prints as JSON, and its ranking in lines.

use std::fmt::Write;

use assize_engine::council::{ChairSaid, CouncilRun};
use assize_methods::council::CouncilVerdict;
use assize_methods::council::verdict::{AnswerVerdict, Status};
use assize_wire::text::tree;

use crate::reply::Reply;
use crate::state::McpState;

/// The verdict of a council; with the whole evidence if that is asked for.
pub(super) fn reply(state: &McpState, run: &CouncilRun, with_record: bool) -> Reply {
    let verdict = run.verdict();
    let is_failure = matches!(verdict.status, Status::NoQuorum | Status::NoValidBallots);
    let text = text(run, &verdict);
    let key = state.operator.signing_key.as_ref();
    let council =
        if with_record { run.to_wire_with_record(verdict, key) } else { run.to_wire(verdict) };
    Reply { data: tree(&council), text, is_failure }
}

fn text(run: &CouncilRun, verdict: &CouncilVerdict) -> String {
    let mut text = String::new();
    match verdict.status {
        Status::Complete => {}
        Status::Degraded => text.push_str("Degraded: something is missing; see the findings.\n"),
        Status::NoQuorum => text.push_str("No quorum: too few answers.\n"),
        Status::NoValidBallots => text.push_str("No valid ballots: nothing is ranked.\n"),
        Status::NoWinner => text.push_str("No winner: every candidate fails the safety gate.\n"),
    }
    for answer in verdict.ranking.iter().filter_map(|index| verdict.answers.get(*index)) {
        text.push_str(&line(answer));
    }
    for answer in &verdict.answers {
        if let Some(missing) = &answer.missing {
            let _ = writeln!(text, "-  {}: no answer, {missing}", answer.model);
        }
    }
    for reviewer in &verdict.reviewers {
        if let Some((_, because)) = &reviewer.abstained {
            let _ = writeln!(text, "reviewer {} abstained: {because}", reviewer.model);
        }
    }
    match &run.chair {
        None => {}
        Some(ChairSaid::Wrote { text: answer, .. }) => {
            let _ = writeln!(text, "Final answer of the chair:\n{answer}");
        }
        Some(ChairSaid::Failed { because } | ChairSaid::NotAsked { because }) => {
            let _ = writeln!(text, "No final answer: {because}");
            if let Some(partial) = run.partial(verdict) {
                let _ = writeln!(text, "In its place, {}:\n{}", partial.note, partial.text);
            }
        }
    }
    let (name, aggregation) = (&verdict.profile.name, verdict.aggregation);
    let gate = if verdict.safety_gate.is_some() { "on" } else { "off" };
    let id = run.id();
    let _ = write!(text, "profile {name}, {aggregation}, safety gate {gate}; id {id}");
    text
}

/// `1. plain 8.80 [8.10, 9.20]`, with what held it down.
fn line(answer: &AnswerVerdict) -> String {
    let rank = answer.rank.map_or("-".to_owned(), |rank| rank.to_string());
    let mut line = format!("{rank}. {}", answer.model);
    if let Some(score) = &answer.score {
        let _ = write!(line, " {:.2}", score.value);
    }
    if let Some(interval) = &answer.interval {
        let _ = write!(line, " [{:.2}, {:.2}]", interval.low, interval.high);
    }
    if answer.tied {
        line.push_str(", tied");
    }
    if answer.gate_passed == Some(false) {
        line.push_str(", fails the safety gate");
    }
    if let Some(moved) = answer.moved.first() {
        let _ = write!(line, "; {}", moved.words);
    }
    line.push('\n');
    line
}
