//! A verdict for people: the ranking first, then who said what, then why.

mod jury;
mod reasons;
mod reviews;
mod rounds;
mod standing;
mod usage;

use std::fmt::Write;

use assize_engine::council::CouncilRun;
use assize_engine::council::file::ChairSaid;
use assize_methods::council::CouncilVerdict;
use assize_methods::council::verdict::Status;
use assize_page::council::words::score;
use assize_score::Explained;
use assize_score::workings::lines;
use assize_wire::number::counted;

use crate::output::terminal::{one_line, quiet, strong};

const QUESTION_CHARACTERS_MAX: usize = 300;

/// The whole verdict.
pub(super) fn verdict(run: &CouncilRun, verdict: &CouncilVerdict, explain: bool) -> String {
    let mut text = heading(run, verdict);
    text.push_str(&standing::ranking(verdict));
    text.push_str(&standing::uncertainty(verdict));
    text.push_str(&jury::decisions(verdict));
    text.push_str(&reviews::table(verdict));
    text.push_str(&rounds::revision(verdict));
    text.push_str(&standing::marks(verdict));
    text.push_str(&reasons::moved(verdict));
    text.push_str(&reasons::gate(verdict));
    text.push_str(&reasons::notes(verdict));
    if explain {
        text.push_str(&ledgers(run, verdict));
    }
    text.push_str(&chair(run, verdict));
    text.push_str(&winner(run, verdict));
    text.push_str(&reasons::findings(verdict));
    text.push_str(&usage::table(&run.usage));
    text
}

/// Who stands where: for the demo's first screen.
pub(super) fn ranking(verdict: &CouncilVerdict) -> String {
    standing::ranking(verdict)
}

/// Who stands where and why, without what was written: for the demo.
pub(super) fn short(run: &CouncilRun, verdict: &CouncilVerdict) -> String {
    let mut text = heading(run, verdict);
    text.push_str(&standing::ranking(verdict));
    text.push_str(&reviews::table(verdict));
    text.push_str(&reasons::moved(verdict));
    text.push_str(&reasons::gate(verdict));
    text
}

/// The ranking alone: what a report stands on.
pub(super) fn standing(run: &CouncilRun, verdict: &CouncilVerdict, explain: bool) -> String {
    let mut text = heading(run, verdict);
    text.push_str(&standing::ranking(verdict));
    if explain {
        text.push_str(&ledgers(run, verdict));
    }
    text
}

fn heading(run: &CouncilRun, verdict: &CouncilVerdict) -> String {
    let question = one_line(&run.record.question, QUESTION_CHARACTERS_MAX);
    let gate = match &verdict.safety_gate {
        Some(gate) => format!("safety gate on, cap {}", gate.cap),
        None => "safety gate off".to_owned(),
    };
    let line = format!(
        "{} · {} · profile {} {} · {} · {gate}",
        counted(verdict.answers.len(), "answer", "answers"),
        counted(verdict.reviewers.len(), "reviewer", "reviewers"),
        verdict.profile.name,
        verdict.profile.version,
        verdict.aggregation,
    );
    let mut text = format!("{}\n{}\n", strong(&question), quiet(&line));
    if let Some(choice) = &verdict.profile.choice {
        let line = format!("profile chosen by the rule {}: {}", choice.rule, choice.because);
        let _ = writeln!(text, "{}", quiet(&one_line(&line, QUESTION_CHARACTERS_MAX)));
    }
    if let Some(trust) = &verdict.trust {
        let source = one_line(&trust.source, QUESTION_CHARACTERS_MAX);
        let _ = writeln!(text, "{}", quiet(&format!("reviewers weighted by trust from {source}")));
    }
    let status = match verdict.status {
        Status::Complete => None,
        Status::Degraded => Some("degraded: something is missing; see the findings below"),
        Status::NoQuorum => Some("no quorum: too few answers, nothing was reviewed"),
        Status::NoValidBallots => Some("no valid ballots: no review counts, so nothing is ranked"),
        Status::NoWinner => Some("no winner: every candidate fails the safety gate"),
    };
    if let Some(status) = status {
        let _ = writeln!(text, "{}", strong(&format!("Status: {status}")));
    }
    text.push('\n');
    text
}

