//! Estimates with their intervals, one row each: who is ahead, and how sure is it?

use maud::{Markup, html};

use super::axis::{Axis, pixels};
use super::numbers::with_numbers;

/// A named estimate with the interval around it.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// What the row is called.
    pub name: String,
    /// The estimate.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

const WIDTH: f64 = 720.0;
const ROW: f64 = 30.0;
const LABELS: f64 = 190.0;

/// A dot and a whisker for each estimate; `zero` draws the line of no difference.
pub fn intervals(estimates: &[Estimate], zero: bool) -> Markup {
    let ends = estimates.iter().flat_map(|estimate| [estimate.low, estimate.high]);
    let axis = Axis::covering(ends.chain(zero.then_some(0.0)), LABELS, WIDTH - 20.0);
    let bottom = 10.0 + ROW * estimates.len() as f64;
    let chart = html! {
        svg viewBox={ "0 0 " (WIDTH) " " (bottom + 24.0) } width=(WIDTH) role="img" class="wide" aria-label=(said(estimates)) {
            (axis.horizontal(6.0, bottom))
            @if zero { line class="zero" x1=(pixels(axis.at(0.0))) x2=(pixels(axis.at(0.0))) y1="6" y2=(bottom) {} }
            @for (index, estimate) in estimates.iter().enumerate() {
                @let y = 10.0 + ROW * (index as f64 + 0.5);
                @let class = format!("s{}", index % 6 + 1);
                text x=(LABELS - 12.0) y=(y) dy="4" text-anchor="end" { (shortened(&estimate.name)) }
                line class=(class) stroke-width="2" x1=(pixels(axis.at(estimate.low))) x2=(pixels(axis.at(estimate.high))) y1=(y) y2=(y) {}
                circle class=(class) cx=(pixels(axis.at(estimate.value))) cy=(y) r="4.5" {
                    title { (estimate.name) ": " (format!("{:.4} [{:.4}, {:.4}]", estimate.value, estimate.low, estimate.high)) }
                }
            }
        }
    };
    let rows = estimates.iter().map(|one| {
        let Estimate { name, value, low, high } = one;
        vec![name.clone(), value.to_string(), low.to_string(), high.to_string()]
    });
    with_numbers(&chart, &["name", "value", "low", "high"], rows)
}

/// The same in words, for who cannot see it.
fn said(estimates: &[Estimate]) -> String {
    let one = |one: &Estimate| {
        let Estimate { name, value, low, high } = one;
        format!("{name} {value:.3} from {low:.3} to {high:.3}")
    };
    estimates.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// A row label that fits its margin; the end of a name tells runs apart better than its start.
fn shortened(name: &str) -> String {
    const CHARACTERS_MAX: usize = 26;
    let count = name.chars().count();
    if count <= CHARACTERS_MAX {
        return name.to_owned();
    }
    let tail: String = name.chars().skip(count - CHARACTERS_MAX + 1).collect();
    format!("…{tail}")
}
