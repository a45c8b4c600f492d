//! A linear axis: from values to pixels, with ticks a person would choose.

use maud::{Markup, html};

/// A linear map from a range of values to a range of pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Axis {
    /// The lowest value shown.
    pub low: f64,
    /// The highest value shown; above `low`.
    pub high: f64,
    /// The pixel of `low`.
    pub start: f64,
    /// The pixel of `high`; below `start` on a vertical axis.
    pub end: f64,
    /// From one tick to the next.
    step: f64,
}

impl Axis {
    /// An axis that holds all finite `values`, widened to round ticks.
    pub(crate) fn covering(values: impl IntoIterator<Item = f64>, start: f64, end: f64) -> Self {
        let finite = values.into_iter().filter(|value| value.is_finite());
        let (mut low, mut high) = finite
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                (low.min(value), high.max(value))
            });
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        if high - low < 1e-12 {
            (low, high) = (low - 0.05, high + 0.05);
        }
        let step = tick_step(high - low);
        let (low, high) = (libm::floor(low / step) * step, libm::ceil(high / step) * step);
        Self { low, high, start, end, step }
    }

    /// The pixel of a value.
    pub(crate) fn at(&self, value: f64) -> f64 {
        self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)
    }

    /// The ticks with their labels.
    pub(crate) fn ticks(&self) -> Vec<(f64, String)> {
        let step = self.step;
        let places = if step < 0.001 {
            5
        } else if step >= 1.0 {
            0
        } else if step >= 0.1 {
            1
        } else if step >= 0.01 {
            2
        } else {
            3
        };
        let mut ticks = Vec::new();
        let mut index = 0.0;
        while self.low + index * step <= self.high + step * 1e-6 {
            let value = self.low + index * step;
            // Adding zero turns a negative zero into a plain one.
            ticks.push((value, format!("{:.places$}", value + 0.0)));
            index += 1.0;
        }
        ticks
    }

    /// Vertical grid lines from `top` to `bottom` with labels beneath.
    pub(crate) fn horizontal(&self, top: f64, bottom: f64) -> Markup {
        html! {
            @for (value, label) in self.ticks() {
                @let x = pixels(self.at(value));
                line class="grid" x1=(x) x2=(x) y1=(top) y2=(bottom) {}
                text class="quiet" x=(x) y=(bottom + 16.0) text-anchor="middle" { (label) }
            }
        }
    }

    /// Horizontal grid lines from `left` to `right` with labels on the left.
    pub(crate) fn vertical(&self, left: f64, right: f64) -> Markup {
        html! {
            @for (value, label) in self.ticks() {
                @let y = pixels(self.at(value));
                line class="grid" y1=(y) y2=(y) x1=(left) x2=(right) {}
                text class="quiet" x=(left - 6.0) y=(y) dy="4" text-anchor="end" { (label) }
            }
        }
    }
}

/// A coordinate with a tenth of a pixel: enough to see, and it keeps the file small.
pub(crate) fn pixels(value: f64) -> String {
    format!("{value:.1}")
}

/// About six ticks at steps of 1, 2 or 5 times a power of ten.
fn tick_step(range: f64) -> f64 {
    let rough = range / 6.0;
    let magnitude = libm::pow(10.0, libm::floor(libm::log10(rough)));
    let steps = [1.0, 2.0, 5.0, 10.0];
    steps
        .iter()
        .map(|step| step * magnitude)
        .find(|step| *step >= rough)
        .unwrap_or(magnitude * 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers_that_hold_the_data() {
        let axis = Axis::covering([0.13, 0.58], 0.0, 100.0);
        let labels: Vec<_> = axis.ticks().into_iter().map(|(_, label)| label).collect();
        assert_eq!(labels, ["0.1", "0.2", "0.3", "0.4", "0.5", "0.6"]);
        assert!((axis.at(0.35) - 50.0).abs() < 1e-9);
    }

    /// Widening the range must not change the step: ticks would leave their round places.
    #[test]
    fn zero_is_a_tick_when_the_data_surround_it() {
        let axis = Axis::covering([-0.5, 0.5], 0.0, 100.0);
        let labels: Vec<_> = axis.ticks().into_iter().map(|(_, label)| label).collect();
        assert_eq!(labels, ["-0.6", "-0.4", "-0.2", "0.0", "0.2", "0.4", "0.6"]);
    }

    #[test]
    fn nothing_or_one_value_still_gives_an_axis() {
        assert!(Axis::covering([], 0.0, 1.0).high > 0.0);
        let axis = Axis::covering([0.4], 0.0, 1.0);
        assert!(axis.low < 0.4 && axis.high > 0.4);
    }
}
