//! Why a statistic has no value.

use thiserror::Error;

/// Why a statistic has no value for the input it was given.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StatsError {
    /// There is not enough to compute from.
    #[error("needs at least {needed} values, has {found}")]
    TooFew {
        /// The fewest that give an answer.
        needed: usize,
        /// How many there were.
        found: usize,
    },
    /// There is more than the exact method can go through.
    #[error("goes up to {limit}, has {found}")]
    TooMany {
        /// The most it accepts.
        limit: usize,
        /// How many there were.
        found: usize,
    },
    /// A value is NaN or infinite, or a sum ran out of range.
    #[error("a value is not a finite number")]
    NotFinite,
    /// Two lists that belong together differ in length.
    #[error("{left} values are paired with {right}")]
    Unpaired {
        /// Length of the first list.
        left: usize,
        /// Length of the second list.
        right: usize,
    },
    /// The values do not vary, and the statistic divides by their variation.
    #[error("all values are the same")]
    Constant,
    /// Every pair is a tie.
    #[error("all differences are zero")]
    NoDifference,
    /// An argument lies outside its range; the text says which and what is allowed.
    #[error("{0}")]
    Invalid(&'static str),
    /// Some items were never compared with the others, even in a roundabout way.
    #[error("the comparisons do not connect all items")]
    Disconnected,
    /// An iteration did not come to rest.
    #[error("did not settle in {rounds} rounds")]
    NotSettled {
        /// How many rounds were tried.
        rounds: usize,
    },
}
