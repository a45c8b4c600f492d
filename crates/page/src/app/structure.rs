//! The editor of a response structure: sections, the prompt, an answer that would be accepted.

use assize_wire::workplace::{SectionDraft, StructureView};
use maud::{Markup, html};

use super::parts::{crumbs, head, plain};
use super::rubric::change;

const PATH: &str = "/admin/org/eval/criteria-sets";

/// The whole content.
pub fn content(found: &StructureView, can_write: bool) -> Markup {
    let path = format!("{PATH}/{}", found.id);
    let here = format!("{path}/response-structure");
    html! {
        (crumbs(&[("Criteria sets", PATH.to_owned()), (&found.name, path.clone())], "Response structure"))
        (head("Response structure", &html! { "The sections the judge is asked to write, in this order. If a required section is missing, the result is flagged." }, &html! {}))
        @if let Some(theirs) = &found.conflict { (conflict(theirs, &here)) }
        form class="grid-2 wide-left" method="post" action=(here) hx-post={ (here) "/preview" } hx-trigger="input delay:250ms" hx-target="#preview" hx-swap="outerHTML" {
            input type="hidden" name="etag" value=(found.etag);
            section class="box" {
                header { h2 { "Sections" } @if can_write { div class="chips" {
                    button class="button" name="act" value="add" formnovalidate { "+ Add section" }
                    button class="button" name="act" value="reset" formnovalidate { "Reset to default" }
                    button class="button main" name="act" value="save" { "Save" }
                } } }
                div class="in" { @for (place, section) in found.sections.iter().enumerate() { (row(found, place, section, can_write)) } }
            }
            (preview(found, can_write))
        }
    }
}

fn conflict(theirs: &[SectionDraft], here: &str) -> Markup {
    html! {
        div class="notice warn" role="alert" { div {
            p { b { "Someone else saved this structure while you were editing it." } " Your version below has not been saved. Theirs:" }
            ul { @for section in theirs { li { (plain(&section.id)) " (" (plain(&section.kind)) ", " @if section.required { "required" } @else { "optional" } ")" } } }
            p { a href=(here) { "Use theirs" } ", or save again to overwrite it with yours." }
        } }
    }
}

fn row(found: &StructureView, place: usize, section: &SectionDraft, can_write: bool) -> Markup {
    let is_wrong = found.problem.as_ref().is_some_and(|(number, _)| *number == place + 1);
    // What is wrong is said once, where it follows what is typed.
    let (invalid, because) = (is_wrong.then_some("true"), is_wrong.then_some("section-problem"));
    html! {
        div class="section-row" {
            div class="field" { label for={ "id-" (place) } { "ID" } input id={ "id-" (place) } name="id" value=(plain(&section.id)) aria-invalid=[invalid] aria-describedby=[because]; }
            div class="field" { label for={ "kind-" (place) } { "Type" } select id={ "kind-" (place) } name="kind" { @for kind in ["text", "list", "number"] { option value=(kind) selected[section.kind == kind] { (kind) } } } }
            div class="field about-field" { label for={ "about-" (place) } { "Instructions for the judge" } textarea id={ "about-" (place) } name="description" rows="2" { (plain(&section.description)) } }
            div class="field" { label for={ "required-" (place) } { "Required" } select id={ "required-" (place) } name="required" { option value="yes" selected[section.required] { "yes" } option value="no" selected[!section.required] { "no" } } }
            @if can_write { div class="chips" {
                @if place > 0 { button class="button small" name="act" value={ "up-" (place) } aria-label={ "Move section " (place + 1) " up" } formnovalidate { "↑" } }
                button class="button small" name="act" value={ "remove-" (place) } aria-label={ "Remove section " (place + 1) } formnovalidate { "×" }
            } }
        }
    }
}

/// What changes while somebody types.
pub fn preview(found: &StructureView, can_write: bool) -> Markup {
    html! {
        div class="stack" id="preview" {
            @if let Some((number, words)) = &found.problem { div class="notice bad" role="alert" id="section-problem" { p { @if *number > 0 { "Section " (number) ", " } (plain(words)) } } }
            @for (title, text) in [("Prompt preview", &found.prompt), ("Example of a valid answer", &found.example)] {
                section class="box" { header { h2 { (title) } } div class="in" { @if text.is_empty() { p class="sub" { "Shown once the sections are valid." } } @else { pre class="prompt" tabindex="0" aria-label=(title) { (text) } } } }
            }
            (change(&found.change, can_write))
        }
    }
}
