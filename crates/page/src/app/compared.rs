//! One subject in two runs: measures side by side, and what changed in its texts.

use assize_wire::workplace::{ComparedItem, ComparedText};
use maud::{Markup, html};

use super::address::address;
use super::compare::why;
use super::parts::{Places, crumbs, head, plain};
use super::runs::{run_address, run_label};

/// Where a subject of two runs is looked at.
pub(crate) fn item_address(base: i64, with: i64, subject: &str) -> String {
    let query = [("base", &*base.to_string()), ("with", &*with.to_string()), ("item", subject)];
    address("/compare/item", &query)
}

/// The whole content.
pub fn content(found: &ComparedItem) -> Markup {
    let [first, second] = &found.runs;
    let back = address(
        "/compare",
        &[("base", &first.number.to_string()), ("with", &second.number.to_string())],
    );
    let sub = html! { @for (place, run) in found.runs.iter().enumerate() { @if place > 0 { " → " } a href={ (run_address(&run.instrument, run.number)) } { bdi { (run_label(run)) } } } };
    html! {
        (crumbs(&[("Runs", "/runs".to_owned()), ("Compare", back)], &found.subject))
        (head(&found.subject, &sub, &html! {}))
        div class="stack" {
            section class="box" id="measures" {
                header { h2 { "Measures" } span class="sub" { @for (run, at) in found.runs.iter().zip(found.numbers) { a href={ "/runs/" (run.number) "/items/" (at) } { "Open in #" (run.number) } " " } } }
                div class="scroll" tabindex="0" { table class="list" {
                    thead { tr { th scope="col" { "Measure" } th class="n" scope="col" { "#" (first.number) } th class="n" scope="col" { "#" (second.number) } th class="n" scope="col" { "Change" } } }
                    tbody { @for one in &found.measures { tr {
                        th scope="row" { (one.name.replace('_', " ")) }
                        @let places = Places::of(&first.instrument, [one.before, one.after].into_iter().flatten());
                        td class="n" { (one.before.map_or("–".to_owned(), |value| places.number(value))) } td class="n" { (one.after.map_or("–".to_owned(), |value| places.number(value))) }
                        (change(one.before.zip(one.after), places))
                    } } }
                } }
                @for (run, reason) in found.runs.iter().zip(&found.reasons) { @if let Some(reason) = reason { p class="in sub" { "#" (run.number) " has no score: " (plain(reason)) } } }
            }
            @if !found.changes.is_empty() { section class="box" id="why" { header { h2 { "What changed" } } p class="in" dir="auto" { (why(&found.changes)) } } }
            @if let Some(because) = &found.without_texts { div class="notice" { p { "No texts to compare: " (plain(because)) } } }
            @for text in &found.texts { (one_text(text, first.number, second.number)) }
        }
    }
}

fn change(values: Option<(f64, f64)>, places: Places) -> Markup {
    html! { @match values {
        Some((before, after)) if before != after => td class={ "n best " (if after < before { "bad" } else { "good" }) } { (places.difference(after - before)) },
        Some(_) => td class="n sub" { "same" },
        None => td class="n sub" { "–" },
    } }
}

fn one_text(text: &ComparedText, first: i64, second: i64) -> Markup {
    html! {
        section class="box" {
            header { h2 { (plain(&text.title)) } span class="sub" { @if text.is_same { "Same in both runs" } @else { del { "only in #" (first) } " " ins { "only in #" (second) } } } }
            div class="in" { div class="section-text diff words" dir="auto" tabindex="0" role="region" aria-label=(plain(&text.title)) {
                @for piece in &text.pieces { @match piece.sign {
                    '+' => ins { (plain(&piece.text)) },
                    '-' => del { (plain(&piece.text)) },
                    _ => { (plain(&piece.text)) },
                } }
            } }
        }
    }
}
