//! Criteria sets: the list, one set, and bringing one.

use assize_wire::workplace::{CriteriaSetView, CriterionRow, SetRow, SetsPage};
use maud::{Markup, html};

use super::parts::{crumbs, empty, head, plain, rename_set, sentence};
use crate::bars::badge;

const PATH: &str = "/admin/org/eval/criteria-sets";

/// All sets that are in use, or all that are archived.
pub fn list(page: &SetsPage, problem: Option<&str>, can_write: bool) -> Markup {
    let (sets, other) = (&page.sets, page.others);
    let acts = html! {
        @if page.is_archived { a class="button" href=(PATH) { "Show active sets" } }
        @else if other > 0 { a class="button" href={ (PATH) "?archived=yes" } { "Show archived (" (other) ")" } }
    };
    let sub = if page.is_archived {
        "Archived sets are hidden from lists and new runs. Runs that used them are not affected."
    } else {
        "The criteria that documents are evaluated against. Each set has its own scoring rubric and response structure."
    };
    html! {
        (head(if page.is_archived { "Archived criteria sets" } else { "Criteria sets" }, &html! { (sub) }, &acts))
        div class="stack" {
            @if let Some(problem) = problem { div class="notice bad" role="alert" { p { (sentence(problem)) } } }
            section class="box" {
                @if sets.is_empty() && page.is_archived { (empty("No archived sets", "Archive sets you no longer need from the list of criteria sets.", &html! {})) }
                @else if sets.is_empty() { (empty("No criteria sets yet", "Import a list as CSV or Excel, or an OSCAL catalog as JSON.", &html! {})) }
                @else { div class="scroll" tabindex="0" { table class="list stack-phone" data-keys="rows" {
                    thead { tr { th scope="col" { "Name" } th class="n" scope="col" { "Criteria" } th scope="col" { "Tiers" } th class="n" scope="col" { "Sections" } th scope="col" { "Last used" } th scope="col" { "Changed" } @if can_write { th scope="col" { span class="hidden-text" { "Actions" } } } } }
                    tbody { @for set in sets { (row(set, can_write)) } }
                } } }
            }
            @if can_write && !page.is_archived { section class="box" {
                header { h2 { "Import a criteria set" } span class="sub" { "CSV or XLSX with an ID and a requirement per row, or OSCAL JSON" } }
                form class="in row" method="post" action=(PATH) enctype="multipart/form-data" {
                    div class="field" { label for="name" { "Name" } input id="name" name="criteria_name" maxlength="100" placeholder="Defaults to the file name"; }
                    div class="field" { label for="file" { "File" } input id="file" name="criteria_file" type="file" accept=".csv,.xlsx,.json" required; }
                    button class="button main" { "Import" }
                }
            } }
        }
    }
}

fn row(set: &SetRow, can_write: bool) -> Markup {
    let path = format!("{PATH}/{}", set.id);
    html! {
        tr data-row {
            th scope="row" { a class="main" href=(path) { bdi { (plain(&set.name)) } } @if !set.description.is_empty() { p class="sub" { (plain(&set.description)) } } }
            td class="n" data-name="Criteria" { (set.criteria) }
            td class="nowrap" { a href={ (path) "/rubric" } { (set.tiers.len()) " tiers" } }
            td class="n" data-name="Sections" { a href={ (path) "/response-structure" } { (set.sections) } }
            td class="sub" data-name="Last used" { @match set.used { Some((runs, last)) => { a href={ "/eval/" (last) } { "run #" (last) } @if runs > 1 { " (" (runs) " runs)" } } None => { "never" } } }
            td class="sub" data-name="Changed" { time datetime=(set.updated_at.to_rfc3339()) { (set.updated_at.format("%-d %b %Y, %H:%M")) } }
            @if can_write { td { div class="chips nowrap" {
                a class="button small" href={ (path) "/edit" } aria-label={ "Rename " (plain(&set.name)) } { "Rename" }
                form method="post" action={ (path) "/archive" } {
                    input type="hidden" name="on" value=(if set.is_archived { "no" } else { "yes" });
                    @let word = if set.is_archived { "Restore" } else { "Archive" };
                    button class="button small" aria-label={ (word) " " (plain(&set.name)) } { (word) }
                }
            } } }
        }
    }
}

