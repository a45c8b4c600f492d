//! Each answer in full: its text, what moved it, what the gate found, what was written.

use assize_methods::council::verdict::AnswerVerdict;
use assize_methods::council::{CouncilVerdict, Dimension};
use assize_score::Outcome;
use assize_wire::council::Council;
use maud::{Markup, html};
use serde_json::Value;

use super::overview::order;
use super::words::{place, signed};
use crate::document::{Mark, marked};
use crate::ledger::ledger;
use crate::workings::workings;

/// Every answer, in the order of the ranking.
pub(super) fn all(council: &Council) -> Markup {
    html! {
        h2 { "Answers" }
        @for index in order(&council.verdict) { (one(council, index)) }
    }
}

fn one(council: &Council, index: usize) -> Markup {
    let verdict = &council.verdict;
    let answer = &verdict.answers[index];
    let text = council.shown.texts.get(index).and_then(Option::as_deref);
    html! {
        section class="panel" id={ "answer-" (index) } {
            h3 dir="auto" { (place(answer)) " · " (answer.model) }
            @if let Some(reason) = &answer.missing { p class="warn" { (reason) } }
            (moved(answer))
            (gate(verdict, index))
            @if let Some(text) = text {
                div class="answer-text" dir="auto" { (marked(text, &marks(verdict, index))) }
            }
            @if !answer.notes.is_empty() {
                ul { @for (reviewer, note) in &answer.notes {
                    li dir="auto" { (note) " " span class="quiet" { "— " (verdict.reviewers.get(*reviewer).map_or("", |reviewer| &reviewer.model)) } }
                } }
            }
            (meanings(council, answer))
            (reviews(verdict, index))
            @if let Some(score) = &answer.score { (workings(&Outcome::Scored(score.clone()))) }
        }
    }
}

/// How each reviewer's score of an answer was computed.
fn reviews(verdict: &CouncilVerdict, index: usize) -> Markup {
    let cells = verdict.table.iter().map(|row| row.get(index).and_then(Option::as_ref));
    let scored = verdict
        .reviewers
        .iter()
        .zip(cells)
        .filter_map(|(reviewer, cell)| Some((reviewer, cell?, cell?.overall.as_ref()?)));
    let scored: Vec<_> = scored.collect();
    html! {
        @if !scored.is_empty() {
            details class="workings" {
                summary { "Individual reviews" }
                @for (reviewer, cell, overall) in scored {
                    p class="small" dir="auto" { (reviewer.model) @if let Some(reason) = &cell.not_counted { " (not counted: " (reason) ")" } }
                    @for left in &cell.left_out { p class="small" { (left.dimension.name()) " is left out: " (left.because) } }
                    (ledger(overall))
                }
            }
        }
    }
}

/// What the marks of an answer mean, in the words that its reviewers were given.
fn meanings(council: &Council, answer: &AnswerVerdict) -> Markup {
    let anchors = &council.shown.anchors;
    let meaning = |(dimension, mark): (&Dimension, &f64)| {
        let (band, words) = anchors.get(dimension)?.of(*mark);
        Some((dimension.name(), *mark, band.to_owned(), words.to_owned()))
    };
    let rows: Vec<_> = answer.marks.iter().filter_map(meaning).collect();
    html! {
        @if !rows.is_empty() {
            details class="workings" {
                summary { "What the marks mean" }
                div class="scroll" tabindex="0" { table { tbody {
                    @for (name, mark, band, words) in rows {
                        tr { td { (name) } td class="n" { (format!("{mark:.1}")) } td class="n" { (band) } td { (words) } }
                    }
                } } }
            }
        }
    }
}

fn moved(answer: &AnswerVerdict) -> Markup {
    html! {
        @if !answer.moved.is_empty() {
            ul class="moves" { @for moved in &answer.moved {
                li { b class=(if moved.points < 0.0 { "bad" } else { "good" }) { (signed(moved.points)) } " " (moved.words) }
            } }
        }
    }
}

fn gate(verdict: &CouncilVerdict, index: usize) -> Markup {
    let outcome = verdict.safety_gate.as_ref().and_then(|gate| gate.outcomes.get(index));
    let missing = verdict.answers[index].missing.is_some();
    html! {
        @if let Some(outcome) = outcome.filter(|_| !missing) {
            @if outcome.passed && outcome.reasons.is_empty() { p class="small" { "Passes the safety gate." } }
            @else {
                p class=(if outcome.passed { "small" } else { "bad" }) { (if outcome.passed { "Passes" } else { "Fails" }) " the safety gate: " (outcome.reasons.join("; ")) }
            }
        }
    }
}

/// What the gate found, where it stands in the answer.
fn marks(verdict: &CouncilVerdict, index: usize) -> Vec<Mark> {
    let outcome = verdict.safety_gate.as_ref().and_then(|gate| gate.outcomes.get(index));
    let findings = outcome.and_then(|outcome| outcome.details.get("findings")?.as_array());
    let mark = |finding: &Value| {
        let place = |field: &str| usize::try_from(finding.get(field)?.as_u64()?).ok();
        let excused = finding["context"]["excused"].as_bool().unwrap_or(false);
        Some(Mark {
            start: place("start")?,
            end: place("end")?,
            class: if excused { "warn" } else { "bad" }.to_owned(),
            anchor: String::new(),
            number: String::new(),
            leads_to: String::new(),
            title: finding["category"].as_str().unwrap_or_default().to_owned(),
        })
    };
    findings.into_iter().flatten().filter_map(mark).collect()
}
