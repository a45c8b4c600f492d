//! Precision at each recall: what a limit costs that finds more.

use maud::{Markup, html};

use super::axis::{Axis, pixels};
use super::numbers::with_numbers;

const SIDE: f64 = 380.0;
const LEFT: f64 = 56.0;
const BOTTOM: f64 = 44.0;

/// The curve through points of recall and precision, from the strictest limit on; `share` is what
/// guessing would be right, drawn across.
pub fn precision_recall(curve: &[(f64, f64)], share: f64) -> Markup {
    let x = Axis::covering([0.0, 1.0], LEFT, SIDE - 10.0);
    let y = Axis::covering([0.0, 1.0], SIDE - BOTTOM, 10.0);
    // Between two limits there is none: precision holds until the next one adds recall.
    let mut line = Vec::with_capacity(2 * curve.len());
    let mut before = 0.0;
    for (recall, precision) in curve {
        line.extend(
            [before, *recall]
                .map(|at| format!("{},{}", pixels(x.at(at)), pixels(y.at(*precision)))),
        );
        before = *recall;
    }
    let chart = html! {
        svg viewBox={ "0 0 " (SIDE) " " (SIDE) } width=(SIDE) role="img" aria-label="precision at each recall" {
            (x.horizontal(10.0, SIDE - BOTTOM))
            (y.vertical(LEFT, SIDE - 10.0))
            line class="zero" x1=(LEFT) x2=(SIDE - 10.0) y1=(pixels(y.at(share))) y2=(pixels(y.at(share))) {}
            polyline class="s1 thin" points=(line.join(" ")) {}
            text x=(LEFT + (SIDE - LEFT) / 2.0) y=(SIDE - 6.0) text-anchor="middle" { "recall" }
            text x="14" y=(SIDE / 2.0) text-anchor="middle" transform={ "rotate(-90 14 " (SIDE / 2.0) ")" } { "precision" }
        }
    };
    let rows =
        curve.iter().map(|(recall, precision)| vec![recall.to_string(), precision.to_string()]);
    with_numbers(&chart, &["recall", "precision"], rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_goes_in_steps_from_the_strictest_limit_to_all() {
        let html = precision_recall(&[(0.5, 1.0), (1.0, 0.5)], 0.4).into_string();
        let line = html.split("points=\"").nth(1).unwrap().split('"').next().unwrap();
        assert_eq!(line.split(' ').count(), 4, "{line}");
        assert!(html.contains("recall%2Cprecision%0A0.5%2C1%0A1%2C0.5%0A"), "{html}");
    }
}
