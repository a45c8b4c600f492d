//! One item of a retrieval or a summary run, with comments.

use assize_score::Verdict;
use assize_wire::summary::Card;
use assize_wire::workplace::{ItemView, PassageText, QueryTexts};
use maud::{Markup, html};

use super::parts::{crumbs, head, number, outcome, plain, stats, timeline};
use super::runs::run_title;
use crate::document::{Mark, marked};
use crate::ledger;
use crate::summary;

/// The frame of an item; `inner` is what its instrument shows.
pub fn content(item: &ItemView, inner: &Markup, can_write: bool) -> Markup {
    let path = format!("/runs/{}", item.run.number);
    let [before, after] = &item.around;
    let acts = html! {
        @if let Some(one) = before { a class="button" rel="prev" data-key="k" href={ (path) "/items/" (one.number) } title=(plain(&one.name)) { "← Previous" } }
        @if let Some(one) = after { a class="button" rel="next" data-key="j" href={ (path) "/items/" (one.number) } title=(plain(&one.name)) { "Next →" } }
    };
    let sub = html! { "Item " (item.number) " · " (outcome(&item.outcome)) @if let Some(reason) = &item.reason { ": " (plain(reason)) } };
    html! {
        (crumbs(&[("Runs", "/runs".to_owned()), (&run_title(&item.run), path.clone())], &item.subject))
        (head(&item.subject, &sub, &acts))
        div class="stack" {
            (inner)
            section class="box" id="comments" {
                header { h2 { "Comments" } }
                div class="in stack" {
                    @if item.comments.is_empty() { p class="sub" { "No comments yet." } } @else { (timeline(&item.comments)) }
                    @if can_write { form class="stack tight" method="post" action={ (path) "/items/" (item.number) "/comment" } {
                        div class="field" { label for="words" { "Add a comment" } textarea id="words" name="words" rows="2" required {} }
                        div { button class="button" { "Comment" } }
                    } }
                }
            }
        }
    }
}

/// The measures of a query, and how each was computed.
pub fn retrieval(item: &ItemView, workings: Result<(&[Verdict], &QueryTexts), &str>) -> Markup {
    let values: Vec<(String, Markup)> = item
        .measures
        .iter()
        .map(|one| {
            (one.name.replace('_', " "), html! { (one.value.map_or("–".to_owned(), number)) })
        })
        .collect();
    html! {
        (stats(&values))
        @if let Ok((_, texts)) = workings { (passages(texts)) }
        section class="box" {
            header { h2 { "How these scores were computed" } span class="sub" { "Expand a line to see its inputs" } }
            div class="in ledger-tree" {
                @match workings {
                    Ok((verdicts, _)) => { @for verdict in verdicts { @for (_, outcome) in &verdict.scores { (ledger::outcome(outcome)) } @for finding in &verdict.findings { p class="sub" { (finding.message) } } } }
                    Err(because) => { p class="sub" { (plain(because)) } }
                }
            }
        }
    }
}

/// What was found beside what should have been found; what matches is marked in both.
fn passages(texts: &QueryTexts) -> Markup {
    let missed = |gold: &usize| !texts.passages.iter().any(|one| one.golds.contains(gold));
    html! {
        @if !texts.passages.is_empty() || !texts.gold.is_empty() { div class="grid-2" {
            section class="box" id="passages" {
                header { h2 { "Passages" } span class="sub" { "Best first; matches with gold passages are highlighted" } }
                div class="in" {
                    @if texts.passages.is_empty() { p class="sub" { "Nothing was retrieved." } }
                    @for one in &texts.passages { (passage(one)) }
                }
            }
            section class="box" id="gold" {
                header { h2 { "Gold passages" } span class="sub" { "What should be retrieved" } }
                div class="in" { @for (place, gold) in texts.gold.iter().enumerate() {
                    div class={ "quoted" @if missed(&place) { " missing" } } id={ "gold-" (place + 1) } {
                        p dir="auto" { (plain(gold)) }
                        p class="where" { b { "gold " (place + 1) } @if missed(&place) { span { "not found" } } @for one in texts.passages.iter().filter(|one| one.golds.contains(&place)) { a href={ "#passage-" (one.rank) } { "found at rank " (one.rank) } } }
                    }
                } }
            }
        } }
    }
}

fn passage(one: &PassageText) -> Markup {
    let mark = |(start, end, gold): &(usize, usize, usize)| Mark {
        start: *start,
        end: *end,
        class: "cite".to_owned(),
        anchor: String::new(),
        number: format!("g{}", gold + 1),
        leads_to: format!("gold-{}", gold + 1),
        title: format!("gold {}", gold + 1),
    };
    let marks: Vec<Mark> = one.marks.iter().map(mark).collect();
    html! {
        div class="passage" id={ "passage-" (one.rank) } {
            p class="where" { b { (one.rank) } " " @if one.golds.is_empty() { span class="sub" { "no match" } } @else { span class="badge good" { "relevant" } } }
            div class="section-text" dir="auto" { @if one.text.is_empty() { span class="sub" { "empty passage" } } @else { (marked(&one.text, &marks)) } }
        }
    }
}

/// A pair with its claims linked both ways.
pub fn summary(card: Result<&Card<'_>, &str>) -> Markup {
    html! {
        @match card {
            Ok(card) => { h2 class="hidden-text" { "Claims and evidence" } (summary::section(card, "p1")) },
            Err(because) => div class="notice bad" { p { "This pair has no score: " (plain(because)) } },
        }
    }
}
