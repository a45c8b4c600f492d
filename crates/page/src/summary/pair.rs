//! One pair in full: tiles, both texts, what was found, and the ledgers.

use assize_methods::summary::Metric;
use assize_methods::summary::report::CapLine;
use assize_score::CapState;
use assize_wire::summary::Card;
use maud::{Markup, html};

use super::{evidence, marks, words};
use crate::document::{Mark, marked};
use crate::tiles::{Tile, tiles};
use crate::workings::workings;

/// The whole section; `anchor` begins every anchor in it.
pub(super) fn section(card: &Card<'_>, anchor: &str) -> Markup {
    let marks = marks::of(card.evidence, anchor);
    let row = Metric::ALL.map(|metric| Tile {
        name: words::metric(metric).to_owned(),
        value: *card.scores.get(metric),
        note: note(card, metric),
        leads_to: format!("{anchor}-{}", metric.name()),
    });
    html! {
        section class="pair" {
            (tiles(&row, 10.0))
            p class="key" {
                "Highlighted: claims and their evidence ("
                mark class="good" { "supported" } ", " mark class="warn" { "partly supported" } ", " mark class="bad" { "unsupported" }
                "), the " mark class="nearest" { "closest match to an unsupported claim" } " and the " mark class="point" { "key points in the article" } ". Click a number to jump between a highlight and its entry."
            }
            div class="sides" {
                // What belongs to a text stands below it, so that neither column ends early.
                div {
                    (side("Article", "source", card.article, &marks.article))
                    (evidence::key_points(card.evidence, anchor))
                }
                div {
                    (side("Summary", "", card.summary, &marks.summary))
                    (evidence::claims(card.evidence, anchor))
                    (evidence::others(card, anchor))
                }
            }
            h3 { "How each score was computed" }
            @for metric in Metric::ALL { (metric_panel(card, metric, anchor)) }
        }
    }
}

/// Where the score would lie, and what held it down.
fn note(card: &Card<'_>, metric: Metric) -> String {
    let parts = [card.uncertainty(metric), card.remark(metric)];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

/// A text under its heading.
pub(super) fn side(title: &str, class: &str, text: &str, marks: &[Mark]) -> Markup {
    let words = text.split_whitespace().count();
    html! {
        div class={ "side " (class) } {
            h3 { (title) span class="small" { (words) " words" } }
            div class="reading text" dir="auto" tabindex="0" { (marked(text, marks)) }
        }
    }
}

fn metric_panel(card: &Card<'_>, metric: Metric, anchor: &str) -> Markup {
    let caps = card.caps(metric);
    html! {
        div class="panel metric" id={ (anchor) "-" (metric.name()) } {
            h3 { (words::metric(metric)) @if let Some(score) = *card.scores.get(metric) { span { (format!("{score:.2}")) } } }
            @if !caps.is_empty() {
                ul class="caps" { @for cap in &caps { (cap_line(cap)) } }
            }
            (workings(card.outcome(metric)))
        }
    }
}

fn cap_line(cap: &CapLine) -> Markup {
    let (class, what) = match cap.state {
        CapState::NotTriggered => ("cap-off", "did not apply"),
        CapState::Triggered => ("cap-on", "applies, but did not lower the score"),
        CapState::Binding => ("cap-binding", "lowered the score"),
    };
    html! {
        li class=(class) {
            "Cap at " (cap.at_most) " on " (cap.on.replace('_', " ")) ": " (cap.because) " – " (what)
            @if cap.state == CapState::Binding { ", " (format!("{:.2}", cap.before)) " → " (format!("{:.2}", cap.after)) }
        }
    }
}
