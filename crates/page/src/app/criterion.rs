//! The editor of a criterion.

use assize_wire::workplace::{CriterionDraft, CriterionView};
use maud::{Markup, html};

use super::parts::{crumbs, head, plain, sentence};

const PATH: &str = "/admin/org/eval/criteria-sets";

/// The whole content; `problem` is why it could not be moved or deleted.
pub fn content(found: &CriterionView, problem: Option<&str>) -> Markup {
    let set = format!("{PATH}/{}", found.set);
    let (title, last) = match &found.item {
        Some(_) => (format!("Edit {}", found.draft.id), found.draft.id.as_str()),
        None => ("Add criterion".to_owned(), "Add criterion"),
    };
    let sub = "Existing runs keep the criterion as it was when they were planned. New runs use the version saved here.";
    html! {
        (crumbs(&[("Criteria sets", PATH.to_owned()), (&found.set_name, set.clone())], last))
        (head(&title, &html! { (sub) }, &html! {}))
        div class="stack" {
            @if let Some(problem) = problem { div class="notice bad" role="alert" { p { (sentence(problem)) } } }
            @if let Some(theirs) = &found.theirs { (conflict(found, theirs)) }
            @if !found.problems.is_empty() { div class="notice bad" role="alert" { p { "Not saved: " @for (place, (field, words)) in found.problems.iter().enumerate() { @if place > 0 { "; " } (field) ": " (plain(words)) } "." } } }
            (form(found, &set))
            @if let Some(item) = &found.item { (others(found, item, &set)) }
        }
    }
}

/// What is typed stays as it is, also what could not be seen elsewhere: it comes back as it went.
fn form(found: &CriterionView, set: &str) -> Markup {
    let draft = &found.draft;
    let address = format!("{set}/criteria/{}", found.item.as_deref().unwrap_or("new"));
    html! {
        form class="box" method="post" action=(address) { div class="in stack" {
            input type="hidden" name="etag" value=(found.etag);
            @if found.item.is_none() { div class="field narrow" {
                label for="id" { "ID" }
                input id="id" name="id" required maxlength="100" value=(draft.id) aria-invalid=[invalid(found, "id")] aria-describedby=[because(found, "id")];
                (wrong(found, "id"))
            } }
            div class="field" {
                label for="requirement" { "Requirement" }
                textarea id="requirement" name="requirement" rows="5" required dir="auto" aria-invalid=[invalid(found, "requirement")] aria-describedby=[because(found, "requirement")] { (draft.requirement) }
                (wrong(found, "requirement"))
            }
            div class="field" {
                label for="description" { "Description" }
                textarea id="description" name="description" rows="3" dir="auto" aria-invalid=[invalid(found, "description")] aria-describedby=[because(found, "description")] { (draft.description) }
                (wrong(found, "description"))
            }
            div class="row" {
                div class="field" {
                    label for="category" { "Category" }
                    input id="category" name="category" maxlength="100" list="categories" value=(draft.category) aria-invalid=[invalid(found, "category")] aria-describedby=[because(found, "category")];
                    datalist id="categories" { @for one in &found.categories { option value=(plain(one)) {} } }
                    (wrong(found, "category"))
                }
                div class="field" {
                    label for="weight" { "Weight" }
                    input class="num" id="weight" name="weight" inputmode="decimal" value=(draft.weight) aria-invalid=[invalid(found, "weight")] aria-describedby=[because(found, "weight").or(Some("weight-hint".to_owned()))];
                    (wrong(found, "weight"))
                }
            }
            p class="sub" id="weight-hint" { "A criterion with weight 2 counts twice in the verdict for the set. With weight 0 it is shown but not counted." }
            div class="chips" { button class="button main" { "Save" } a class="button" href=(set) { "Cancel" } }
        } }
    }
}

/// Moving to a place, and deleting.
fn others(found: &CriterionView, item: &str, set: &str) -> Markup {
    html! {
        div class="grid-2" {
            section class="box" {
                header { h2 { "Position" } span class="sub" { (found.place) " of " (found.count) } }
                form class="in row" method="post" action={ (set) "/order" } {
                    input type="hidden" name="item" value=(item);
                    div class="field" { label for="place" { "Move to position" } input class="num" id="place" name="place" type="number" min="1" max=(found.count) value=(found.place) required; }
                    button class="button" { "Move" }
                }
            }
            section class="box" {
                header { h2 { "Delete criterion" } }
                form class="in stack tight" method="post" action={ (set) "/criteria/" (item) "/delete" } {
                    p class="sub" { "You can delete a criterion only if no run has used it and it has no truth keys. This cannot be undone." }
                    div { button class="button danger" { "Delete criterion" } }
                }
            }
        }
    }
}

fn problem_of<'a>(found: &'a CriterionView, field: &str) -> Option<&'a str> {
    let problem = found.problems.iter().find(|(name, _)| *name == field);
    problem.map(|(_, words)| words.as_str())
}

fn invalid(found: &CriterionView, field: &str) -> Option<&'static str> {
    problem_of(found, field).map(|_| "true")
}

fn because(found: &CriterionView, field: &str) -> Option<String> {
    problem_of(found, field).map(|_| format!("{field}-problem"))
}

fn wrong(found: &CriterionView, field: &str) -> Markup {
    html! { @if let Some(words) = problem_of(found, field) { p class="problem" id={ (field) "-problem" } { (plain(words)) } } }
}

/// Somebody else saved meanwhile: what they wrote, field by field where it differs.
fn conflict(found: &CriterionView, theirs: &CriterionDraft) -> Markup {
    let yours = &found.draft;
    let all = [
        ("Requirement", &theirs.requirement, &yours.requirement),
        ("Description", &theirs.description, &yours.description),
        ("Category", &theirs.category, &yours.category),
        ("Weight", &theirs.weight, &yours.weight),
    ];
    let here =
        format!("{PATH}/{}/criteria/{}", found.set, found.item.as_deref().unwrap_or_default());
    html! {
        div class="notice warn" role="alert" { div {
            p { b { "Someone else saved this criterion while you were editing it." } " Your version below has not been saved. Theirs:" }
            dl class="facts" { @for (name, theirs, yours) in all { @if theirs != yours { dt { (name) } dd dir="auto" { @if theirs.is_empty() { "empty" } @else { (plain(theirs)) } } } } }
            p { a href=(here) { "Use theirs" } ", or save again to overwrite it with yours." }
        } }
    }
}
