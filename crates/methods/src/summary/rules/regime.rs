//! How much of a summary is copied: what counts as a fault depends on it.
//!
//! An extractive summary errs by splicing pieces that do not belong together, an
//! abstractive one by adding facts. The passage between the two is smooth.

use super::statement::Statement;
use crate::summary::labels::Regime;

/// With this share of the article's bigrams, or less, a summary is told in its own words.
const ABSTRACTIVE_TO: f64 = 0.4;
/// With this share, or more, it is copied together.
const EXTRACTIVE_FROM: f64 = 0.8;

/// From this on the way between the two, fewer facts of each statement are judged.
const COPIED_FROM: f64 = 0.75;

/// How far a summary is an extract.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Extract {
    share: f64,
}

impl Extract {
    /// Of all statements of a summary.
    pub(super) fn of(statements: &[Statement]) -> Self {
        let all: usize = statements.iter().map(|statement| statement.measures.bigrams).sum();
        let known: usize =
            statements.iter().map(|statement| statement.measures.known_bigrams).sum();
        let copied = if all == 0 { 1.0 } else { known as f64 / all as f64 };
        let share = (copied - ABSTRACTIVE_TO) / (EXTRACTIVE_FROM - ABSTRACTIVE_TO);
        Self { share: share.clamp(0.0, 1.0) }
    }

    /// From 0, told in its own words, to 1, copied together.
    pub(super) fn share(self) -> f64 {
        self.share
    }

    /// The name of the regime.
    pub(super) fn regime(self) -> Regime {
        match self.share {
            0.0 => Regime::Abstractive,
            1.0 => Regime::Extractive,
            _ => Regime::Mixed,
        }
    }

    /// How many facts of each statement are judged beside the statement itself: fewer
    /// where statements are copied, as each piece of a splice is true.
    pub(super) fn facts_for_each(self) -> usize {
        if self.share < COPIED_FROM { 5 } else { 2 }
    }
}
