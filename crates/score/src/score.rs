//! A score: a number with its workings that is known to be finite.

use std::ops::Deref;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::explained::{Explained, Name};

/// A finite number with its workings: the only thing that an [`crate::Outcome`] holds as a score.
///
/// Formulas pass bare numbers on without a check, which is what makes them fast; here, where
/// a number becomes a result, it is looked at once, in every build.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Explained")]
pub struct Score(Explained);

/// A formula gave NaN or infinity. That is a bug of ours, and never a score.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{name} did not come out as a finite number; please report this")]
pub struct NotFinite {
    /// What the number is called.
    pub name: Name,
}

impl Score {
    /// The number, if it is finite.
    ///
    /// ```
    /// use assize_score::{Explained, Score, Working};
    /// assert!(Score::new(Explained::given("recall", 0.5)).is_ok());
    /// ```
    pub fn new(explained: Explained) -> Result<Self, NotFinite> {
        if explained.value.is_finite() {
            Ok(Self(explained))
        } else {
            Err(NotFinite { name: explained.name })
        }
    }
}

impl Deref for Score {
    type Target = Explained;

    fn deref(&self) -> &Explained {
        &self.0
    }
}

impl TryFrom<Explained> for Score {
    type Error = NotFinite;

    fn try_from(explained: Explained) -> Result<Self, NotFinite> {
        Self::new(explained)
    }
}

/// The numbers of one row of results, if all of them are finite.
pub fn all_finite(values: Vec<f64>, name: impl Fn(usize) -> Name) -> Result<Vec<f64>, NotFinite> {
    match values.iter().position(|value| !value.is_finite()) {
        Some(index) => Err(NotFinite { name: name(index) }),
        None => Ok(values),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explained::How;
    use crate::outcome::Outcome;

    fn bare(value: f64) -> Explained {
        Explained { name: "ratio".into(), value, how: How::Given }
    }

    #[test]
    fn what_is_not_finite_is_unscored_and_says_why() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let outcome = Outcome::from(bare(value));
            assert_eq!(outcome.value(), None);
            let said = outcome.to_string();
            assert!(said.starts_with("unscored: ratio did not come out"), "{said}");
        }
        assert_eq!(Outcome::from(bare(0.5)).value(), Some(0.5));
    }

    #[test]
    fn a_row_with_one_bad_number_names_it() {
        let name = |index: usize| Name::from(["p@5", "map"][index]);
        assert_eq!(all_finite(vec![0.5, 1.0], name), Ok(vec![0.5, 1.0]));
        let refused = all_finite(vec![0.5, f64::NAN], name);
        assert_eq!(refused, Err(NotFinite { name: "map".into() }));
    }
}
