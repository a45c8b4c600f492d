//! Scorecards as one self-contained page: article and summary side by side.

mod evidence;
mod marks;
mod pair;

use assize_engine::summary::{Judged, Settings};
use assize_methods::summary::Metric;
use assize_page::{page, tiles};
use maud::{Markup, html};

use super::card::Card;
use super::many::{Kept, Row, Shown};
use crate::commands::summary::words;

/// The page of one pair.
pub(crate) fn single(
    card: &Result<Card<'_>, String>,
    judged: &Judged,
    settings: Settings,
) -> String {
    let content = html! {
        h1 { "A summary held against its article" }
        (method_line(settings))
        @match card {
            Ok(card) => (pair::section(card, "p1")),
            Err(reason) => (refused(reason, judged)),
        }
    };
    page("Summary scorecard", &content)
}

/// The page of a file of pairs.
pub(super) fn many(kept: &Kept, input: &str, settings: Settings) -> String {
    let content = html! {
        h1 { (kept.tally.records) " summaries held against their articles" }
        p class="quiet" { "From " (input) ". " @if kept.tally.errors > 0 { (kept.tally.errors) " of them could not be scored." } }
        (method_line(settings))
        (means(kept))
        h2 { "Pairs" }
        div class="scroll tall" { (overview(kept)) }
        @if kept.rows.len() < kept.tally.records {
            p class="small" { "The first " (kept.rows.len()) " of " (kept.tally.records) " pairs. " code { "--format jsonl" } " gives all of them." }
        }
        @if kept.shown.len() < kept.tally.records {
            p class="small" { "Shown in full below: the " (kept.shown.len()) " pairs with the lowest scores, the lowest first. " code { "--show" } " changes how many." }
        }
        @for shown in &kept.shown { (shown_pair(kept, shown, settings)) }
    };
    page("Summary scorecards", &content)
}

fn method_line(settings: Settings) -> Markup {
    let method = settings.framework.method();
    html! {
        p class="quiet" {
            "Method " (method.name) ", version " (method.version) "; judge: " (settings.judge.name()) ". Scores run from 0 to 10. "
            "A judge labels and quotes; the numbers follow from the labels, and every one of them unfolds into how it came about."
        }
    }
}

fn refused(reason: &str, judged: &Judged) -> Markup {
    html! {
        p class="panel bad" { "This pair cannot be scored: " code { (reason) } }
        @if let Some(pair) = &judged.pair {
            div class="sides" {
                (pair::side("Article", "source", &pair.article, &[]))
                (pair::side("Summary", "", &pair.summary, &[]))
            }
        }
    }
}

fn means(kept: &Kept) -> Markup {
    let tiles = kept.tally.means().map(|(metric, mean)| tiles::Tile {
        name: format!("Mean {}", words::metric(metric).to_lowercase()),
        value: mean.value(),
        note: match mean.unscored {
            0 => format!("{} scored", mean.scored),
            unscored => format!("{} scored, {unscored} unscored", mean.scored),
        },
        leads_to: "pairs".to_owned(),
    });
    tiles::tiles(&tiles, 10.0)
}

fn overview(kept: &Kept) -> Markup {
    let shown = |number: usize| kept.shown.iter().any(|shown| shown.number == number);
    html! {
        table id="pairs" {
            thead { tr { th class="n" { "pair" } th { "id" } @for metric in Metric::ALL { th class="n" { (words::metric(metric)) } } } }
            tbody {
                @for row in &kept.rows { (overview_row(row, shown(row.number))) }
            }
        }
    }
}

fn overview_row(row: &Row, shown: bool) -> Markup {
    let name = row.id.clone().unwrap_or_default();
    html! {
        tr {
            td class="n" { @if shown { a href={ "#p" (row.number) } { (row.number) } } @else { (row.number) } }
            td class="text" dir="auto" { (name) @if let Err(reason) = &row.scores { " " span class="bad" { "error: " (reason) } } }
            @match &row.scores {
                Ok(scores) => {
                    @for score in scores {
                        @match score {
                            Some(score) => td class={ "n " (tiles::tone(*score, 10.0)) } { (format!("{score:.2}")) },
                            None => td class="n unscored" { "–" },
                        }
                    }
                }
                Err(_) => { @for _ in Metric::ALL { td class="n unscored" { "–" } } }
            }
        }
    }
}

fn shown_pair(kept: &Kept, shown: &Shown, settings: Settings) -> Markup {
    let anchor = format!("p{}", shown.number);
    let card = Card::of(&shown.judged, settings).map(|card| card.beside(&kept.calibrations));
    html! {
        @if let Ok(card) = card {
            h2 id=(anchor) { "Pair " (shown.number) @if let Some(id) = &shown.judged.id { " · " bdi { (id) } } }
            (pair::section(&card, &anchor))
        }
    }
}
