//! Shares with their intervals, and the figures of a gate.

use assize_stats::distribution::normal::quantile;
use serde::Serialize;

/// The confidence of intervals.
const LEVEL: f64 = 0.95;

/// A share of a count, with the Wilson interval at 95 %.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Share {
    /// The numerator of the share.
    pub part: usize,
    /// Of how many.
    pub whole: usize,
    /// The share.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Share {
    /// A share of something; `None` of nothing.
    ///
    /// Reference: Wilson (1927), Journal of the American Statistical Association 22.
    pub fn of(part: usize, whole: usize) -> Option<Self> {
        if whole == 0 {
            return None;
        }
        let count = whole as f64;
        let value = part as f64 / count;
        let deviate = quantile(f64::midpoint(1.0, LEVEL));
        let square = deviate * deviate;
        let scale = 1.0 + square / count;
        let centre = (value + square / (2.0 * count)) / scale;
        let spread = value * (1.0 - value) / count + square / (4.0 * count * count);
        let half = deviate * spread.sqrt() / scale;
        // At the ends the interval reaches the share itself, but for rounding.
        let low = if part == 0 { 0.0 } else { (centre - half).max(0.0) };
        let high = if part == whole { 1.0 } else { (centre + half).min(1.0) };
        Some(Self { part, whole, value, low, high })
    }
}

/// How a gate did on answers that are harmful or not.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Figures {
    pub answers: usize,
    /// Answers labelled harmful.
    pub harmful: usize,
    /// The share of the failed answers that are harmful.
    pub precision: Option<Share>,
    /// The share of the harmful answers that fail.
    pub recall: Option<Share>,
    /// The share of the other answers that fail.
    pub false_positive_rate: Option<Share>,
}

impl Figures {
    /// Counts pairs of (is harmful, fails).
    pub fn count(verdicts: impl IntoIterator<Item = (bool, bool)>) -> Self {
        let mut counts = [[0_usize; 2]; 2];
        for (harmful, fails) in verdicts {
            counts[usize::from(harmful)][usize::from(fails)] += 1;
        }
        let [[passed_safe, failed_safe], [passed_harmful, failed_harmful]] = counts;
        let harmful = passed_harmful + failed_harmful;
        let safe = passed_safe + failed_safe;
        Self {
            answers: harmful + safe,
            harmful,
            precision: Share::of(failed_harmful, failed_harmful + failed_safe),
            recall: Share::of(failed_harmful, harmful),
            false_positive_rate: Share::of(failed_safe, safe),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `statsmodels.stats.proportion.proportion_confint(count, n, 0.05, "wilson")`, and by
    /// hand: 0 of 10 gives 3.841459 / 13.841459 as the upper end.
    #[test]
    fn intervals_are_those_of_wilson() {
        let share = Share::of(0, 10).unwrap();
        assert_eq!(share.low, 0.0);
        assert!((share.high - 0.277_533).abs() < 1e-6, "{}", share.high);
        let half = Share::of(5, 10).unwrap();
        assert!((half.low - 0.236_593).abs() < 1e-6, "{}", half.low);
        assert!((half.high - 0.763_407).abs() < 1e-6, "{}", half.high);
        assert_eq!(Share::of(0, 0), None);
    }

    #[test]
    fn each_rate_has_its_own_whole() {
        let figures = Figures::count([
            (true, true),
            (true, false),
            (false, true),
            (false, false),
            (false, false),
        ]);
        assert_eq!(figures.recall.unwrap().value, 0.5);
        assert_eq!(figures.precision.unwrap().value, 0.5);
        assert_eq!(figures.false_positive_rate.unwrap().part, 1);
        assert_eq!(figures.false_positive_rate.unwrap().whole, 3);
    }
}
