//! A score that unfolds into its workings, step by step.

use assize_score::workings::{note, shown};
use assize_score::{AppliedCap, CapState, Explained, How, Outcome};
use maud::{Markup, html};

/// An outcome: the number with its workings, or why there is none.
pub fn outcome(outcome: &Outcome) -> Markup {
    match outcome {
        Outcome::Scored(explained) => ledger(explained),
        Outcome::Unscored { because } => html! { span class="unscored" { "unscored: " (because) } },
    }
}

/// The number and, folded beneath it, everything that led to it.
pub fn ledger(explained: &Explained) -> Markup {
    let note = note(&explained.how);
    let line = html! {
        span class="ledger-name" { (explained.name) } " "
        b { (shown(explained.value)) }
        @if !note.is_empty() { " " span class="ledger-note" { (note) } }
    };
    match &explained.how {
        How::Given => html! { div class="ledger" { (line) } },
        How::Computed { inputs, .. } => {
            html! { details class="ledger" { summary { (line) } @for input in inputs { (ledger(input)) } } }
        }
        How::Rounded { before, .. } => {
            html! { details class="ledger" { summary { (line) } (ledger(before)) } }
        }
        How::Capped { caps, before } => {
            html! { details class="ledger" { summary { (line) } @for cap in caps { (cap_line(cap)) } (ledger(before)) } }
        }
    }
}

fn cap_line(cap: &AppliedCap) -> Markup {
    let (class, what) = match cap.state {
        CapState::NotTriggered => ("cap-off", "does not apply"),
        CapState::Triggered => ("cap-on", "applies, but does not lower the score"),
        CapState::Binding => ("cap-binding", "lowers the score"),
    };
    html! { div class={ "ledger " (class) } { "cap at " (cap.at_most) ": " (cap.because) " (" (what) ")" } }
}

/// Outcomes one after the other, as a page of their own.
pub fn outcomes(title: &str, outcomes: &[&Outcome]) -> String {
    let content = html! { h1 { (title) } @for one in outcomes { (outcome(one)) } };
    crate::page(title, &content)
}
