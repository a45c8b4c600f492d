//! What a score is worth: the mean rating of the items that got it, with its interval.

use maud::{Markup, html};

use super::axis::{Axis, pixels};
use super::numbers::{or_empty, with_numbers};

/// Items with about the same score.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// Their mean score.
    pub score: f64,
    /// Their mean rating.
    pub rating: f64,
    /// Where that lies.
    pub interval: Option<(f64, f64)>,
    /// How many there are.
    pub count: usize,
}

const SIDE: f64 = 380.0;
const LEFT: f64 = 56.0;
const BOTTOM: f64 = 44.0;

/// A dot and a whisker for each group, joined by a line; the dot grows with the group. Both axes
/// hold the values `within`, whatever the groups are: a share is seen on its whole scale, with the
/// line where score and rating are equal.
pub fn reliability(groups: &[Group], (across, up): (&str, &str), within: &[f64]) -> Markup {
    let ends = groups.iter().flat_map(|group| {
        let (low, high) = group.interval.unwrap_or((group.rating, group.rating));
        [low, high, group.rating]
    });
    let scores = groups.iter().map(|group| group.score);
    let x = Axis::covering(scores.chain(within.iter().copied()), LEFT, SIDE - 10.0);
    let y = Axis::covering(ends.chain(within.iter().copied()), SIDE - BOTTOM, 10.0);
    let line: Vec<String> = groups
        .iter()
        .map(|group| format!("{},{}", pixels(x.at(group.score)), pixels(y.at(group.rating))))
        .collect();
    let most = groups.iter().map(|group| group.count).max().unwrap_or(1).max(1) as f64;
    let chart = html! {
        svg viewBox={ "0 0 " (SIDE) " " (SIDE) } width=(SIDE) role="img" aria-label={ "mean " (up) " at each " (across) } {
            (x.horizontal(10.0, SIDE - BOTTOM))
            (y.vertical(LEFT, SIDE - 10.0))
            @if let [first, .., last] = within {
                line class="zero" x1=(pixels(x.at(*first))) y1=(pixels(y.at(*first))) x2=(pixels(x.at(*last))) y2=(pixels(y.at(*last))) {}
            }
            polyline class="s1 thin" points=(line.join(" ")) {}
            @for group in groups {
                @let at = pixels(x.at(group.score));
                @if let Some((low, high)) = group.interval {
                    line class="s1" stroke-width="1.5" x1=(at) x2=(at) y1=(pixels(y.at(low))) y2=(pixels(y.at(high))) {}
                }
                circle class="s1" cx=(at) cy=(pixels(y.at(group.rating))) r=(pixels(3.0 + 4.0 * (group.count as f64 / most).sqrt())) {
                    title { (group.count) " pairs, mean score " (format!("{:.2}", group.score)) ", mean rating " (format!("{:.2}", group.rating)) }
                }
            }
            text x=(LEFT + (SIDE - LEFT) / 2.0) y=(SIDE - 6.0) text-anchor="middle" { (across) }
            text x="14" y=(SIDE / 2.0) text-anchor="middle" transform={ "rotate(-90 14 " (SIDE / 2.0) ")" } { (up) }
        }
    };
    let rows = groups.iter().map(|group| {
        let (low, high) = group.interval.unzip();
        let ends = [or_empty(low), or_empty(high)];
        let [low, high] = ends;
        vec![group.score.to_string(), group.rating.to_string(), low, high, group.count.to_string()]
    });
    with_numbers(&chart, &[across, up, "low", "high", "count"], rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_is_a_dot_and_a_single_item_has_no_whisker() {
        let group = |score, interval| Group { score, rating: 3.0, interval, count: 4 };
        let groups = [group(1.0, Some((2.0, 4.0))), group(9.0, None)];
        let svg = reliability(&groups, ("score", "<rating>"), &[]).into_string();
        assert_eq!(svg.matches("<circle").count(), 2);
        assert_eq!(svg.matches("stroke-width=\"1.5\"").count(), 1);
        assert!(svg.contains("&lt;rating&gt;"));
    }

    #[test]
    fn nothing_to_show_still_gives_axes() {
        assert!(reliability(&[], ("score", "rating"), &[]).into_string().contains("<svg"));
    }
}
