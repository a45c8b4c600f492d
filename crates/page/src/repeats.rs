//! What a judge said of one item each time it was asked, side by side.

use std::collections::BTreeSet;

use assize_wire::repeats::Repeat;
use maud::{Markup, html};

use crate::app::parts::{number, plain};

/// A column for each repeat; what not all of them quote is marked. Nothing for a judge that was
/// asked once.
pub fn side_by_side(repeats: &[Repeat]) -> Markup {
    let measures: BTreeSet<&str> =
        repeats.iter().flat_map(|one| one.scores.keys()).map(String::as_str).collect();
    let verdicts: BTreeSet<&str> = repeats.iter().map(|one| one.verdict.as_str()).collect();
    let is_shared = |quote: &String| repeats.iter().all(|one| one.quotes.contains(quote));
    let has_quotes = repeats.iter().any(|one| !one.quotes.is_empty());
    html! {
        @if repeats.len() > 1 { section class="box" id="repeats" {
            header { h2 { "Asked " (repeats.len()) " times" } span class="sub" {
                @if verdicts.len() == 1 { "Every repeat says the same." } @else { "The repeats disagree." }
                @if has_quotes { " Quotes that not all repeats have are highlighted." }
            } }
            div class="scroll" tabindex="0" { table class="list" {
                thead { tr { th { "Repeat" } @for (place, one) in repeats.iter().enumerate() { th { (place + 1) @if one.counts { " " span class="badge" { "counts" } } } } } }
                tbody {
                    tr { th { "Verdict" } @for one in repeats { td { (plain(&one.verdict)) @if let Some(reason) = &one.reason { p class="sub" { (plain(reason)) } } } } }
                    @for measure in measures { tr {
                        th { (measure.replace('_', " ")) }
                        @for one in repeats { td class="n" { (one.scores.get(measure).copied().flatten().map_or("–".to_owned(), number)) } }
                    } }
                    @if has_quotes { tr { th { "Quotes" } @for one in repeats { td { @for quote in &one.quotes {
                        p dir="auto" { @if is_shared(quote) { (plain(quote)) } @else { mark { (plain(quote)) } } }
                    } } } } }
                }
            } }
        } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repeat(verdict: &str, quotes: &[&str]) -> Repeat {
        Repeat {
            verdict: verdict.to_owned(),
            quotes: quotes.iter().map(ToString::to_string).collect(),
            scores: [("score".to_owned(), Some(75.0))].into(),
            ..Repeat::default()
        }
    }

    #[test]
    fn what_differs_between_repeats_is_marked_and_their_texts_stay_texts() {
        let repeats = [
            Repeat { counts: true, ..repeat("met", &["both", "<b>one</b>"]) },
            repeat("partly", &["both"]),
        ];
        let html = side_by_side(&repeats).into_string();
        assert!(html.contains("Asked 2 times") && html.contains("The repeats disagree."), "{html}");
        assert!(html.contains("<mark>") && html.contains("&lt;b&gt;one&lt;/b&gt;"), "{html}");
        assert!(!html.contains("<mark>both"), "{html}");
        assert_eq!(html.matches("counts").count(), 1, "{html}");
        let same = side_by_side(&[repeat("met", &[]), repeat("met", &[])]).into_string();
        assert!(same.contains("Every repeat says the same."), "{same}");
        assert_eq!(side_by_side(&[repeat("met", &[])]).into_string(), "");
    }
}
