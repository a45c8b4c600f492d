//! One value against another, point by point.

use maud::{Markup, html};

use super::axis::{Axis, pixels};

const SIDE: f64 = 380.0;
const LEFT: f64 = 56.0;
const BOTTOM: f64 = 44.0;

/// More points than this only make the file large.
const POINTS_MAX: usize = 2_000;

/// Points with named axes; `diagonal` draws the line where both are equal.
pub(crate) fn scatter(points: &[(f64, f64)], across: &str, up: &str, diagonal: bool) -> Markup {
    let step = points.len().div_ceil(POINTS_MAX).max(1);
    let shown: Vec<(f64, f64)> = points.iter().copied().step_by(step).collect();
    let x = Axis::covering(shown.iter().map(|point| point.0), LEFT, SIDE - 10.0);
    let y = Axis::covering(shown.iter().map(|point| point.1), SIDE - BOTTOM, 10.0);
    let (low, high) = (x.low.max(y.low), x.high.min(y.high));
    html! {
        svg viewBox={ "0 0 " (SIDE) " " (SIDE) } width=(SIDE) role="img" aria-label="values against each other" {
            (x.horizontal(10.0, SIDE - BOTTOM))
            (y.vertical(LEFT, SIDE - 10.0))
            @if diagonal && low < high {
                line class="zero" x1=(pixels(x.at(low))) y1=(pixels(y.at(low))) x2=(pixels(x.at(high))) y2=(pixels(y.at(high))) {}
            }
            @for (across, up) in &shown {
                circle class="s1 soft" cx=(pixels(x.at(*across))) cy=(pixels(y.at(*up))) r="3.5" {}
            }
            text x=(LEFT + (SIDE - LEFT) / 2.0) y=(SIDE - 6.0) text-anchor="middle" { (across) }
            text x="14" y=(SIDE / 2.0) text-anchor="middle" transform={ "rotate(-90 14 " (SIDE / 2.0) ")" } { (up) }
        }
    }
}
