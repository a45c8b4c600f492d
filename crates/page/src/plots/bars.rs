//! Differences query by query, from the greatest loss to the greatest gain.

use maud::{Markup, html};

use super::axis::{Axis, pixels};
use super::numbers::with_numbers;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 200.0;
const LEFT: f64 = 46.0;

/// More bars than this cannot be told apart; neighbours are then drawn as one.
const BARS_MAX: usize = 360;

/// Sorted differences as bars around zero.
pub(crate) fn differences(values: &[f64]) -> Markup {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let bars = thinned(&sorted);
    let axis = Axis::covering(bars.iter().copied().chain([0.0]), HEIGHT - 10.0, 8.0);
    let width = (WIDTH - LEFT - 10.0) / bars.len().max(1) as f64;
    let chart = html! {
        svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } width=(WIDTH) role="img" aria-label="differences, item by item" {
            (axis.vertical(LEFT, WIDTH - 10.0))
            @for (index, value) in bars.iter().enumerate() {
                @let (top, bottom) = (axis.at(value.max(0.0)), axis.at(value.min(0.0)));
                rect class=(if *value < 0.0 { "down" } else { "up" })
                    x=(pixels(LEFT + width * index as f64)) width=(pixels((width * 0.9).max(0.5)))
                    y=(pixels(top)) height=(pixels(bottom - top)) {}
            }
            line class="zero" x1=(LEFT) x2=(WIDTH - 10.0) y1=(pixels(axis.at(0.0))) y2=(pixels(axis.at(0.0))) {}
        }
    };
    with_numbers(&chart, &["difference"], bars.iter().map(|value| vec![value.to_string()]))
}

/// The values themselves, or evenly spaced ones of them, always with both ends.
fn thinned(sorted: &[f64]) -> Vec<f64> {
    if sorted.len() <= BARS_MAX {
        return sorted.to_vec();
    }
    (0..BARS_MAX).map(|index| sorted[index * (sorted.len() - 1) / (BARS_MAX - 1)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_bars_are_thinned_and_keep_both_ends() {
        let values: Vec<f64> = (0..10_000).map(f64::from).collect();
        let bars = thinned(&values);
        assert_eq!((bars.len(), bars[0], bars[BARS_MAX - 1]), (BARS_MAX, 0.0, 9_999.0));
    }
}
