//! Criteria sets: the list, one set, and bringing one.

use assize_wire::workplace::{CriteriaSetView, SetRow};
use maud::{Markup, html};

use super::parts::{crumbs, empty, head, plain};
use crate::bars::badge;

const PATH: &str = "/admin/org/eval/criteria-sets";

/// All sets.
pub fn list(sets: &[SetRow], problem: Option<&str>, can_write: bool) -> Markup {
    html! {
        (head("Criteria sets", &html! { "What documents are evaluated against, with the scoring rubric and the response structure of each set." }, &html! {}))
        div class="stack" {
            @if let Some(problem) = problem { div class="notice bad" role="alert" { p { (plain(problem)) } } }
            section class="box" {
                @if sets.is_empty() { (empty("No criteria set yet", "Bring a list as CSV or Excel, or an OSCAL catalog as JSON.", &html! {})) }
                @else { div class="scroll" tabindex="0" { table class="list stack-phone" data-keys="rows" {
                    thead { tr { th scope="col" { "Name" } th class="n" scope="col" { "Criteria" } th scope="col" { "Tiers" } th class="n" scope="col" { "Sections" } th scope="col" { "Changed" } } }
                    tbody { @for set in sets { tr data-row {
                        th scope="row" { a class="main" href={ (PATH) "/" (set.id) } { bdi { (plain(&set.name)) } } @if !set.description.is_empty() { p class="sub" { (plain(&set.description)) } } }
                        td class="n" data-name="criteria" { (set.criteria) } td { a href={ (PATH) "/" (set.id) "/rubric" } { (set.tiers.len()) " tiers" } } td class="n" data-name="sections" { a href={ (PATH) "/" (set.id) "/response-structure" } { (set.sections) } }
                        td class="sub" { time datetime=(set.updated_at.to_rfc3339()) { (set.updated_at.format("%-d %b %Y, %H:%M")) } }
                    } } }
                } } }
            }
            @if can_write { section class="box" {
                header { h2 { "Bring a set" } span class="sub" { "CSV or XLSX with an id and a requirement in each row, or OSCAL JSON" } }
                form class="in row" method="post" action=(PATH) enctype="multipart/form-data" {
                    div class="field" { label for="name" { "Name" } input id="name" name="criteria_name" maxlength="100" placeholder="the name of the file"; }
                    div class="field" { label for="file" { "File" } input id="file" name="criteria_file" type="file" accept=".csv,.xlsx,.json" required; }
                    button class="button main" { "Import" }
                }
            } }
        }
    }
}

/// One set with its criteria.
pub fn one(found: &CriteriaSetView) -> Markup {
    let set = &found.set;
    let acts = html! {
        a class="button" href={ (PATH) "/" (set.id) "/rubric" } { "Scoring rubric" }
        a class="button" href={ (PATH) "/" (set.id) "/response-structure" } { "Response structure" }
        a class="button main" href={ "/runs/new?instrument=compliance&criteria=" (super::address::encoded(&set.name)) } { "Evaluate documents" }
    };
    html! {
        (crumbs(&[("Criteria sets", PATH.to_owned())], &set.name))
        (head(&set.name, &html! { (set.criteria) " criteria" @if !set.description.is_empty() { " · " (plain(&set.description)) } }, &acts))
        div class="stack" {
            div class="chips" { @for (label, colour) in &set.tiers { (badge(&plain(label), colour)) } }
            section class="box" { div class="scroll" tabindex="0" { table class="list stack-phone" {
                thead { tr { th scope="col" { "Criterion" } th scope="col" { "Requirement" } th scope="col" { "Description" } th scope="col" { "Category" } th class="n" scope="col" { "Weight" } } }
                tbody { @for (id, requirement, description, category, weight) in &found.criteria {
                    tr { th scope="row" { bdi { (plain(id)) } } td class="long" dir="auto" { (plain(requirement)) } td class="sub" dir="auto" { (plain(description)) } td class="sub" { (plain(category.as_deref().unwrap_or(""))) } td class="n" data-name="weight" { (weight) } }
                } }
            } }
            @if let Some(next) = found.next { div class="pager" { span {} a class="button small" rel="next" href={ (PATH) "/" (set.id) "?from=" (next) } { "Next criteria →" } } }
            }
        }
    }
}