/// How every score was computed.
fn ledgers(run: &CouncilRun, verdict: &CouncilVerdict) -> String {
    let mut text = format!("\n{}\n", strong("How each score was computed"));
    for answer in &verdict.answers {
        let Some(explained) = &answer.score else { continue };
        let _ = writeln!(text, "{}", one_line(&answer.model, 60));
        for (dimension, mark) in &answer.marks {
            let Some(anchors) = run.settings.profile.anchors.get(dimension) else { continue };
            let (band, words) = anchors.of(*mark);
            let _ = writeln!(text, "  {dimension} {mark:.1} is in {band}: {}", quiet(words));
        }
        text.push_str(&ledger(explained, 1));
        text.push_str(&reviews_in_full(verdict, answer.answer));
    }
    text
}

/// How each review of an answer was computed, and what its sum leaves out.
fn reviews_in_full(verdict: &CouncilVerdict, answer: usize) -> String {
    let mut text = String::new();
    for (reviewer, cells) in verdict.reviewers.iter().zip(&verdict.table) {
        let Some(cell) = cells.get(answer).and_then(Option::as_ref) else { continue };
        let because = cell.not_counted.as_ref();
        let because =
            because.map(|because| format!(", not counted: {because}")).unwrap_or_default();
        let _ = writeln!(text, "  review by {}{because}", one_line(&reviewer.model, 60));
        for left in &cell.left_out {
            let because = one_line(&left.because, 200);
            let _ = writeln!(text, "    {} is left out: {because}", left.dimension);
        }
        if let Some(overall) = &cell.overall {
            text.push_str(&ledger(overall, 2));
        }
    }
    text
}

/// Workings, so many steps in.
fn ledger(explained: &Explained, depth: usize) -> String {
    let mut text = String::new();
    for line in lines(explained) {
        let value = line.value.map(|value| format!(" {}", score(value))).unwrap_or_default();
        let indent = "  ".repeat(line.depth + depth);
        let _ = writeln!(text, "{indent}{}{value}  {}", line.name, quiet(&line.note));
    }
    text
}

fn chair(run: &CouncilRun, verdict: &CouncilVerdict) -> String {
    let (Some(said), Some(seat)) = (&run.chair, &run.participants.chair) else {
        return String::new();
    };
    match said {
        ChairSaid::Wrote { text, saw } => {
            let title = format!(
                "Final answer by {seat}, from {} that passed",
                counted(saw.len(), "answer", "answers")
            );
            format!("\n{}\n{}\n", strong(&title), plain(text))
        }
        ChairSaid::Failed { because } | ChairSaid::NotAsked { because } => {
            let mut text = format!("\n{}\n{}\n", strong("No final answer"), one_line(because, 400));
            if let Some(partial) = run.partial(verdict) {
                let model = one_line(&partial.model, 60);
                let title = format!("In its place, the answer that ranks first, by {model}");
                let note = quiet(&one_line(&partial.note, 600));
                let _ = writeln!(text, "\n{}\n{note}\n{}", strong(&title), plain(&partial.text));
            }
            text
        }
    }
}

/// The answers that rank first, where members were asked and no chair wrote a better one.
fn winner(run: &CouncilRun, verdict: &CouncilVerdict) -> String {
    let is_shown = matches!(run.chair, Some(ChairSaid::Wrote { .. } | ChairSaid::Failed { .. }));
    if is_shown || run.participants.members.is_empty() {
        return String::new();
    }
    let winners = verdict.winners();
    let title = if winners.len() > 1 {
        "An answer that ranks first"
    } else {
        "The answer that ranks first"
    };
    let mut text = String::new();
    for answer in winners.iter().filter_map(|index| run.record.answers.get(*index)) {
        let title = format!("{title}, by {}", one_line(&answer.model, 60));
        let answer = plain(answer.text().unwrap_or_default().trim());
        let _ = writeln!(text, "\n{}\n{answer}", strong(&title));
    }
    text
}

/// A stranger's text over several lines, with nothing in it that a terminal would obey.
fn plain(text: &str) -> String {
    text.lines().map(|line| one_line(line, 2_000)).collect::<Vec<_>>().join("\n")
}
