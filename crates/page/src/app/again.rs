//! A run scored another way, and the labels of a summary's claims corrected.

use assize_methods::summary::Metric;
use assize_wire::workplace::{
    ClaimLabel, LabelsView, MetricByLabels, RescoreView, RetrievalSettings, TierDraft,
};
use maud::{Markup, html};

use super::parts::{crumbs, head, plain, sentence};
use super::runs::{run_address, run_title};
use crate::summary::words;

/// The labels of a claim, and how they are said.
const LABELS: [(&str, &str); 3] =
    [("supported", "supported"), ("partial", "partly supported"), ("unsupported", "unsupported")];

/// A form to score a run another way; `reason` is what was typed, `problem` why it was refused.
pub fn rescore(found: &RescoreView, reason: &str, problem: Option<&str>) -> Markup {
    let run = &found.run;
    let path = run_address(&run.instrument, run.number);
    let sub = "Recomputes the scores from what is stored without calling a model. The result is saved as a new version; earlier versions are kept.";
    html! {
        (crumbs(&[("Runs", "/runs".to_owned()), (&run_title(run), path.clone())], "Score again"))
        (head("Score again", &html! { (sub) }, &html! {}))
        @if let Some(problem) = problem { div class="notice bad" role="alert" { p { (sentence(problem)) } } }
        @if let Some(because) = &found.refused {
            div class="notice" { p { "There is nothing to score again: " (plain(because)) ". " a href=(path) { "Back to the run" } } }
        } @else {
            form class="box" method="post" action={ "/runs/" (run.number) "/rescore" } { div class="in stack" {
                @if let Some(now) = &found.framework { (frameworks(found, now)) }
                @if let Some(settings) = &found.retrieval { (retrieval(settings)) }
                @if let Some((now, then)) = &found.tiers { div class="sides" { (tiers("Current labels", now)) (tiers("Labels in the criteria set today", then)) } }
                div class="field grow" { label for="reason" { "Reason (optional)" } input id="reason" name="reason" maxlength="500" value=(reason); }
                div class="chips" { button class="button main" { "Score again" } a class="button" href=(path) { "Cancel" } }
            } }
        }
    }
}

fn frameworks(found: &RescoreView, now: &str) -> Markup {
    html! {
        div class="field narrow" {
            label for="framework" { "Framework" }
            select id="framework" name="framework" { @for name in &found.frameworks { option value=(name) { (name) } } }
            p class="hint" { "Currently " (now) ". You cannot switch from Twin-Lock to Judge-Lock, because Twin-Lock evidence contains no questions." }
        }
    }
}

fn retrieval(settings: &RetrievalSettings) -> Markup {
    let fields =
        [("measures", "Measures"), ("k", "Top passages (k)"), ("level", "Relevance level")];
    let values = settings.now.iter().zip(&settings.typed);
    html! {
        p class="hint" { "The stored files are scored again. An empty field keeps its current value." }
        @for ((name, words), (now, typed)) in fields.into_iter().zip(values) {
            div class="field grow" {
                label for=(name) { (words) }
                input id=(name) name=(name) maxlength="500" value=(typed);
                p class="hint" { "Currently " (if now.is_empty() { "the default measures" } else { now }) }
            }
        }
    }
}

fn tiers(title: &str, tiers: &[TierDraft]) -> Markup {
    html! {
        section class="side-by-side" {
            h3 { (title) }
            ul { @for tier in tiers { li { (tier.min) "–" (tier.max) " " bdi { (plain(&tier.label)) } } } }
        }
    }
}

/// The way to the labels, which stand below the pair.
pub fn way_to_labels(found: &LabelsView, can_write: bool) -> Markup {
    html! {
        @if found.is_corrected { div class="notice" { p { "A person corrected labels of this pair. " a href="#labels" { "Compare with the judge’s scores" } } } }
        @else if can_write { p class="sub" { a href="#labels" { "Correct a label" } } }
    }
}

