//! Scores of two sides on one scale.

use std::collections::BTreeSet;

/// Scores and ratings of the items that have both, on the scale of the ratings.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Aligned {
    pub(super) said: Vec<f64>,
    pub(super) meant: Vec<f64>,
}

/// The way from one range to another: its ends meet the others' ends. Two sides with the same
/// ends are left as they are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    onto_low: f64,
    onto_high: f64,
}

impl Scale {
    pub(super) fn between(scores: &[Option<f64>], truth: &[Option<f64>]) -> Self {
        let ends = |values: &[Option<f64>]| {
            let known = values.iter().flatten().copied();
            (known.clone().fold(f64::INFINITY, f64::min), known.fold(f64::NEG_INFINITY, f64::max))
        };
        let ((low, high), (onto_low, onto_high)) = (ends(scores), ends(truth));
        Self { low, high, onto_low, onto_high }
    }

    /// How wide the range is that scores are laid onto.
    pub(super) fn width(self) -> f64 {
        self.onto_high - self.onto_low
    }

    pub(super) fn onto(self, score: f64) -> f64 {
        let width = self.high - self.low;
        if width <= 0.0 || !width.is_finite() {
            return f64::midpoint(self.onto_low, self.onto_high);
        }
        self.onto_low + (score - self.low) / width * (self.onto_high - self.onto_low)
    }
}

/// The items that have both.
pub(super) fn onto(scores: &[Option<f64>], truth: &[Option<f64>]) -> Aligned {
    let scale = Scale::between(scores, truth);
    let both = scores
        .iter()
        .zip(truth)
        .filter_map(|(said, meant)| Some((scale.onto((*said)?), (*meant)?)));
    let (said, meant) = both.unzip();
    Aligned { said, meant }
}

/// How many different values there are.
pub(super) fn distinct(values: &[f64]) -> usize {
    values.iter().map(|value| value.to_bits()).collect::<BTreeSet<u64>>().len()
}
