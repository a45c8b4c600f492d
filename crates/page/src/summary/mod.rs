//! Scorecards as one self-contained page: article and summary side by side.

pub mod agreement;
mod evidence;
mod marks;
mod pair;
pub mod words;

use assize_methods::summary::Metric;
use assize_wire::summary::{Card, Method, Overview, Row};
use maud::{Markup, html};

use crate::{page, tiles};

/// A pair that cannot be scored, and why.
#[derive(Debug, Clone, Copy)]
pub struct Refused<'a> {
    /// Why.
    pub reason: &'a str,
    /// Article and summary, where the record held them.
    pub texts: Option<(&'a str, &'a str)>,
}

/// The page of one pair.
pub fn single(card: Result<&Card<'_>, Refused<'_>>, method: &Method, judge: &str) -> String {
    let content = html! {
        h1 { "A summary compared with its article" }
        (method_line(method, judge))
        @match card {
            Ok(card) => (pair::section(card, "p1")),
            Err(refused) => (not_scored(refused)),
        }
    };
    page("Summary scorecard", &content)
}

/// One pair without the frame of a page.
pub(crate) fn section(card: &Card<'_>, anchor: &str) -> Markup {
    pair::section(card, anchor)
}

/// The page of a file of pairs.
pub fn many(overview: &Overview<'_>) -> String {
    let Overview { input, records, errors, rows, cards, .. } = overview;
    let content = html! {
        h1 { (records) " summaries compared with their articles" }
        p class="quiet" { "From " (input) ". " @if *errors > 0 { (errors) " of them could not be scored." } }
        (method_line(&overview.method, &overview.judge))
        (means(overview))
        h2 { "Pairs" }
        div class="scroll tall" tabindex="0" { (table(overview)) }
        @if rows.len() < *records {
            p class="small" { "The first " (rows.len()) " of " (records) " pairs. Use " code { "--format jsonl" } " to get all of them." }
        }
        @if cards.len() < *records {
            p class="small" { "Shown in full below: the " (cards.len()) " pairs with the lowest scores, lowest first. Use " code { "--show" } " to change the number." }
        }
        @for card in cards { (shown(card)) }
    };
    page("Summary scorecards", &content)
}

fn method_line(method: &Method, judge: &str) -> Markup {
    html! {
        p class="quiet" {
            "Method " (method.name) @if let Some(version) = method.version { ", version " (version) } "; judge: " (judge) ". Scores run from 0 to 10. "
            "The judge labels and quotes; each score is computed from these labels and shows its calculation."
        }
    }
}

fn not_scored(refused: Refused<'_>) -> Markup {
    html! {
        p class="panel bad" { "This pair cannot be scored: " code { (refused.reason) } }
        @if let Some((article, summary)) = refused.texts {
            div class="sides" {
                (pair::side("Article", "source", article, &[]))
                (pair::side("Summary", "", summary, &[]))
            }
        }
    }
}

fn means(overview: &Overview<'_>) -> Markup {
    let tile = |mean: &assize_wire::summary::Mean| tiles::Tile {
        name: format!("Mean {}", words::metric(mean.metric).to_lowercase()),
        value: mean.value,
        note: match mean.unscored {
            0 => format!("{} scored", mean.scored),
            unscored => format!("{} scored, {unscored} unscored", mean.scored),
        },
        leads_to: "pairs".to_owned(),
    };
    tiles::tiles(&overview.means.iter().map(tile).collect::<Vec<_>>(), 10.0)
}

fn table(overview: &Overview<'_>) -> Markup {
    let is_shown = |number: usize| overview.cards.iter().any(|card| card.number == number);
    html! {
        table id="pairs" {
            thead { tr { th class="n" { "pair" } th { "id" } @for metric in Metric::ALL { th class="n" { (words::metric(metric)) } } } }
            tbody {
                @for row in overview.rows { (table_row(row, is_shown(row.number))) }
            }
        }
    }
}

fn table_row(row: &Row, is_shown: bool) -> Markup {
    html! {
        tr {
            td class="n" { @if is_shown { a href={ "#p" (row.number) } { (row.number) } } @else { (row.number) } }
            td class="text name" dir="auto" { (row.id.as_deref().unwrap_or_default()) @if let Some(reason) = &row.error { " " span class="bad" { "error: " (reason) } } }
            @for score in row.scores {
                @match score {
                    Some(score) => td class={ "n " (tiles::tone(score, 10.0)) } { (format!("{score:.2}")) },
                    None => td class="n unscored" { "–" },
                }
            }
        }
    }
}

fn shown(card: &Card<'_>) -> Markup {
    let anchor = format!("p{}", card.number);
    html! {
        h2 id=(anchor) { "Pair " (card.number) @if let Some(id) = card.id { " · " bdi { (id) } } }
        (pair::section(card, &anchor))
    }
}
