//! Renaming, tagging and deleting a run, each a page of its own: no script is needed.

use assize_wire::runs::RunEntry;
use maud::{Markup, html};

use super::parts::{crumbs, grouped, head, sentence};
use super::runs::{run_address, run_title};

/// A form for name and tags.
pub fn edit(run: &RunEntry, problem: Option<&str>) -> Markup {
    html! {
        (way(run, "Rename or tag"))
        (head(&run_title(run), &html! { "Names must be unique. Separate tags with commas." }, &html! {}))
        @if let Some(problem) = problem { div class="notice bad" role="alert" { p { (sentence(problem)) } } }
        form class="box narrow" method="post" action={ "/runs/" (run.number) "/edit" } { div class="in stack" {
            div class="field" { label for="name" { "Name" } input id="name" name="name" maxlength="100" value=(run.name.as_deref().unwrap_or("")); }
            div class="field" { label for="tags" { "Tags" } input id="tags" name="tags" value=(run.tags.join(", ")); }
            div class="chips" { button class="button main" { "Save" } a class="button" href=(run_address(&run.instrument, run.number)) { "Cancel" } }
        } }
    }
}

/// Are you sure? `problem` is why it could not be deleted.
pub fn delete(run: &RunEntry, problem: Option<&str>) -> Markup {
    html! {
        (way(run, "Delete"))
        (head(&format!("Delete run #{}?", run.number), &html! { bdi { (run_title(run)) } }, &html! {}))
        @if let Some(problem) = problem { div class="notice bad" role="alert" { p { (sentence(problem)) } } }
        form class="box bad narrow" method="post" action={ "/runs/" (run.number) "/delete" } { div class="in stack" {
            p { "This deletes the run and its " (grouped(run.items.unsigned_abs())) @if run.items == 1 { " item" } @else { " items" } " with all verdicts, decisions and comments. This cannot be undone, and the run number will not be reused." }
            div class="chips" { button class="button danger" { "Delete run" } a class="button" href=(run_address(&run.instrument, run.number)) { "Cancel" } }
        } }
    }
}

fn way(run: &RunEntry, last: &str) -> Markup {
    crumbs(
        &[
            ("Runs", "/runs".to_owned()),
            (&run_title(run), run_address(&run.instrument, run.number)),
        ],
        last,
    )
}
