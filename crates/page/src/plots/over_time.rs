//! A measure over time: a dot and a whisker for each run, and what changed between them.

use maud::{Markup, html};

use super::axis::{Axis, pixels};

/// One run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Moment {
    /// What stands beneath it.
    pub name: String,
    /// The mean.
    pub value: f64,
    /// Where it lies.
    pub interval: Option<(f64, f64)>,
    /// What changed before it; may be empty.
    pub mark: String,
    /// Whether it is clearly worse than the one before.
    pub is_worse: bool,
}

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = WIDTH - 24.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = HEIGHT - 34.0;

/// Names beneath the axis at most: more would run into each other.
const NAMES_MAX: usize = 12;

/// Letters of a mark that fit between two runs.
const MARK_MAX: usize = 22;

/// The line of the means in their order; `baseline` is drawn across, `said` is what the chart shows
/// in one sentence.
pub(crate) fn over_time(moments: &[Moment], baseline: Option<f64>, said: &str) -> Markup {
    let ends = moments.iter().flat_map(|one| {
        let (low, high) = one.interval.unwrap_or((one.value, one.value));
        [low, high, one.value]
    });
    let up = Axis::covering(ends.chain(baseline), BOTTOM, TOP);
    let step = (RIGHT - LEFT - 40.0) / moments.len().saturating_sub(1).max(1) as f64;
    let at = |place: usize| pixels(LEFT + 20.0 + step * place as f64);
    let points: Vec<String> = moments
        .iter()
        .enumerate()
        .map(|(place, one)| format!("{},{}", at(place), pixels(up.at(one.value))))
        .collect();
    let named = moments.len().div_ceil(NAMES_MAX).max(1);
    html! {
        svg class="over-time" viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } width=(WIDTH) role="img" aria-label=(said) {
            title { (said) }
            (up.vertical(LEFT, RIGHT))
            @if let Some(value) = baseline {
                line class="zero" x1=(LEFT) x2=(RIGHT) y1=(pixels(up.at(value))) y2=(pixels(up.at(value))) {}
            }
            @for (place, one) in moments.iter().enumerate().filter(|(_, one)| !one.mark.is_empty()) {
                line class="axis marked" x1=(at(place)) x2=(at(place)) y1=(TOP - 14.0) y2=(BOTTOM) {}
                text class="quiet" x=(at(place)) dx="4" y=(if place % 2 == 0 { TOP - 16.0 } else { TOP - 4.0 }) text-anchor=(if place + 1 == moments.len() { "end" } else { "start" }) { (shortened(&one.mark)) }
            }
            polyline class="s1 thin" points=(points.join(" ")) {}
            @for (place, one) in moments.iter().enumerate() {
                @let class = if one.is_worse { "fell" } else { "s1" };
                @if let Some((low, high)) = one.interval {
                    line class=(class) stroke-width="1.5" x1=(at(place)) x2=(at(place)) y1=(pixels(up.at(low))) y2=(pixels(up.at(high))) {}
                }
                circle class=(class) cx=(at(place)) cy=(pixels(up.at(one.value))) r="4.5" {}
                @if place % named == 0 { text class="quiet" x=(at(place)) y=(BOTTOM + 20.0) text-anchor="middle" { (one.name) } }
            }
        }
    }
}

fn shortened(mark: &str) -> String {
    if mark.chars().count() <= MARK_MAX {
        return mark.to_owned();
    }
    mark.chars().take(MARK_MAX - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(value: f64, is_worse: bool, mark: &str) -> Moment {
        Moment {
            name: "<#1>".to_owned(),
            value,
            interval: Some((value - 0.1, value + 0.1)),
            mark: mark.to_owned(),
            is_worse,
        }
    }

    #[test]
    fn each_run_is_a_dot_and_a_fall_is_another_class() {
        let runs = [moment(0.7, false, ""), moment(0.4, true, "judge"), moment(0.8, false, "")];
        let svg = over_time(&runs, Some(0.7), "three runs").into_string();
        assert_eq!(svg.matches("<circle").count(), 3);
        assert_eq!(svg.matches("class=\"fell\"").count(), 2, "a dot and its whisker");
        assert_eq!(svg.matches("marked").count(), 1);
        assert!(svg.contains("&lt;#1&gt;") && svg.contains("<title>three runs</title>"));
    }

    #[test]
    fn one_run_is_a_chart_too() {
        assert!(
            over_time(&[moment(0.5, false, "")], None, "one").into_string().contains("<circle")
        );
    }
}
