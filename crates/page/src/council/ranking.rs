//! Who came in which place, with how much certainty.

use maud::{Markup, html};

use super::share;
use crate::tiles::tone;

/// One answer in its place.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Place {
    /// The place, as text: `1`, `2=`, or a dash.
    pub rank: String,
    /// Who wrote it.
    pub name: String,
    /// Its score; `None` when it has none.
    pub score: Option<f64>,
    /// Where the score lies.
    pub interval: Option<(f64, f64)>,
    /// What holds it down, or why it has no score; may be empty.
    pub note: String,
    /// Whether it fails the safety gate.
    pub is_failed: bool,
    /// The anchor it leads to; may be empty.
    pub leads_to: String,
}

/// A row for each answer: place, name, interval on a scale from 0 to `best`, score.
pub fn ranking(places: &[Place], best: f64) -> Markup {
    html! {
        ol class="places" {
            @for place in places {
                li {
                    span class="place-rank" { (place.rank) }
                    span class="place-name" dir="auto" {
                        @if place.leads_to.is_empty() { (place.name) } @else { a href={ "#" (place.leads_to) } { (place.name) } }
                    }
                    (track(place, best))
                    span class="place-score" {
                        @match place.score { Some(score) => b { (format!("{score:.2}")) }, None => span class="unscored" { "–" } }
                        @if let Some((low, high)) = place.interval { " " span class="small" { (format!("{low:.2} – {high:.2}")) } }
                    }
                    @if place.is_failed || !place.note.is_empty() {
                        span class="place-note" {
                            @if place.is_failed { span class="label bad" { "fails the safety gate" } }
                            (place.note)
                        }
                    }
                }
            }
        }
    }
}

fn track(place: &Place, best: f64) -> Markup {
    html! {
        svg class="track" width="100%" height="14" aria-hidden="true" {
            line class="axis" x1="0" x2="100%" y1="7" y2="7" {}
            @if let Some((low, high)) = place.interval {
                @let (from, to) = (share(low, 0.0, best), share(high, 0.0, best));
                line class="whisker" x1={ (from) "%" } x2={ (to) "%" } y1="7" y2="7" {}
            }
            @if let Some(score) = place.score {
                circle class={ "dot " (tone(score, best)) } cx={ (share(score, 0.0, best)) "%" } cy="7" r="5" {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_without_score_has_a_dash_and_no_dot() {
        let scored = Place {
            rank: "1".to_owned(),
            name: "<b>".to_owned(),
            score: Some(8.0),
            interval: Some((7.0, 9.0)),
            ..Place::default()
        };
        let none =
            Place { rank: "–".to_owned(), note: "no ballot".to_owned(), ..Place::default() };
        let html = ranking(&[scored, none], 10.0).into_string();
        assert_eq!(html.matches("class=\"dot").count(), 1);
        assert_eq!(html.matches("class=\"whisker").count(), 1);
        assert!(html.contains("&lt;b&gt;") && html.contains("no ballot"));
        assert!(!html.contains("fails the safety gate"));
        let failed = Place { is_failed: true, ..Place::default() };
        let html = ranking(&[failed], 10.0).into_string();
        assert!(html.contains("<span class=\"label bad\">fails the safety gate</span>"));
    }
}
