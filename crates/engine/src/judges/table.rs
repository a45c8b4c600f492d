//! Scores of two sides on one scale.

use std::collections::BTreeSet;
use std::fmt;

use serde::Serialize;

/// The scales that people and judges speak in, the narrowest first. What a side says is taken to
/// be on the narrowest that holds all of it: the ends of what was seen are no scale, and laying
/// them onto each other would hide a judge that is always one point too high.
const SCALES: [Range; 6] = [
    Range { low: 0.0, high: 1.0 },
    Range { low: 1.0, high: 5.0 },
    Range { low: 1.0, high: 7.0 },
    Range { low: 1.0, high: 10.0 },
    Range { low: 0.0, high: 10.0 },
    Range { low: 0.0, high: 100.0 },
];

/// Up to this ratio of widths two scales may be one: who says 6 among people who say 1 to 5 is
/// rather a point too high than on a scale of their own.
const NEIGHBOURS: f64 = 1.5;

/// A scale by its ends.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Range {
    /// The lowest value.
    pub low: f64,
    /// The highest.
    pub high: f64,
}

impl fmt::Display for Range {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}–{}", self.low, self.high)
    }
}

impl Range {
    fn width(self) -> f64 {
        self.high - self.low
    }

    fn holds(self, other: Self) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// From the lowest to the highest of some values; `None` of none.
    fn seen(values: impl Iterator<Item = f64>) -> Option<Self> {
        values.fold(None, |seen: Option<Self>, value| {
            Some(seen.map_or(Self { low: value, high: value }, |seen| Self {
                low: seen.low.min(value),
                high: seen.high.max(value),
            }))
        })
    }

    fn with(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The narrowest scale that holds it.
    fn scale(self) -> Option<Self> {
        SCALES.into_iter().find(|scale| scale.holds(self))
    }
}

/// The way from a judge's scale to the raters'.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Scale {
    /// The scale that the judge is taken to use.
    pub judge: Range,
    /// The scale that the raters are taken to use.
    pub raters: Range,
}

impl Scale {
    /// The way from scores to ratings; `None` where no known scale holds one of the two sides, or
    /// one side says nothing.
    pub(super) fn between(scores: &[Option<f64>], truth: &[Option<f64>]) -> Option<Self> {
        let said = Range::seen(scores.iter().flatten().copied())?;
        let meant = Range::seen(truth.iter().flatten().copied())?;
        let both = said.with(meant);
        let one = |scale: Range| Self { judge: scale, raters: scale };
        match (said.scale(), meant.scale(), both.scale()) {
            // On no known scale, and yet perhaps on the same: nothing is laid onto anything.
            (None, None, _) => Some(one(both)),
            (Some(judge), Some(raters), Some(shared)) => {
                let is_near = shared.width() <= NEIGHBOURS * judge.width().min(raters.width());
                // A side that says one thing only gives no hint of another scale.
                let is_hintless = (said.width() <= 0.0 && raters.holds(said))
                    || (meant.width() <= 0.0 && judge.holds(meant));
                let is_one = judge == raters || is_near || is_hintless;
                Some(if is_one { one(shared) } else { Self { judge, raters } })
            }
            _ => None,
        }
    }

    /// Whether scores are taken as they are.
    pub fn is_same(&self) -> bool {
        self.judge == self.raters
    }

    /// How wide the scale is that scores are laid onto.
    pub(super) fn width(self) -> f64 {
        self.raters.width()
    }

    pub(super) fn onto(self, score: f64) -> f64 {
        if self.is_same() {
            return score;
        }
        let share = (score - self.judge.low) / self.judge.width();
        self.raters.low + share * self.raters.width()
    }
}

/// How many different values there are.
pub(super) fn distinct(values: &[f64]) -> usize {
    values.iter().map(|value| value.to_bits()).collect::<BTreeSet<u64>>().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(scores: &[f64], truth: &[f64]) -> Option<String> {
        let some = |values: &[f64]| values.iter().copied().map(Some).collect::<Vec<_>>();
        let scale = Scale::between(&some(scores), &some(truth))?;
        Some(format!("{} {}", scale.judge, scale.raters))
    }

    #[test]
    fn what_may_be_one_scale_is_left_as_it_is() {
        let same = |scores: &[f64], truth: &[f64], scale: &str| {
            assert_eq!(between(scores, truth), Some(format!("{scale} {scale}")), "{scores:?}");
        };
        same(&[2.0, 5.0], &[1.0, 4.0], "1–5");
        same(&[2.0, 6.0], &[1.0, 5.0], "1–7");
        same(&[0.0, 10.0], &[1.0, 10.0], "0–10");
        same(&[0.2, 0.9], &[0.0, 1.0], "0–1");
        same(&[1.0, 1.0], &[1.0, 4.0], "1–5");
        same(&[-3.0, 200.0], &[-1.0, 150.0], "-3–200");
    }

    #[test]
    fn scales_that_are_far_apart_are_laid_onto_each_other_whole() {
        assert_eq!(between(&[2.0, 9.0], &[1.0, 4.0]).as_deref(), Some("1–10 1–5"));
        assert_eq!(between(&[0.0, 9.0], &[1.0, 4.0]).as_deref(), Some("0–10 1–5"));
        assert_eq!(between(&[0.1, 0.9], &[1.0, 4.0]).as_deref(), Some("0–1 1–5"));
        assert_eq!(between(&[20.0, 90.0], &[0.0, 1.0]).as_deref(), Some("0–100 0–1"));
        // Nothing says what 200 of the judge is in the raters' words.
        assert_eq!(between(&[0.0, 200.0], &[1.0, 4.0]), None);
        assert_eq!(between(&[], &[1.0, 4.0]), None);
        let (judge, raters) = (SCALES[4], SCALES[1]);
        assert_eq!(Scale { judge, raters }.onto(5.0).to_bits(), 3.0_f64.to_bits());
    }
}
