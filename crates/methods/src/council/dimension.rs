//! What a reviewer marks: five dimensions, each from 1 to 10.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// One dimension of the rubric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dimension {
    /// Is it true?
    Accuracy,
    /// Does it answer what was asked?
    Relevance,
    /// Does it answer all of it?
    Completeness,
    /// Does every word earn its place?
    Conciseness,
    /// Is it easy to follow?
    Clarity,
}

/// Something for each dimension that has it, always in the same order.
pub type ByDimension<T> = BTreeMap<Dimension, T>;

impl Dimension {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 5] =
        [Self::Accuracy, Self::Relevance, Self::Completeness, Self::Conciseness, Self::Clarity];

    /// The name as it stands in files, replies and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accuracy => "accuracy",
            Self::Relevance => "relevance",
            Self::Completeness => "completeness",
            Self::Conciseness => "conciseness",
            Self::Clarity => "clarity",
        }
    }

    /// The dimension of a name, whatever its case.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.trim();
        Self::ALL.into_iter().find(|dimension| dimension.name().eq_ignore_ascii_case(name))
    }
}

impl fmt::Display for Dimension {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
