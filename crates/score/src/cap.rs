//! What may pull a score down: caps, ceilings, gates and guard rails.
//!
//! They are one idea. A gate that fails is a cap at zero; a ceiling is a cap whose
//! height depends on another score; a guard rail is a cap whose trigger looks at the
//! whole verdict. Only the reason differs, and the reason is kept.

use serde::{Deserialize, Serialize};

use crate::explained::Name;

/// A rule that was considered, and whether its trigger fired.
#[derive(Debug, Clone, PartialEq)]
pub struct Cap {
    /// The highest score the rule allows.
    pub at_most: f64,
    /// Why, in words a reader of the verdict understands.
    pub because: Name,
    /// Whether the rule applies to this score.
    pub triggered: bool,
}

impl Cap {
    /// A cap at `at_most` that applies when `triggered`.
    pub fn when(triggered: bool, at_most: f64, because: impl Into<Name>) -> Self {
        Self { at_most, because: because.into(), triggered }
    }
}

/// A cap as it was found to act on one score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AppliedCap {
    /// The highest score the rule allows.
    pub at_most: f64,
    /// Why.
    pub because: Name,
    /// What it did to the score.
    pub state: CapState,
}

/// What a cap did to a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CapState {
    /// Looked at; its trigger did not fire.
    NotTriggered,
    /// It applies, and the score was already as low or another cap is lower.
    Triggered,
    /// It is the one that set the score.
    Binding,
}

/// The value after all caps, and what each of them did.
///
/// The lowest triggered cap binds if it lowers the value; of equals, the first.
pub fn apply(value: f64, caps: Vec<Cap>) -> (f64, Vec<AppliedCap>) {
    let mut lowest = value;
    let mut binding = None;
    for (index, cap) in caps.iter().enumerate() {
        if cap.triggered && cap.at_most < lowest {
            lowest = cap.at_most;
            binding = Some(index);
        }
    }
    let applied = caps.into_iter().enumerate().map(|(index, cap)| AppliedCap {
        at_most: cap.at_most,
        because: cap.because,
        state: match cap.triggered {
            _ if binding == Some(index) => CapState::Binding,
            true => CapState::Triggered,
            false => CapState::NotTriggered,
        },
    });
    (lowest, applied.collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_lowest_triggered_cap_binds_and_the_others_are_kept() {
        let caps = vec![
            Cap::when(true, 7.0, "low recall"),
            Cap::when(true, 3.0, "invented claim"),
            Cap::when(false, 0.0, "safety gate"),
        ];
        let (value, applied) = apply(8.5, caps);
        assert_eq!(value, 3.0);
        let states: Vec<_> = applied.iter().map(|cap| cap.state).collect();
        assert_eq!(states, [CapState::Triggered, CapState::Binding, CapState::NotTriggered]);
    }

    #[test]
    fn a_score_exactly_at_its_cap_is_not_lowered() {
        let (value, applied) = apply(4.0, vec![Cap::when(true, 4.0, "why")]);
        assert_eq!((value, applied[0].state), (4.0, CapState::Triggered));
    }

    proptest! {
        #[test]
        fn caps_never_raise_and_their_order_does_not_matter(
            value in 0.0..10.0_f64,
            caps in prop::collection::vec((any::<bool>(), 0.0..12.0_f64), 0..6),
        ) {
            let build = |caps: &[(bool, f64)]| -> Vec<Cap> {
                caps.iter().map(|(on, at)| Cap::when(*on, *at, "why")).collect()
            };
            let (forward, _) = apply(value, build(&caps));
            let reversed: Vec<_> = caps.iter().rev().copied().collect();
            let (backward, _) = apply(value, build(&reversed));
            prop_assert!(forward <= value);
            prop_assert_eq!(forward, backward);
        }
    }
}
