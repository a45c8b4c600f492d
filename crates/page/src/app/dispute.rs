//! Two analysts differ: both values with their reasons beside the document, and what counts.

use assize_wire::number::counted;
use assize_wire::truth::{Analysts, DisputeEntry};
use assize_wire::workplace::{DisputeView, Side};
use maud::{Markup, html};

use super::address::address;
use super::parts::{crumbs, head, plain, score, sentence};
use super::result::{bands, heading};
use super::truth::section_fields;
use crate::bars::{badge, ruler, tone};
use crate::document::flowing;

const PATH: &str = "/truth-keys/adjudicate";

/// Where a difference is settled.
pub fn settle_address(sets: (&str, &str), criterion: &str, document: &str) -> String {
    let (criteria, documents) = sets;
    let query = [
        ("criteria", criteria),
        ("documents", documents),
        ("criterion", criterion),
        ("document", document),
    ];
    address(PATH, &query)
}

/// The whole content; `problem` is why it was not settled, `typed` what its reason was.
pub fn content(found: &DisputeView, problem: Option<&str>, typed: &str, can_write: bool) -> Markup {
    let keys = address(
        "/truth-keys",
        &[("criteria", &found.criteria_set), ("documents", &found.document_set)],
    );
    let sets = (found.criteria_set.as_str(), found.document_set.as_str());
    let acts = html! { @if let Some((criterion, document)) = &found.next { a class="button" rel="next" data-key="j" href=(settle_address(sets, criterion, document)) { "Next: " bdi { (plain(criterion)) } " →" } } };
    html! {
        (crumbs(&[("Truth keys", keys)], &found.criteria_id))
        (head(&format!("{} in {}", found.criteria_id, found.document.name), &html! { bdi { (plain(&found.requirement)) } }, &acts))
        div class="grid-2" {
            section class="box sticky" {
                header { h2 dir="auto" { (plain(&found.document.name)) } @if found.document.pages > 0 { span class="sub" { (counted(found.document.pages, "page", "pages")) } } }
                div class="doc" dir="auto" tabindex="0" role="region" aria-label="Document" { (flowing(&found.document.name, &found.document.text, &[])) }
            }
            div class="stack" {
                (counts(found))
                (sides(found))
                @if can_write { (decision(found, problem, typed)) }
            }
        }
    }
}

fn counts(found: &DisputeView) -> Markup {
    let (value, status) = &found.counts;
    html! {
        section class="box" id="verdict" { div class="in" {
            div class="row between" {
                div class={ "score-big " (tone(&status.colour)) } { b { (score(*value)) } span { "of 100" } }
                (badge(&plain(&status.label), &status.colour))
            }
            (ruler(&bands(&found.tiers), Some(*value)))
            p class="sub" {
                @match &found.settled {
                    Some(one) => { "Settled by " b { (plain(&one.analyst)) } " on " (one.at.format("%-d %B %Y, %H:%M UTC")) @if let Some(reason) = &one.note { ": " (plain(reason)) } }
                    None if found.sides.len() > 1 => { "Not settled yet. Until then, the mean of the analysts’ scores is used." }
                    None => { "Only one analyst has scored this." }
                }
            }
            @if found.is_outdated { p class="sub" { span class="badge warn" { "changed since" } " An analyst changed a score after this was settled." } }
        } }
    }
}

fn sides(found: &DisputeView) -> Markup {
    html! {
        section class="box" id="sides" {
            header { h2 { "Analysts’ scores" } }
            div class="in sides" { @for side in &found.sides { (one_side(side)) } }
        }
    }
}

fn one_side(side: &Side) -> Markup {
    html! {
        article class="side-by-side" {
            h3 { bdi { (plain(&side.analyst)) } }
            p class={ "score-mid " (tone(&side.status.colour)) } { b { (score(side.score)) } " " (badge(&plain(&side.status.label), &side.status.colour)) }
            @if let Some(note) = &side.note { p class="sub" dir="auto" { (plain(note)) } }
            @for (id, text) in &side.sections { h4 class="field-name" { (heading(id)) } p class="section-text" dir="auto" { (plain(text)) } }
            @if side.note.is_none() && side.sections.is_empty() { p class="sub" { "No reason given." } }
            p class="sub" { (side.at.format("%-d %B %Y, %H:%M UTC")) }
        }
    }
}

