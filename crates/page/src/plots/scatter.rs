//! One value against another, point by point.

use maud::{Markup, html};

use super::axis::pixels;
use super::numbers::with_numbers;
use super::square::{axes, square};

/// More points than this only make the file large.
const POINTS_MAX: usize = 2_000;

/// Points with named axes; `diagonal` draws the line where both are equal.
pub(crate) fn scatter(points: &[(f64, f64)], across: &str, up: &str, diagonal: bool) -> Markup {
    let step = points.len().div_ceil(POINTS_MAX).max(1);
    let shown: Vec<(f64, f64)> = points.iter().copied().step_by(step).collect();
    let (x, y) = axes(shown.iter().map(|point| point.0), shown.iter().map(|point| point.1));
    let (low, high) = (x.low.max(y.low), x.high.min(y.high));
    let drawn = html! {
        @if diagonal && low < high {
            line class="zero" x1=(pixels(x.at(low))) y1=(pixels(y.at(low))) x2=(pixels(x.at(high))) y2=(pixels(y.at(high))) {}
        }
        @for (across, up) in &shown {
            circle class="s1 soft" cx=(pixels(x.at(*across))) cy=(pixels(y.at(*up))) r="3.5" {}
        }
    };
    let chart = square((&x, &y), (across, up), "values against each other", &drawn);
    let rows = shown.iter().map(|(across, up)| vec![across.to_string(), up.to_string()]);
    with_numbers(&chart, &[across, up], rows)
}
