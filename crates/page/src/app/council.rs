//! A council as a page of the workplace, with forms to count it by other weights and to say
//! whether it was understood.

use assize_wire::council::{Council, Understood};
use assize_wire::runs::{Bill, RunEntry};
use maud::{Markup, html};

use super::council_live::cost;
use super::parts::{crumbs, head, sentence};
use super::run::acts;
use super::runs::run_title;
use crate::council::verdict;

/// A council that was held.
#[derive(Debug, Clone, PartialEq)]
pub struct CouncilPage {
    pub run: RunEntry,
    /// What it came to, counted as was tried.
    pub council: Council,
    /// What was tried.
    pub tried: Tried,
    /// What it cost.
    pub bill: Bill,
    /// Whether readers understood it.
    pub readers: Understood,
}

/// Another way of counting that somebody wanted to see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tried {
    /// None: it is shown as it counts.
    Nothing,
    /// Other weights.
    Weights,
    /// Other weights that make no sense, and why.
    Refused(String),
}

/// The whole content.
pub fn content(page: &CouncilPage, can_write: bool) -> Markup {
    let CouncilPage { run, council, tried, bill, readers } = page;
    let sub =
        html! { "#" (run.number) " · council · " (run.created_at.format("%-d %B %Y, %H:%M UTC")) };
    let also = html! {
        div class="stack" {
            (weights(page, can_write))
            (understood(run.number, readers, can_write))
            (cost(bill))
        }
    };
    html! {
        (crumbs(&[("Councils", "/runs?instrument=council".to_owned())], &run_title(run)))
        (head(&council.question, &sub, &acts(run, can_write)))
        @if *tried == Tried::Weights { div class="notice warn" role="status" { p { "These results use other weights. No model was called and nothing was saved; the weights are part of this page’s address. " a href={ "/councils/" (run.number) } { "Use the council’s own weights" } } } }
        div class="council" { (verdict::content(council, &also)) }
    }
}

fn weights(page: &CouncilPage, can_write: bool) -> Markup {
    let run = page.run.number;
    let all: Vec<(String, f64)> = page
        .council
        .verdict
        .profile
        .weights
        .counting()
        .map(|(dimension, weight)| (dimension.to_string(), weight))
        .collect();
    html! {
        section class="box" id="weights" {
            header { h2 { "Try other weights" } span class="sub" { "Recalculates the ranking from the same reviews without calling a model" } }
            form class="in row" method="get" action={ "/councils/" (run) } {
                @if let Tried::Refused(problem) = &page.tried { div class="notice bad" role="alert" { p { (sentence(problem)) } } }
                @for (name, weight) in &all {
                    div class="field" { label for={ "w-" (name) } { (name) } input class="num" id={ "w-" (name) } name=(name) type="number" min="0" max="1" step="any" value=(weight); }
                }
                button class="button" { "Recalculate" }
                p class="sub" { "The weights must add up to 1." }
            }
            @if can_write && page.tried == Tried::Weights {
                form class="in row" method="post" action={ "/councils/" (run) "/rescore" } {
                    @for (name, weight) in &all { input type="hidden" name=(name) value=(weight); }
                    div class="field" { label for="reason" { "Reason (optional)" } input id="reason" name="reason" maxlength="500"; }
                    button class="button main" { "Save as a new version" }
                }
            }
        }
    }
}

/// A short question to the reader, and what readers said.
fn understood(run: i64, readers: &Understood, can_write: bool) -> Markup {
    let answers = [("yes", "Yes"), ("partly", "Partly"), ("no", "No")];
    html! {
        section class="box" id="understood" {
            header { h2 { "Did you understand why the answers rank as they do?" } }
            div class="in stack" {
                @if can_write {
                    form class="chips" method="post" action={ "/councils/" (run) "/understood" } {
                        @for (word, words) in answers {
                            button class="chip" name="understood" value=(word) aria-pressed=(if readers.own.as_deref() == Some(word) { "true" } else { "false" }) { (words) }
                        }
                    }
                }
                p class="sub" { (readers.sentence()) }
            }
        }
    }
}
