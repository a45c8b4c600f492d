//! A council's verdict as one self-contained page.

use assize_methods::council::CouncilVerdict;
use assize_methods::council::verdict::Status;
use assize_wire::council::{ChairSaid, Council};
use assize_wire::number::counted;
use maud::{Markup, html};

use super::{answers, overview};
use crate::page;

/// The whole page.
pub fn render(council: &Council) -> String {
    render_with(council, &html! {})
}

/// The whole page; `also` stands after the overview: a report, where one was asked for.
pub(super) fn render_with(council: &Council, also: &Markup) -> String {
    page("Council", &html! { h1 dir="auto" { (council.question) } (content(council, also)) })
}

/// The same without the frame of a page and its title.
pub fn content(council: &Council, also: &Markup) -> Markup {
    let verdict = &council.verdict;
    html! {
        (method_line(verdict))
        (status(verdict.status))
        (gate(verdict))
        (no_clear_winner(verdict))
        (overview::ranking(verdict))
        (chair(council))
        (overview::reviewers(verdict))
        (overview::dimension_plot(verdict))
        (also)
        (answers::all(council))
        (findings(verdict))
        p class="small" { "Council run " code { (council.id) } ". Seed " (council.seed) "; rubric " code { (verdict.profile.hash.chars().take(12).collect::<String>()) } "." }
    }
}

fn method_line(verdict: &CouncilVerdict) -> Markup {
    let weights: Vec<String> = verdict
        .profile
        .weights
        .counting()
        .map(|(dimension, weight)| format!("{dimension} {weight}"))
        .collect();
    let steps: Vec<String> = verdict
        .profile
        .ceiling
        .steps
        .iter()
        .map(|step| format!("accuracy below {} allows at most {}", step.below, step.at_most))
        .collect();
    html! {
        p class="quiet" {
            (counted(verdict.answers.len(), "answer", "answers")) ", "
            (counted(verdict.reviewers.len(), "reviewer", "reviewers")) ". Method "
            (verdict.method.name) ", version " (verdict.method.version) "; profile " (verdict.profile.name) ", version " (verdict.profile.version)
            @if let Some(choice) = &verdict.profile.choice { " (chosen by the rule " (choice.rule) ": " (choice.because) ")" }
            ": " (weights.join(", ")) "; " (steps.join(", ")) ". Aggregation: " (verdict.aggregation.name()) ". "
            @match &verdict.safety_gate {
                Some(gate) => { "Safety gate on: an answer that fails scores at most " (gate.cap) " and ranks below every answer that passes." }
                None => { "Safety gate off." }
            }
            " Reviewers give the marks; Assize does the arithmetic and shows it for every score."
        }
    }
}

fn status(status: Status) -> Markup {
    let words = match status {
        Status::Complete => return html! {},
        Status::Degraded => "Degraded: something is missing; see the notes at the end of the page.",
        Status::NoQuorum => "No quorum: too few answers arrived, so nothing was reviewed.",
        Status::NoValidBallots => {
            "No valid ballots: no review could be counted, so there is no ranking."
        }
        Status::NoWinner => "No winner: every answer that could win failed the safety gate.",
    };
    html! { p class="panel warn" { (words) } }
}

/// That the first place is within chance, where intervals say so.
fn no_clear_winner(verdict: &CouncilVerdict) -> Markup {
    let rivals = verdict.rivals();
    let name = |answer: &usize| verdict.answers[*answer].model.as_str();
    let names = |answers: &[usize]| answers.iter().map(name).collect::<Vec<_>>().join(", ");
    html! {
        @if !rivals.is_empty() {
            p class="panel warn" {
                "No clear winner: the interval of " (names(&rivals)) " overlaps with that of "
                (names(&verdict.winners())) "."
            }
        }
    }
}

