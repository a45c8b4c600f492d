//! A council that is being held: who is how far, and what it has cost.

use assize_wire::runs::{Bill, BillLine, CouncilStep, RunEntry};
use maud::{Markup, html};

use super::new_run_check::dollars;
use super::parts::{crumbs, grouped, head, plain, sentence, state};
use super::run::acts;
use super::runs::run_title;

/// A council without a verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct LiveCouncil {
    pub run: RunEntry,
    /// What is asked.
    pub question: String,
    /// Who is how far.
    pub steps: Vec<CouncilStep>,
    /// What it has cost until now.
    pub bill: Bill,
}

/// The whole content.
pub fn content(council: &LiveCouncil, can_write: bool) -> Markup {
    let LiveCouncil { run, question, steps, bill } = council;
    let sub = html! {
        "#" (run.number) " · council · " (run.created_at.format("%-d %B %Y, %H:%M UTC")) " by " (plain(&run.who)) " " (state(&run.state))
    };
    html! {
        (crumbs(&[("Councils", "/runs?instrument=council".to_owned())], &run_title(run)))
        (head(question, &sub, &acts(run, can_write)))
        div class="stack" {
            @if let Some(failure) = &run.failure { div class="notice bad" role="alert" { p { (sentence(failure)) } } }
            (progress(run.number, &run.state, steps))
            (cost(bill))
        }
    }
}

/// Who is how far; while the run goes on, it asks for itself again.
pub fn progress(run: i64, run_state: &str, steps: &[CouncilStep]) -> Markup {
    let poll = format!("/runs/{run}/progress");
    let is_live = run_state == "running" || run_state == "planned";
    let over = steps.iter().filter(|one| matches!(one.state.as_str(), "done" | "failed")).count();
    let share = if steps.is_empty() { 0.0 } else { over as f64 / steps.len() as f64 };
    html! {
        section class="box" id="progress" hx-get=[is_live.then_some(&poll)] hx-trigger=[is_live.then_some("every 1s")] hx-swap=[is_live.then_some("outerHTML")] {
            header { h2 { "Progress" } span class="sub" role="status" { (over) " of " (steps.len()) " steps finished" @if !is_live { " · " (run_state) } } }
            div class="in stack" {
                (crate::bars::meter(share, "accent"))
                @if is_live { noscript { p class="sub" { "Reload the page to see the progress." } } }
                div class="scroll" tabindex="0" { table class="list" id="steps" {
                    thead { tr { th scope="col" { "Stage" } th scope="col" { "Participant" } th scope="col" { "State" } } }
                    tbody { @for one in steps { tr {
                        td { (stage(&one.stage)) }
                        th scope="row" { bdi { (plain(&one.participant)) } }
                        td { span class=(badge(&one.state)) { (one.state) } @if let Some(reason) = &one.reason { " " span class="sub" { (plain(reason)) } } }
                    } } }
                } }
            }
        }
    }
}

fn stage(word: &str) -> &str {
    match word {
        "answer" => "Answer",
        "review" => "Review",
        "revise" => "Second round",
        "chair" => "Final answer",
        other => other,
    }
}

fn badge(state: &str) -> &'static str {
    match state {
        "asked" => "badge live",
        "done" => "badge good",
        "failed" => "badge bad",
        _ => "badge",
    }
}

/// What a council has cost, by model; nothing where no model was asked for the run.
pub(super) fn cost(bill: &Bill) -> Markup {
    html! {
        @if bill.total.requests > 0 {
            section class="box" id="cost" {
                header { h2 { "Cost" } span class="sub" { "Of every request sent for this run, repeated ones included" } }
                div class="scroll" tabindex="0" { table class="list" {
                    thead { tr { th scope="col" { "Model" } th class="n" scope="col" { "Requests" } th class="n" scope="col" { "Tokens" } th class="n" scope="col" { "Price" } } }
                    tbody { @for one in &bill.models { (line(&html! { bdi { (plain(&one.model)) } }, &one.total)) } }
                    tfoot { (line(&html! { "Total" }, &bill.total)) }
                } }
            }
        }
    }
}

fn line(name: &Markup, line: &BillLine) -> Markup {
    html! {
        tr {
            th scope="row" { (name) }
            td class="n" { (grouped(line.requests)) }
            td class="n" { (grouped(line.tokens)) }
            td class="n" { @if line.unpriced > 0 { "unknown" } @else { "$" (dollars(line.price_nanodollars)) } }
        }
    }
}
