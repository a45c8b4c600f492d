//! Why tiers are no rubric: which tier, and what is wrong with it.

use std::collections::BTreeSet;

use thiserror::Error;

use super::{TIERS_MAX, TIERS_MIN, Tier};

/// Why tiers are no rubric. Tiers count from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RubricError {
    /// It is not of the form of a rubric.
    #[error("not a rubric: {0}")]
    Unreadable(String),
    /// Too few tiers or too many.
    #[error("a rubric must have {TIERS_MIN} to {TIERS_MAX} tiers, not {0}")]
    Count(usize),
    /// One of the tiers is wrong.
    #[error("tier {number} ({label}): {problem}")]
    Tier {
        /// Which tier, from 1.
        number: usize,
        /// Its label, or `no label`.
        label: String,
        /// What is wrong with it.
        problem: String,
    },
}

impl RubricError {
    fn tier(number: usize, label: &str, problem: impl Into<String>) -> Self {
        let label = if label.trim().is_empty() { "no label" } else { label.trim() };
        Self::Tier { number, label: label.to_owned(), problem: problem.into() }
    }
}

/// A bound as a whole number from 0 to 100.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked to be whole and in 0 to 100"
)]
pub(super) fn whole(number: usize, label: &str, bound: f64) -> Result<u8, RubricError> {
    if !(0.0..=100.0).contains(&bound) {
        return Err(RubricError::tier(number, label, format!("{bound} is outside 0 to 100")));
    }
    if bound.fract() != 0.0 {
        return Err(RubricError::tier(number, label, format!("{bound} is not a whole number")));
    }
    Ok(bound as u8)
}

/// Refuses tiers that leave a score without a label or give it two.
pub(super) fn check(tiers: &[Tier]) -> Result<(), RubricError> {
    if !(TIERS_MIN..=TIERS_MAX).contains(&tiers.len()) {
        return Err(RubricError::Count(tiers.len()));
    }
    let mut labels = BTreeSet::new();
    let mut next: u8 = 0;
    for (number, tier) in (1..).zip(tiers) {
        let wrong = |problem: String| Err(RubricError::tier(number, &tier.label, problem));
        if tier.label.trim().is_empty() {
            return wrong("has no label".to_owned());
        }
        if !labels.insert(tier.label.trim()) {
            return wrong("another tier has the same label".to_owned());
        }
        let min = tier.min;
        if number == 1 && min != 0 {
            return wrong(format!("starts at {min}, but the first tier must start at 0"));
        }
        if min > next {
            let gap =
                if next + 1 == min { next.to_string() } else { format!("{next}-{}", min - 1) };
            return wrong(format!("starts at {min}, which leaves {gap} in no tier"));
        }
        if min < next {
            let before = next - 1;
            return wrong(format!("starts at {min}, but the previous tier goes up to {before}"));
        }
        if tier.max < min {
            return wrong(format!("ends at {}, before it starts at {min}", tier.max));
        }
        if number == tiers.len() && tier.max != 100 {
            return wrong(format!("ends at {}, but the last tier must end at 100", tier.max));
        }
        next = tier.max + 1;
    }
    Ok(())
}