/// A form for another name; `problem` is why what was typed cannot be one.
pub fn rename(set: &SetRow, typed: &str, problem: Option<&str>) -> Markup {
    rename_set(("criteria set", "Criteria sets", PATH), (&set.id, &set.name), typed, problem)
}

/// One set with its criteria.
pub fn one(found: &CriteriaSetView, can_write: bool) -> Markup {
    let set = &found.set;
    let path = format!("{PATH}/{}", set.id);
    let acts = html! {
        @if can_write && found.set.criteria <= 50 { a class="button" href={ (path) "/table" } { "Edit as a table" } }
        a class="button" href={ (path) "/rubric" } { "Scoring rubric" }
        a class="button" href={ (path) "/response-structure" } { "Response structure" }
        @if can_write { a class="button" href={ (path) "/edit" } { "Rename" } a class="button" href={ (path) "/criteria/new" } { "+ Add criterion" } }
        @if !set.is_archived { a class="button main" href={ "/runs/new?instrument=compliance&criteria=" (super::address::encoded(&set.name)) } { "Evaluate documents" } }
    };
    html! {
        (crumbs(&[("Criteria sets", PATH.to_owned())], &set.name))
        (head(&set.name, &html! { (set.criteria) @if set.criteria == 1 { " criterion" } @else { " criteria" } @if !set.description.is_empty() { " · " (plain(&set.description)) } @if set.is_archived { " · archived" } }, &acts))
        div class="stack" {
            div class="chips" { @for (label, colour) in &set.tiers { (badge(&plain(label), colour)) } }
            section class="box" {
                @if can_write { form id="order" method="post" action={ (path) "/order" } { input type="hidden" name="from" value=(found.from); } }
                div class="scroll" tabindex="0" { table class="list stack-phone" {
                    thead { tr { th scope="col" { "Criterion" } th scope="col" { "Requirement" } th scope="col" { "Description" } th scope="col" { "Category" } th class="n" scope="col" { "Weight" } @if can_write { th scope="col" { span class="hidden-text" { "Actions" } } } } }
                    tbody { @for (place, one) in (found.from..).zip(&found.criteria) { (criterion(one, (place, set.criteria), &path, can_write)) } }
                } }
                @if found.from > 0 || found.next.is_some() { div class="pager" {
                    @if found.from > 0 { a class="button small" rel="prev" href={ (path) "?from=" (found.from.saturating_sub(found.criteria.len().max(50))) } { "← Previous" } } @else { span {} }
                    @if let Some(next) = found.next { a class="button small" rel="next" href={ (path) "?from=" (next) } { "Next →" } }
                } }
            }
        }
    }
}

fn criterion(
    one: &CriterionRow,
    (place, count): (usize, usize),
    path: &str,
    can_write: bool,
) -> Markup {
    let name = plain(&one.id);
    html! {
        tr id=(one.item) {
            th scope="row" { bdi { (name) } }
            td class="long" dir="auto" { (plain(&one.requirement)) }
            td class="sub" dir="auto" { (plain(&one.description)) }
            td class="sub" data-name=[one.category.as_ref().map(|_| "category")] { (plain(one.category.as_deref().unwrap_or(""))) }
            td class="n" data-name="Weight" { (one.weight) }
            @if can_write { td { div class="chips nowrap" {
                button class="button small" form="order" name="up" value=(one.item) aria-label={ "Move " (name) " up" } disabled[place == 0] { "↑" }
                button class="button small" form="order" name="down" value=(one.item) aria-label={ "Move " (name) " down" } disabled[place + 1 == count] { "↓" }
                a class="button small" href={ (path) "/criteria/" (one.item) } aria-label={ "Edit " (name) } { "Edit" }
            } } }
        }
    }
}
