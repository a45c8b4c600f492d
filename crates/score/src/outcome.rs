//! There may be no score, and that is a result of its own.

use serde::{Deserialize, Serialize};

use crate::explained::{Explained, Name};
use crate::score::Score;

/// A score with its workings, or the reason why there is none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// There is a score; it is finite.
    Scored(Score),
    /// There is none; it is counted apart from zero.
    Unscored {
        /// Why, in words a reader of the verdict understands.
        because: Name,
    },
}

impl Outcome {
    /// No score, for a reason.
    pub fn unscored(because: impl Into<Name>) -> Self {
        Self::Unscored { because: because.into() }
    }

    /// The score's value, if there is one.
    pub fn value(&self) -> Option<f64> {
        self.explained().map(|explained| explained.value)
    }

    /// The score with its workings, if there is one.
    pub fn explained(&self) -> Option<&Explained> {
        match self {
            Self::Scored(score) => Some(score),
            Self::Unscored { .. } => None,
        }
    }
}

impl From<Explained> for Outcome {
    /// A number that is not finite is not a score, and the reason says so.
    fn from(explained: Explained) -> Self {
        match Score::new(explained) {
            Ok(score) => Self::Scored(score),
            Err(not_finite) => Self::unscored(not_finite.to_string()),
        }
    }
}
