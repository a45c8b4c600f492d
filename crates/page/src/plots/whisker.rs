//! A difference with its interval around the line of none, small enough for a row of a table.

use maud::{Markup, html};

/// Half of the drawing, and how much of it the widest interval takes.
const MIDDLE: f64 = 100.0;
const REACH: f64 = 92.0;

/// The interval and its middle on a scale that ends at `widest`; `said` is the same in words.
pub fn whisker(
    value: f64,
    (low, high): (f64, f64),
    widest: f64,
    class: &str,
    said: &str,
) -> Markup {
    let at = |value: f64| format!("{:.1}", MIDDLE + value / widest * REACH);
    html! {
        svg class={ "whiskers " (class) } viewBox="0 0 200 22" width="200" height="22" role="img" aria-label=(said) {
            title { (said) }
            line class="axis" x1="100" x2="100" y1="2" y2="20" {}
            line class="range" x1=(at(low)) x2=(at(high)) y1="11" y2="11" {}
            circle class="dot" cx=(at(value)) cy="11" r="5" {}
        }
    }
}
