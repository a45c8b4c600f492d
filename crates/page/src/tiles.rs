//! Scores side by side, each with a bar and what held it down.

use maud::{Markup, html};

use crate::bars::meter;

/// One score among others.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tile {
    /// What is scored.
    pub name: String,
    /// The score, 0 to `best`; `None` when there is none.
    pub value: Option<f64>,
    /// What held it down, or why there is none; may be empty.
    pub note: String,
    /// The anchor that the tile leads to.
    pub leads_to: String,
}

/// From this share of the best on, a score is shown as good.
const GOOD_FROM: f64 = 0.8;

/// Below this share, a score is shown as bad.
const BAD_BELOW: f64 = 0.5;

/// The tone of a score of up to `best`: a class of the styles.
pub fn tone(value: f64, best: f64) -> &'static str {
    match value / best {
        share if share >= GOOD_FROM => "good",
        share if share < BAD_BELOW => "bad",
        _ => "warn",
    }
}

/// The tiles in a row, wrapping where there is no room.
pub(crate) fn tiles(tiles: &[Tile], best: f64) -> Markup {
    html! {
        div class="tiles" {
            @for tile in tiles {
                a class="tile" href={ "#" (tile.leads_to) } {
                    span class="tile-name" { (tile.name) }
                    @match tile.value {
                        Some(value) => {
                            span class={ "tile-value " (tone(value, best)) } { (format!("{value:.2}")) }
                            (meter(value / best, tone(value, best)))
                        }
                        None => { span class="tile-value unscored" { "–" } (meter(0.0, "")) }
                    }
                    @if !tile.note.is_empty() { span class="tile-note" { (tile.note) } }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tones_change_at_half_and_at_four_fifths() {
        assert_eq!((tone(8.0, 10.0), tone(7.99, 10.0)), ("good", "warn"));
        assert_eq!((tone(5.0, 10.0), tone(4.99, 10.0)), ("warn", "bad"));
    }
}
