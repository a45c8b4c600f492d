//! The editor of a rubric: tiers, the prompt as the judge reads it, and what would change.

use assize_methods::tones::spread;
use assize_wire::workplace::{DraftView, RubricView, TierDraft};
use maud::{Markup, html};

use super::admin::prompts::diff;
use super::parts::{crumbs, head, plain};
use crate::bars::{Band, badge, ruler, swatch};

const PATH: &str = "/admin/org/eval/criteria-sets";

/// The whole content.
pub fn content(found: &RubricView, can_write: bool) -> Markup {
    let path = format!("{PATH}/{}", found.id);
    let here = format!("{path}/rubric");
    html! {
        (crumbs(&[("Criteria sets", PATH.to_owned()), (&found.name, path.clone())], "Rubric"))
        (head("Scoring rubric", &html! { "Defines what a score from 0 to 100 means for this set. The judge sees it in its prompt, and all labels are derived from it. Finished runs keep the rubric they were judged with." }, &html! {}))
        @if let Some(theirs) = &found.conflict { (conflict(theirs, &here)) }
        form class="grid-2 wide-left" method="post" action=(here) hx-post={ (here) "/preview" } hx-trigger="input delay:250ms" hx-target="#preview" hx-swap="outerHTML" data-rubric {
            input type="hidden" name="etag" value=(found.etag);
            section class="box" {
                header { h2 { "Tiers" } @if can_write { div class="chips" {
                    button class="button" name="act" value="add" formnovalidate { "+ Add tier" }
                    button class="button" name="act" value="reset" formnovalidate { "Reset to default" }
                    button class="button main" name="act" value="save" { "Save" }
                } } }
                div class="in" { @for (place, tier) in found.draft.tiers.iter().enumerate() { (row(found, place, tier, can_write)) } }
            }
            (preview(found, can_write))
        }
    }
}

fn row(found: &RubricView, place: usize, tier: &TierDraft, can_write: bool) -> Markup {
    let problem = found.draft.problem.as_ref().filter(|(number, _)| *number == place + 1);
    // What is wrong is said once, above the preview, which follows as somebody types.
    let is_wrong = problem.map(|_| "true");
    let because = problem.map(|_| "tier-problem");
    let count = found.draft.tiers.len();
    html! {
        div class="tier-row" {
            (swatch(&spread(place, count)))
            div class="field" { label for={ "min-" (place) } { "From" } input class="num" id={ "min-" (place) } name="min" inputmode="numeric" value=(tier.min) aria-invalid=[is_wrong] aria-describedby=[because] readonly[!can_write]; }
            div class="field" { label for={ "max-" (place) } { "To" } input class="num" id={ "max-" (place) } name="max" inputmode="numeric" value=(tier.max) aria-invalid=[is_wrong] aria-describedby=[because] readonly[!can_write]; }
            div class="field label-field" { label for={ "label-" (place) } { "Label" } input id={ "label-" (place) } name="label" value=(plain(&tier.label)) readonly[!can_write]; }
            div class="field about-field" { label for={ "about-" (place) } { "Description" } textarea id={ "about-" (place) } name="description" rows="3" readonly[!can_write] { (plain(&tier.description)) } }
            @if can_write { button class="button small" name="act" value={ "remove-" (place) } aria-label={ "Remove tier " (place + 1) } formnovalidate { "×" } }
        }
    }
}