/// The claims of a pair with their labels, and what the scores would be by others.
pub fn labels(found: &LabelsView, address: &str, can_write: bool) -> Markup {
    html! {
        @if can_write || found.is_corrected { section class="box" id="labels" {
            header { h2 { "Claim labels" } span class="sub" { @if found.is_corrected { "corrected by a person" } @else { "as labelled by the judge" } } }
            div class="in stack" {
                @if can_write { (form(found, address)) }
                (scores(found))
            }
        } }
    }
}

fn form(found: &LabelsView, address: &str) -> Markup {
    let wrong = found.problem.as_ref().filter(|_| found.reason.is_empty());
    html! {
        form class="stack" method="post" action=(address) {
            input type="hidden" name="version" value=(found.version);
            p class="sub" { "If a label is wrong, change it here. Scores are recomputed from the corrected labels without calling a model, and the judge’s labels are kept." }
            div class="scroll" tabindex="0" { table class="list stack-phone" {
                thead { tr { th scope="col" { "Claim" } th scope="col" { "Judge" } th scope="col" { "Label" } } }
                tbody { @for (place, claim) in (1..).zip(&found.claims) { (row(place, claim)) } }
            } }
            div class="field grow" {
                label for="why" { "Reason" }
                input id="why" name="reason" maxlength="500" value=(found.reason) aria-invalid=[wrong.map(|_| "true")] aria-describedby=[found.problem.as_ref().map(|_| "labels-problem")];
                @if let Some(problem) = &found.problem { p class="problem" role="alert" id="labels-problem" { (sentence(problem)) } }
            }
            div class="chips" {
                button class="button" name="act" value="try" { "Preview scores" }
                button class="button main" name="act" value="keep" { "Save correction" }
            }
        }
    }
}

fn row(place: usize, claim: &ClaimLabel) -> Markup {
    let id = format!("label-{place}");
    html! {
        tr {
            th scope="row" class="long" dir="auto" { label for=(id) { span class="sub" { "c" (place) " " } (plain(&claim.text)) } }
            td class="sub nowrap" data-name="Judge" { (claim.judge.as_deref().map_or("–", said)) }
            td { select id=(id) name="label" { @for (word, words) in LABELS { option value=(word) selected[word == claim.chosen] { (words) @if word == claim.now { " (current)" } } } } }
        }
    }
}

fn said(word: &str) -> &str {
    LABELS.iter().find(|(known, _)| *known == word).map_or(word, |(_, words)| words)
}

/// The scores by the judge's labels beside those by a person's.
fn scores(found: &LabelsView) -> Markup {
    let is_tried = found.scores.iter().any(|one| one.chosen.is_some());
    html! {
        @if is_tried || found.is_corrected {
            div class="scroll" tabindex="0" { table class="list" id="by-labels" {
                caption { @if is_tried { "Preview of the scores; nothing is saved yet" } @else { "Scores with the judge’s labels and with the corrected labels" } }
                thead { tr { th scope="col" { "Metric (0 to 10)" } th class="n" scope="col" { "Judge" } @if found.is_corrected { th class="n" scope="col" { "Current" } } @if is_tried { th class="n" scope="col" { "Preview" } } } }
                tbody { @for one in &found.scores { tr {
                    th scope="row" { (metric(one)) }
                    td class="n" { (shown(one.judge)) }
                    @if found.is_corrected { td class="n" { (changed(one.now, one.judge)) } }
                    @if let Some(chosen) = one.chosen { td class="n" { (changed(chosen, one.now)) } }
                } } }
            } }
        }
    }
}

fn metric(one: &MetricByLabels) -> &str {
    let known = Metric::ALL.into_iter().find(|metric| metric.name() == one.metric);
    match known {
        Some(known) => words::metric(known),
        None => &one.metric,
    }
}

fn shown(value: Option<f64>) -> String {
    value.map_or("–".to_owned(), |value| format!("{value:.2}"))
}

/// A value that is another one than before is seen without colour too.
fn changed(value: Option<f64>, before: Option<f64>) -> Markup {
    html! { @if value == before { (shown(value)) } @else { b { (shown(value)) } } }
}
