//! A council as a page of the workplace, with a form to count it by other weights.

use assize_wire::council::Council;
use assize_wire::runs::RunEntry;
use maud::{Markup, html};

use super::parts::{crumbs, head, sentence};
use super::run::acts;
use super::runs::run_title;
use crate::council::verdict;

/// The whole content; `problem` is why other weights were refused.
pub fn content(
    run: &RunEntry,
    council: &Council,
    changed: bool,
    problem: Option<&str>,
    can_write: bool,
) -> Markup {
    let sub =
        html! { "#" (run.number) " · council · " (run.created_at.format("%-d %B %Y, %H:%M UTC")) };
    html! {
        (crumbs(&[("Councils", "/runs?instrument=council".to_owned())], &run_title(run)))
        (head(&council.question, &sub, &acts(run, can_write)))
        @if changed { div class="notice warn" role="status" { p { "These results use custom weights. No model was called and nothing was saved; the weights are part of this page’s address. " a href={ "/councils/" (run.number) } { "Use the council’s own weights" } } } }
        div class="council" { (verdict::content(council, &weights(run, council, problem))) }
    }
}

fn weights(run: &RunEntry, council: &Council, problem: Option<&str>) -> Markup {
    let all: Vec<(String, f64)> = council
        .verdict
        .profile
        .weights
        .counting()
        .map(|(dimension, weight)| (dimension.to_string(), weight))
        .collect();
    html! {
        section class="box" id="weights" {
            header { h2 { "Try other weights" } span class="sub" { "Recalculates the ranking from the same reviews without calling a model" } }
            form class="in row" method="get" action={ "/councils/" (run.number) } {
                @if let Some(problem) = problem { div class="notice bad" role="alert" { p { (sentence(problem)) } } }
                @for (name, weight) in &all {
                    div class="field" { label for={ "w-" (name) } { (name) } input class="num" id={ "w-" (name) } name=(name) type="number" min="0" max="1" step="any" value=(weight); }
                }
                button class="button" { "Recalculate" }
                p class="sub" { "The weights must add up to 1." }
            }
        }
    }
}