/// What changes while somebody types: the scale, the prompt, the labels.
pub fn preview(found: &RubricView, can_write: bool) -> Markup {
    html! {
        div class="stack" id="preview" {
            @if let Some((number, words)) = &found.draft.problem {
                div class="notice bad" role="alert" id="tier-problem" { p { @if *number > 0 { "Tier " (number) ", " } (plain(words)) } }
            } @else { section class="box" { header { h2 { "Scale" } } div class="in" { (ruler(&bands(found), None)) } } }
            section class="box" {
                header { h2 { "Prompt preview" } span class="sub" { "updates as you type" } }
                div class="in" { @if found.prompt.is_empty() { p class="sub" { "Shown once the tiers are valid." } } @else { pre class="prompt" tabindex="0" aria-label="The rubric in the prompt" { (found.prompt) } } }
            }
            section class="box" {
                header { h2 { "What would change" } }
                div class="in" {
                    @if found.prompt.is_empty() { p class="sub" { "Shown once the tiers are valid." } }
                    @else if found.results == 0 { p class="sub" { "No run of this set has scores yet." } }
                    @else { p class="sub" { @if found.results == 1 { "The 1 result of the latest run keeps its score; " } @else { "All " (found.results) " results of the latest run keep their scores; " } b { (found.changed) } " of them would get a different label." } }
                    @if !found.changes.is_empty() { div class="scroll" tabindex="0" { table class="list" { tbody { @for one in &found.changes {
                        tr { th scope="row" { (plain(&one.criteria_id)) span class="sub" { " " (plain(&one.document)) } } td class="n" { (one.score) } td { div class="chips" { (badge(&plain(&one.before.label), &one.before.colour)) "→" (badge(&plain(&one.after.label), &one.after.colour)) } } }
                    } } } } }
                }
            }
            (change(&found.change, can_write))
        }
    }
}

/// What a draft would change, and what was in force before: the same for tiers and for sections.
pub(super) fn change(found: &DraftView, can_write: bool) -> Markup {
    html! {
        @if found.is_changed { div class="notice warn" role="status" { p { b { "Draft." } " Nothing is saved yet: the lines below differ from what is in force." } } }
        section class="box" id="difference" {
            header { h2 { "Difference to what is in force" } }
            div class="in" { @if found.difference.is_empty() { p class="sub" { @if found.is_changed { "The prompt stays the same." } @else { "None: this is what is in force." } } } @else { (diff(&found.difference)) } }
        }
        @if !found.whole_prompt.is_empty() { details class="box" { summary class="in" { b { "The whole prompt" } span class="sub" { " as a model gets it for the first criterion" } } div class="in" { pre class="prompt" tabindex="0" aria-label="The whole prompt" { (plain(&found.whole_prompt)) } } } }
        @if !found.history.is_empty() { section class="box" id="history" {
            header { h2 { "History" } span class="sub" { "Undo loads what was before as a draft" } }
            div class="in" { ol class="timeline" { @for entry in &found.history { li {
                span class="sub" { "Before: " (plain(&entry.before)) } " "
                @if can_write { button class="link" name="act" value={ "undo-" (entry.number) } aria-label={ "Undo the change of " (entry.at.format("%-d %B %Y, %H:%M:%S")) " by " (plain(&entry.who)) } formnovalidate { "Undo" } }
                p class="who" { "Changed by " (plain(&entry.who)) " · " (entry.at.format("%-d %B %Y, %H:%M UTC")) }
            } } } }
        } }
    }
}

fn bands(found: &RubricView) -> Vec<Band> {
    let tiers = &found.draft.tiers;
    let band = |(place, tier): (usize, &TierDraft)| {
        Some(Band {
            min: tier.min.trim().parse().ok()?,
            max: tier.max.trim().parse().ok()?,
            label: tier.label.clone(),
            colour: spread(place, tiers.len()),
        })
    };
    tiers.iter().enumerate().filter_map(band).collect()
}

fn conflict(theirs: &[TierDraft], here: &str) -> Markup {
    html! {
        div class="notice warn" role="alert" { div {
            p { b { "Someone else saved this rubric while you were editing it." } " Your version below has not been saved. Theirs:" }
            ul { @for tier in theirs { li { (plain(&tier.min)) "–" (plain(&tier.max)) " " (plain(&tier.label)) } } }
            p { a href=(here) { "Use theirs" } ", or save again to overwrite it with yours." }
        } }
    }
}
