//! Precision at each recall: what a limit costs that finds more.

use maud::{Markup, html};

use super::axis::pixels;
use super::numbers::with_numbers;
use super::square::{axes, square};

/// The curve through points of recall and precision, from the strictest limit on; `share` is what
/// guessing would be right, drawn across.
pub fn precision_recall(curve: &[(f64, f64)], share: f64) -> Markup {
    let (x, y) = axes([0.0, 1.0], [0.0, 1.0]);
    // Between two limits there is none: precision holds until the next one adds recall.
    let mut line = Vec::with_capacity(2 * curve.len());
    let mut before = 0.0;
    for (recall, precision) in curve {
        let level = pixels(y.at(*precision));
        line.extend([before, *recall].map(|at| format!("{},{level}", pixels(x.at(at)))));
        before = *recall;
    }
    let drawn = html! {
        line class="zero" x1=(pixels(x.at(0.0))) x2=(pixels(x.at(1.0))) y1=(pixels(y.at(share))) y2=(pixels(y.at(share))) {}
        polyline class="s1 thin" points=(line.join(" ")) {}
    };
    let chart = square((&x, &y), ("recall", "precision"), "precision at each recall", &drawn);
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
