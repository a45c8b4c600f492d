//! The frame of a plot of one value against another: two axes with their names.

use maud::{Markup, html};

use super::axis::Axis;

const SIDE: f64 = 380.0;
const LEFT: f64 = 56.0;
const BOTTOM: f64 = 44.0;

/// Axes that hold these values.
pub(super) fn axes(
    across: impl IntoIterator<Item = f64>,
    up: impl IntoIterator<Item = f64>,
) -> (Axis, Axis) {
    (Axis::covering(across, LEFT, SIDE - 10.0), Axis::covering(up, SIDE - BOTTOM, 10.0))
}

/// The frame with its names and what is drawn in it; `said` is for who cannot see it.
pub(super) fn square(
    (x, y): (&Axis, &Axis),
    (across, up): (&str, &str),
    said: &str,
    drawn: &Markup,
) -> Markup {
    html! {
        svg viewBox={ "0 0 " (SIDE) " " (SIDE) } width=(SIDE) role="img" aria-label=(said) {
            (x.horizontal(10.0, SIDE - BOTTOM))
            (y.vertical(LEFT, SIDE - 10.0))
            (drawn)
            text x=(LEFT + (SIDE - LEFT) / 2.0) y=(SIDE - 6.0) text-anchor="middle" { (across) }
            text x="14" y=(SIDE / 2.0) text-anchor="middle" transform={ "rotate(-90 14 " (SIDE / 2.0) ")" } { (up) }
        }
    }
}
