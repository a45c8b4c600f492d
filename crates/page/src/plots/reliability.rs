//! What a score is worth: the mean rating of the items that got it, with its interval.

use maud::{Markup, html};

use super::axis::pixels;
use super::numbers::{or_empty, with_numbers};
use super::square::{axes, square};

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

/// A dot and a whisker for each group, joined by a line; the dot grows with the group. Both axes
/// hold the values `within`, whatever the groups are: a share is seen on its whole scale, with the
/// line where score and rating are equal.
pub fn reliability(groups: &[Group], (across, up): (&str, &str), within: &[f64]) -> Markup {
    let ends = groups.iter().flat_map(|group| {
        let (low, high) = group.interval.unwrap_or((group.rating, group.rating));
        [low, high, group.rating]
    });
    let scores = groups.iter().map(|group| group.score);
    let within_too = || within.iter().copied();
    let (x, y) = axes(scores.chain(within_too()), ends.chain(within_too()));
    let line: Vec<String> = groups
        .iter()
        .map(|group| format!("{},{}", pixels(x.at(group.score)), pixels(y.at(group.rating))))
        .collect();
    let most = groups.iter().map(|group| group.count).max().unwrap_or(1).max(1) as f64;
    let drawn = html! {
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
    };
    let said = format!("mean {up} at each {across}");
    let chart = square((&x, &y), (across, up), &said, &drawn);
    let rows = groups.iter().map(|group| {
        let (low, high) = group.interval.unzip();
        let [score, rating] = [group.score, group.rating].map(|value| value.to_string());
        vec![score, rating, or_empty(low), or_empty(high), group.count.to_string()]
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
