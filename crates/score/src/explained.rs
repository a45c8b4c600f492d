//! A named number with its workings, and the trait that makes them optional.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::cap::{AppliedCap, Cap, apply};
use crate::rounding::half_up;

/// A name that is usually a literal and now and then made up on the spot.
pub type Name = Cow<'static, str>;

/// A number that may keep how it was computed.
///
/// Formulas are generic over this trait. [`Explained`] keeps everything; `f64` keeps
/// nothing and costs nothing, which is what ten million ranked results need.
pub trait Working: Sized + Clone {
    /// A number that was counted, measured or stated, not computed here.
    fn given(name: impl Into<Name>, value: f64) -> Self;

    /// A number computed from `inputs` by a formula that a reader can check.
    fn computed<I: IntoIterator<Item = Self>>(
        name: &'static str,
        formula: &'static str,
        value: f64,
        inputs: I,
    ) -> Self;

    /// The same where the formula names constants: it is written from them, so that text and
    /// arithmetic cannot differ, and only where somebody keeps it.
    fn computed_by<I: IntoIterator<Item = Self>>(
        name: &'static str,
        formula: impl FnOnce() -> String,
        value: f64,
        inputs: I,
    ) -> Self;

    /// The number rounded half up to `places` decimals.
    #[must_use]
    fn rounded(self, places: u32) -> Self;

    /// The number after every cap that was considered; a cap can only lower.
    #[must_use]
    fn capped(self, caps: Vec<Cap>) -> Self;

    /// The same number under another name.
    #[must_use]
    fn named(self, name: impl Into<Name>) -> Self;

    /// The bare number.
    fn value(&self) -> f64;
}

/// A named number with everything that led to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Explained {
    /// What the number is called where it is shown.
    pub name: Name,
    /// The number itself; what is not finite never becomes a [`crate::Score`].
    pub value: f64,
    /// Where it came from.
    pub how: How,
}

/// Where a number came from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum How {
    /// Counted, measured or stated by a judge.
    Given,
    /// Computed by a formula from other numbers.
    Computed {
        /// The formula as a reader would write it.
        formula: Name,
        /// The numbers that went in, in the order of the formula.
        inputs: Vec<Explained>,
    },
    /// Rounded half up.
    Rounded {
        /// How many decimals are left.
        places: u32,
        /// The number before.
        before: Box<Explained>,
    },
    /// Held down, or left alone, by the caps that were considered.
    Capped {
        /// Every cap, binding or not.
        caps: Vec<AppliedCap>,
        /// The number before.
        before: Box<Explained>,
    },
}

impl Working for Explained {
    fn given(name: impl Into<Name>, value: f64) -> Self {
        Self { name: name.into(), value: checked(value), how: How::Given }
    }

    fn computed<I: IntoIterator<Item = Self>>(
        name: &'static str,
        formula: &'static str,
        value: f64,
        inputs: I,
    ) -> Self {
        derived(name, formula.into(), value, inputs.into_iter().collect())
    }

    fn computed_by<I: IntoIterator<Item = Self>>(
        name: &'static str,
        formula: impl FnOnce() -> String,
        value: f64,
        inputs: I,
    ) -> Self {
        derived(name, formula().into(), value, inputs.into_iter().collect())
    }

    fn rounded(self, places: u32) -> Self {
        let value = half_up(self.value, places);
        Self {
            name: self.name.clone(),
            value,
            how: How::Rounded { places, before: Box::new(self) },
        }
    }

    fn capped(self, caps: Vec<Cap>) -> Self {
        let (value, caps) = apply(self.value, caps);
        Self { name: self.name.clone(), value, how: How::Capped { caps, before: Box::new(self) } }
    }

    fn named(mut self, name: impl Into<Name>) -> Self {
        self.name = name.into();
        self
    }

    fn value(&self) -> f64 {
        self.value
    }
}

impl Working for f64 {
    fn given(_: impl Into<Name>, value: f64) -> Self {
        checked(value)
    }

    fn computed<I: IntoIterator<Item = Self>>(
        _: &'static str,
        _: &'static str,
        value: f64,
        _: I,
    ) -> Self {
        checked(value)
    }

    fn computed_by<I: IntoIterator<Item = Self>>(
        _: &'static str,
        _: impl FnOnce() -> String,
        value: f64,
        _: I,
    ) -> Self {
        checked(value)
    }

    fn rounded(self, places: u32) -> Self {
        half_up(self, places)
    }

    fn capped(self, caps: Vec<Cap>) -> Self {
        apply(self, caps).0
    }

    fn named(self, _: impl Into<Name>) -> Self {
        self
    }

    fn value(&self) -> f64 {
        *self
    }
}

fn derived(name: &'static str, formula: Name, value: f64, inputs: Vec<Explained>) -> Explained {
    let how = How::Computed { formula, inputs };
    Explained { name: name.into(), value: checked(value), how }
}

/// A number that is not finite is a bug of ours, not of the input: absent scores are
/// [`crate::Outcome::Unscored`]. Tests stop where it arises; in a release build it goes on to
/// [`crate::Score::new`], which lets it become no score.
fn checked(value: f64) -> f64 {
    debug_assert!(value.is_finite(), "a score is always a finite number, this one is {value}");
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::ratio;

    fn recall<N: Working>(found: f64, gold: f64) -> N {
        ratio("recall", N::given("found", found), N::given("gold", gold))
    }

    #[test]
    fn the_same_formula_gives_the_same_value_with_and_without_workings() {
        assert_eq!(recall::<f64>(2.0, 3.0), recall::<Explained>(2.0, 3.0).value);
    }

    #[test]
    fn capping_keeps_the_value_before_and_every_cap() {
        let capped = Explained::given("overall", 6.9).capped(vec![
            Cap::when(true, 4.0, "accuracy is below 5"),
            Cap::when(false, 7.0, "accuracy is below 7"),
        ]);
        assert_eq!(capped.value, 4.0);
        let How::Capped { caps, before } = capped.how else { panic!("not capped") };
        assert_eq!(before.value, 6.9);
        assert_eq!(caps.len(), 2);
    }

    #[test]
    fn workings_survive_a_round_trip_through_json() {
        let explained =
            recall::<Explained>(1.0, 3.0).capped(vec![Cap::when(true, 0.2, "why")]).rounded(2);
        let json = serde_json::to_string(&explained).unwrap();
        assert_eq!(serde_json::from_str::<Explained>(&json).unwrap(), explained);
    }
}