fn decision(found: &DisputeView, problem: Option<&str>, typed: &str) -> Markup {
    let action = settle_address(
        (&found.criteria_set, &found.document_set),
        &found.criteria_id,
        &found.document.name,
    );
    html! {
        section class="box" id="decision" {
            header { h2 { "Final score" } span class="sub" { "each analyst’s own score is kept" } }
            form class="in stack" method="post" action=(action) {
                @if let Some(problem) = problem { div class="notice bad" role="alert" { p { (sentence(problem)) } } }
                fieldset {
                    legend { "Choose a score" }
                    div class="chips" {
                        @for side in &found.sides { label class="chip" { input type="radio" name="choice" value=(side.score); (score(side.score)) " (" bdi { (plain(&side.analyst)) } ")" } }
                        label class="chip" { input type="radio" name="choice" value="other"; "A different score" }
                        @if found.settled.is_some() { label class="chip" { input type="radio" name="choice" value="open"; "Reopen" } }
                    }
                }
                div class="field" { label for="score" { "Score" } input class="num" id="score" name="score" type="number" min="0" max="100" step="any"; }
                @if !found.sections.is_empty() { details { summary { "Sections" } div class="stack tight" { (section_fields(found.sections.iter().map(|(id, text)| (id.as_str(), "", text.as_str())))) } } }
                div class="field" { label for="reason" { "Reason" } textarea id="reason" name="reason" rows="2" required { (typed) } }
                div { button class="button main" { "Settle" } }
            }
        }
    }
}

/// How far analysts agree, and what waits to be settled.
pub fn list(found: &Analysts, sets: (&str, &str)) -> Markup {
    html! {
        @if let Some(agreed) = &found.agreement {
            dl class="stats" id="agreement" {
                div class="stat" { dt { "Analysts" } dd { (agreed.analysts.len()) " " small { (agreed.pairs) " scored by several" } } }
                div class="stat" { dt { "Same tier" } dd { (share(agreed.same_tier)) } }
                div class="stat" { dt { "Weighted kappa" } dd { (two_places(agreed.kappa)) } }
                div class="stat" { dt title="Intraclass correlation ICC(2,1), absolute agreement of single scores" { "ICC" } dd { (two_places(agreed.icc)) @if let Some((low, high)) = agreed.icc_interval { " " small { (format!("{low:.2} to {high:.2}").replace('-', "−")) } } } }
                div class="stat" { dt title="1 − |difference| / 100, the same measure as for a judge’s accuracy" { "Accuracy between analysts" } dd { (share(agreed.accuracy)) " " small { "upper limit for a judge" } } }
            }
        }
        @if !found.disputes.is_empty() {
            section class="box" id="disputes" {
                header { h2 { "Disagreements" } span class="sub" { @if found.basis.disputed > 0 { (found.basis.disputed) " in different tiers still to settle" } @else { "all settled" } } }
                div class="scroll" tabindex="0" { table class="list stack-phone" {
                    thead { tr { th scope="col" { "Criterion" } th scope="col" { "Document" } th scope="col" { "Scores" } th class="n" scope="col" { "Difference" } th scope="col" { "Settled" } th scope="col" { span class="hidden-text" { "Settle" } } } }
                    tbody { @for entry in &found.disputes { (row(entry, sets)) } }
                } }
            }
        }
    }
}

fn share(value: f64) -> String {
    format!("{:.1} %", value * 100.0)
}

fn two_places(value: Option<f64>) -> String {
    value.map_or("–".to_owned(), |value| format!("{value:.2}").replace('-', "−"))
}

fn row(entry: &DisputeEntry, sets: (&str, &str)) -> Markup {
    let dispute = &entry.dispute;
    let to = settle_address(sets, &dispute.criteria_id, &dispute.document);
    html! {
        tr {
            th scope="row" { a class="main" href=(to) { bdi { (plain(&dispute.criteria_id)) } } }
            td dir="auto" { (plain(&dispute.document)) }
            td { @for (place, (who, said)) in dispute.scores.iter().enumerate() { @if place > 0 { " · " } bdi { (plain(who)) } " " b { (score(*said)) } } }
            td class="n" data-name="Difference" { (score(dispute.spread)) @if dispute.tiers_apart > 0 { span class="sub" { ", " (dispute.tiers_apart) @if dispute.tiers_apart == 1 { " tier" } @else { " tiers" } } } }
            td { @match dispute.adjudicated {
                Some(value) => { b { (score(value)) } " " span class="sub" { "by " (plain(entry.adjudicator.as_deref().unwrap_or("someone"))) } @if entry.is_outdated { " " span class="badge warn" { "changed since" } } }
                None => span class="badge warn" { "open" },
            } }
            td { a class="button small" href=(to) { @if dispute.adjudicated.is_some() { "Review" } @else { "Settle" } } }
        }
    }
}
