//! Prompt templates: versions, what changed between them, and a new one.

use assize_wire::workplace::{DiffLine, PromptVersion, PromptsView};
use maud::{Markup, html};

use super::super::address::address;
use super::super::parts::{head, plain};
use super::{problem, when};

const PATH: &str = "/admin/prompts";

/// The whole content.
pub fn content(view: &PromptsView, can_write: bool) -> Markup {
    html! {
        (head("Prompts", &html! { "The instructions a model receives for each criterion and document. A version that has been used never changes: edits create a new version, and finished runs keep theirs." }, &html! {}))
        div class="stack" {
            (problem(view.problem.as_deref()))
            div class="grid-2" {
                section class="box" {
                    header { h2 { "Versions" } }
                    div class="scroll" tabindex="0" { table class="list" {
                        thead { tr { th scope="col" { "Template" } th scope="col" { "Created" } th scope="col" { "First used" } th scope="col" { "Used by" } } }
                        tbody { @for one in &view.versions { (row(one, view)) } }
                    } }
                }
                @if let Some(shown) = &view.shown { (version(shown, view, can_write)) }
            }
            @if can_write { (form(view)) }
        }
    }
}

fn row(one: &PromptVersion, view: &PromptsView) -> Markup {
    let is_shown = view.shown.as_ref().is_some_and(|shown| shown.title() == one.title());
    html! {
        tr {
            th scope="row" { a href=(address(PATH, &[("show", &one.title())])) aria-current=[is_shown.then_some("true")] { bdi { (plain(&one.title())) } } }
            td class="sub" { (when(Some(one.created_at))) } td class="sub" { (when(one.used_at)) }
            td class="sub" { (plain(&one.sets.join(", "))) }
        }
    }
}

fn version(shown: &PromptVersion, view: &PromptsView, can_write: bool) -> Markup {
    html! {
        section class="box" id="shown" {
            header {
                h2 { bdi { (plain(&shown.title())) } }
                form class="row" method="get" action=(PATH) {
                    input type="hidden" name="show" value=(shown.title());
                    label class="hidden-text" for="against" { "Compare with" }
                    select id="against" name="against" { option value="" { "No comparison" } @for other in &view.versions { @if other.title() != shown.title() { option value=(other.title()) selected[view.against.as_deref() == Some(other.title().as_str())] { "Changes since " (plain(&other.title())) } } } }
                    button class="button small" { "Show" }
                }
            }
            div class="in stack" {
                @if view.against.is_some() { (diff(&view.diff)) } @else { pre class="prompt" tabindex="0" aria-label=(plain(&shown.title())) { (plain(&shown.body)) } }
                @if can_write && !view.sets.is_empty() { form class="row" method="post" action=(PATH) {
                    input type="hidden" name="template" value=(shown.title());
                    div class="field" { label for="set" { "Use for criteria set" } select id="set" name="set" { @for set in &view.sets { option value=(set) { (plain(set)) } } } }
                    button class="button" name="act" value="choose" { "Use for new runs" }
                } }
            }
        }
    }
}

/// What was taken away and added, line by line: a sign says it, not a colour alone.
pub(crate) fn diff(lines: &[DiffLine]) -> Markup {
    html! {
        pre class="prompt diff" tabindex="0" aria-label="Changes" {
            @for line in lines { @match line.sign {
                '+' => ins { "+ " (plain(&line.text)) "\n" },
                '-' => del { "- " (plain(&line.text)) "\n" },
                _ => { "  " (plain(&line.text)) "\n" },
            } }
        }
    }
}

fn form(view: &PromptsView) -> Markup {
    let (name, body) = match (&view.draft, &view.shown) {
        (Some((name, body)), _) => (name.as_str(), body.as_str()),
        (None, Some(shown)) => (shown.name.as_str(), shown.body.as_str()),
        (None, None) => ("", ""),
    };
    html! {
        section class="box" id="new" {
            header { h2 { "New version" } span class="sub" { "Placeholders: " @for word in &view.variables { code { "{" (word) "}" } " " } } }
            form class="in stack" method="post" action=(PATH) {
                div class="field" { label for="name" { "Template" } input id="name" name="name" required maxlength="100" value=(plain(name)); p class="hint" { "An existing name gets a new version; a new name creates a template." } }
                div class="field" { label for="body" { "Prompt" } textarea id="body" name="body" rows="18" required { (body) } }
                div { button class="button main" name="act" value="add" { "Save as new version" } }
            }
        }
    }
}
