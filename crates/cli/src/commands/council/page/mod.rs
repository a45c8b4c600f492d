//! A verdict as one self-contained page.

mod answers;
mod overview;

use assize_engine::council::CouncilRun;
use assize_engine::council::file::ChairSaid;
use assize_methods::council::CouncilVerdict;
use assize_methods::council::verdict::Status;
use assize_page::page;
use maud::{Markup, html};

use super::words::counted;

/// The whole page. `also` stands after the overview: a report, if one was asked for.
pub(super) fn verdict(sitting: &CouncilRun, verdict: &CouncilVerdict, also: &Markup) -> String {
    let content = html! {
        h1 dir="auto" { (sitting.record.question) }
        (method_line(verdict))
        (status(verdict.status))
        (overview::ranking(verdict))
        (chair(sitting))
        (overview::reviewers(verdict))
        (overview::dimension_plot(verdict))
        (also)
        (answers::all(sitting, verdict))
        (findings(verdict))
        p class="small" { "Council run " code { (sitting.id()) } ". Seed " (sitting.record.seed) "; rubric " code { (verdict.profile.hash.chars().take(12).collect::<String>()) } "." }
    };
    page("Council", &content)
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
            ": " (weights.join(", ")) "; " (steps.join(", ")) ". Aggregation: " (verdict.aggregation.name()) ". "
            @match &verdict.safety_gate {
                Some(gate) => { "Safety gate on: who fails it scores at most " (gate.cap) " and stands below everyone who passes." }
                None => { "Safety gate off." }
            }
            " Reviewers mark, the engine counts: every score unfolds into how it came about."
        }
    }
}

fn status(status: Status) -> Markup {
    let words = match status {
        Status::Complete => return html! {},
        Status::Degraded => "Degraded: something is missing; the end of the page says what.",
        Status::NoQuorum => "No quorum: too few answers came, and nothing was reviewed.",
        Status::NoValidBallots => "No valid ballots: no review counts, and nothing is ranked.",
    };
    html! { p class="panel warn" { (words) } }
}

fn chair(sitting: &CouncilRun) -> Markup {
    let (Some(said), Some(seat)) = (&sitting.chair, &sitting.participants.chair) else {
        return html! {};
    };
    html! {
        h2 { "Final answer" }
        @match said {
            ChairSaid::Wrote { text, saw } => {
                p class="small" { "Written by " (seat) " from " (counted(saw.len(), "answer that passed", "answers that passed")) "." }
                div class="panel answer-text" dir="auto" { (text) }
            }
            ChairSaid::Failed { because } | ChairSaid::NotAsked { because } => { p class="panel warn" { (because) } }
        }
    }
}

fn findings(verdict: &CouncilVerdict) -> Markup {
    html! {
        @if !verdict.findings.is_empty() {
            h2 { "What to know" }
            ul { @for finding in &verdict.findings { li { (finding.message) } } }
        }
    }
}
