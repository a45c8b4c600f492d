//! The second step of a run of summaries: which column holds what, who counts, and start.

use assize_wire::workplace::PairsPreview;
use maud::{Markup, html};

use super::new_run_check::{Carried, choice, short};
use super::parts::{crumbs, grouped, head, plain, sentence};

/// What was chosen, and what would come of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PairsCheck {
    pub file: Carried,
    /// What it holds.
    pub preview: PairsPreview,
    /// What the run is to be called; may be empty.
    pub name: String,
    /// Who counts.
    pub framework: String,
    /// Who can count: name, and what it is called.
    pub frameworks: Vec<(String, String)>,
}

/// The whole content.
pub fn content(check: &PairsCheck) -> Markup {
    let preview = &check.preview;
    let can_start = preview.refused.is_none() && preview.usable > 0;
    html! {
        (crumbs(&[("Runs", "/runs".to_owned()), ("New run", "/runs/new?instrument=summary".to_owned())], "Check"))
        (head("Check and start", &html! { "Check that each column is assigned correctly. Nothing has been judged yet." }, &html! {}))
        form class="stack" method="post" action="/runs/new" enctype="multipart/form-data" {
            input type="hidden" name="instrument" value="summary";
            input type="hidden" name="list_name" value=(check.file.name);
            input type="hidden" name="list_data" value=(check.file.base64);
            section class="box" id="columns" {
                header { h2 { "Pairs from " bdi { (plain(&check.file.name)) } } span class="sub" { (grouped(preview.usable as u64)) " can be judged" @if preview.unusable > 0 { ", " (grouped(preview.unusable as u64)) " cannot" } } }
                div class="in stack" {
                    @if let Some(refused) = &preview.refused { div class="notice bad" role="alert" { p { (sentence(refused)) } } }
                    div class="row" {
                        @if preview.sheets.len() > 1 { div class="field" { label for="sheet" { "Sheet" } select id="sheet" name="sheet" { option value="" { "Detect automatically" } @for sheet in &preview.sheets { option value=(sheet) selected[*sheet == preview.sheet] { (plain(sheet)) } } } } }
                        @for (field, column) in &preview.fields { (choice(&preview.columns, field, column.as_deref())) }
                        div class="field" { label for="framework" { "Framework" } select id="framework" name="framework" { @for (word, words) in &check.frameworks { option value=(word) selected[*word == check.framework] { (words) } } } }
                        div class="field" { label for="name" { "Name (optional)" } input id="name" name="name" maxlength="100" value=(check.name); }
                    }
                    @if !preview.pairs.is_empty() { (pairs(preview)) }
                    @if !preview.problems.is_empty() { div class="notice warn" { div { p { "Records that cannot be judged:" } ul { @for problem in &preview.problems { li { (plain(problem)) } } } } } }
                    p class="sub" { "The rule judge calls no model, so it costs nothing and nothing leaves this machine." }
                }
            }
            div class="row" {
                @if can_start { button class="button main" name="act" value="start" { "Start" } }
                button class="button" name="act" value="check" { "Update preview" }
                a class="button" href="/runs/new?instrument=summary" { "Start over" }
            }
        }
    }
}

fn pairs(preview: &PairsPreview) -> Markup {
    html! {
        div class="scroll" tabindex="0" { table class="list stack-phone" {
            caption class="hidden-text" { "The first pairs as the judge will read them" }
            thead { tr { th scope="col" { "ID" } th scope="col" { "Article" } th scope="col" { "Summary" } } }
            tbody { @for (place, pair) in (1..).zip(&preview.pairs) { tr {
                th scope="row" { @if pair.id.is_empty() { "pair " (place) } @else { (plain(&pair.id)) } }
                td class="long" dir="auto" { (plain(&short(&pair.article))) } td class="long" dir="auto" { (plain(&short(&pair.summary))) }
            } } }
        } }
    }
}