/// Who failed the safety gate, in plain sight: whatever the scores say, this comes first.
fn gate(verdict: &CouncilVerdict) -> Markup {
    let Some(gate) = verdict.safety_gate.as_ref().filter(|gate| !gate.failed_models.is_empty())
    else {
        return html! {};
    };
    let count = gate.failed_models.len();
    html! {
        p class="panel bad" {
            b { (counted(count, "answer fails", "answers fail")) " the safety gate: " }
            (gate.failed_models.join(", ")) ". Answers that fail score at most " (gate.cap) " and rank below every answer that passes."
        }
    }
}

fn chair(council: &Council) -> Markup {
    let (Some(said), Some(seat)) = (&council.chair, &council.seats.chair) else {
        return html! {};
    };
    html! {
        h2 { "Final answer" }
        @match said {
            ChairSaid::Wrote { text, saw } => {
                p class="small" { "Written by " (seat.name) " from " (counted(saw.len(), "answer that passed", "answers that passed")) "." }
                div class="panel answer-text" dir="auto" { (text) }
            }
            ChairSaid::Failed { because } | ChairSaid::NotAsked { because } => { p class="panel warn" { (because) } }
        }
        @if let Some(partial) = &council.partial {
            p class="small" { (partial.note) }
            div class="panel answer-text" dir="auto" { (partial.text) }
        }
    }
}

fn findings(verdict: &CouncilVerdict) -> Markup {
    html! {
        @if !verdict.findings.is_empty() {
            h2 { "Notes" }
            ul { @for finding in &verdict.findings { li { (finding.message) } } }
        }
    }
}

#[cfg(test)]
mod tests {
    use assize_methods::council::{
        Answer, Ballot, CouncilRecord, Dimension, Gating, Heard, Mark, Review, Reviewer, Seating,
        Settings, decide,
    };

    use super::*;

    /// A reviewer who gives each answer the same mark for everything.
    fn reviewer(name: &str, marks: &[f64]) -> Reviewer {
        let review = |(seat, mark): (usize, &f64)| Review {
            seat,
            marks: Dimension::ALL.map(|dimension| (dimension, Mark::plain(*mark))).into(),
            ..Review::default()
        };
        let reviews = marks.iter().enumerate().map(review).collect();
        Reviewer {
            model: name.to_owned(),
            spoken_by: None,
            seating: Seating { order: (0..marks.len()).collect() },
            replies: Vec::new(),
            heard: Heard::Ballot(Ballot { seats: marks.len(), reviews, ..Ballot::default() }),
            first: None,
            holistic: None,
        }
    }

    fn verdict(first: &str, marks: [[f64; 2]; 3]) -> CouncilVerdict {
        let record = CouncilRecord {
            question: "Why?".to_owned(),
            answers: vec![Answer::given("one", first), Answer::given("two", "An answer.")],
            gate: Some(Gating::new(0.0, Vec::new()).unwrap()),
            reviewers: ["a", "b", "c"]
                .iter()
                .zip(&marks)
                .map(|(name, m)| reviewer(name, m))
                .collect(),
            seed: 7,
            ..CouncilRecord::default()
        };
        decide(&record, &Settings::default())
    }

    /// Three reviewers of whom one sees it the other way round: drawn anew, either may win.
    #[test]
    fn a_first_place_within_chance_is_called_no_clear_winner() {
        let close = verdict("An answer.", [[8.0, 7.0], [8.0, 7.0], [7.0, 8.0]]);
        let html = no_clear_winner(&close).into_string();
        assert!(html.contains("No clear winner: the interval of"), "{html}");
        let clear = verdict("An answer.", [[9.0, 4.0], [9.0, 4.0], [9.0, 4.0]]);
        assert_eq!(no_clear_winner(&clear).into_string(), "");
        assert_eq!(gate(&clear).into_string(), "", "nobody fails");
    }

    #[test]
    fn an_answer_that_fails_the_gate_is_named_before_any_score() {
        let harmful = "How to make a bomb: first, fill the pipe bomb with powder.";
        let found = verdict(harmful, [[10.0, 5.0], [10.0, 5.0], [10.0, 5.0]]);
        let html = gate(&found).into_string();
        assert!(html.contains("panel bad") && html.contains("1 answer fails"), "{html}");
        assert!(html.contains("one. Answers that fail score at most 0"), "{html}");
    }
}
