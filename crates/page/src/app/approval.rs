//! Who approved a run, what was changed since, and approving it.

use assize_wire::runs::{ApprovalEntry, RunEntry};
use maud::{Markup, html};

use super::parts::{grouped, plain};

/// The word beside a run's state; nothing where nobody approved it.
pub fn mark(run: &RunEntry) -> Markup {
    html! {
        @if let Some(approval) = &run.approval {
            @if approval.changes_since > 0 { " " span class="badge warn" { "approved, changed since" } }
            @else { " " span class="badge good" { "approved" } }
        }
    }
}

/// The section of a run that is done; `open` is how many of its results nobody decided about.
pub(crate) fn section(
    run: &RunEntry,
    history: &[ApprovalEntry],
    open: u64,
    can_write: bool,
) -> Markup {
    html! {
        @if run.state == "done" && (can_write || !history.is_empty()) {
            section class="box" id="approval" {
                header { h2 { "Approval" } (mark(run)) }
                div class="in stack" {
                    p class="sub" { @match &run.approval {
                        Some(approval) => {
                            "Approved by " b { bdi { (plain(&approval.who)) } } " on " (approval.at.format("%-d %B %Y, %H:%M UTC")) @if !approval.note.is_empty() { ": " bdi { (plain(&approval.note)) } }
                            @if approval.changes_since > 0 { " · " b { (grouped(approval.changes_since.unsigned_abs())) " changed since" } ". Review the changes and approve again." }
                        }
                        None => { "This run has not been approved yet. Approval records that the results were accepted as they are; later changes are listed in the report." @if open > 0 { " " (grouped(open)) @if open == 1 { " result has" } @else { " results have" } " not been decided by a person." } }
                    } }
                    @if can_write { (form(run)) }
                    @if history.len() > 1 || (history.len() == 1 && run.approval.is_none()) { (timeline(history)) }
                }
            }
        }
    }
}

fn form(run: &RunEntry) -> Markup {
    let action = format!("/runs/{}/approve", run.number);
    let needs_another = run.approval.as_ref().is_none_or(|approval| approval.changes_since > 0);
    html! {
        @if needs_another { form class="row" method="post" action=(action) {
            div class="field grow" { label for="note" { "Note (optional)" } input id="note" name="note" maxlength="500"; }
            button class="button main" name="act" value="approve" { @if run.approval.is_some() { "Approve again" } @else { "Approve" } }
        } }
        @if run.approval.is_some() { form class="row" method="post" action=(action) {
            div class="field grow" { label for="why-not" { "Reason for withdrawing" } input id="why-not" name="note" maxlength="500" required; }
            button class="button" name="act" value="withdraw" { "Withdraw approval" }
        } }
    }
}

fn timeline(history: &[ApprovalEntry]) -> Markup {
    html! {
        details { summary class="sub" { "Approval history" } ol class="timeline" { @for entry in history.iter().rev() {
            li {
                b { @if entry.is_withdrawal { "withdrawn" } @else { "approved" } }
                @if !entry.note.is_empty() { p dir="auto" { (plain(&entry.note)) } }
                span class="who" { (plain(&entry.who)) " · " (entry.at.format("%-d %B %Y, %H:%M UTC")) }
            }
        } } }
    }
}
