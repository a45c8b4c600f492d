//! Which of two documents with the same score stands first.

use std::cmp::Ordering;

use assize_score::float::descending;
use serde::{Deserialize, Serialize};

/// The order of documents that a run gives the same score.
///
/// A run says nothing about it, and a measure must not depend on chance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema), schemars(inline))]
pub enum Ties {
    /// By identifier, descending, as `trec_eval` does
    #[default]
    #[serde(rename = "trec")]
    #[cfg_attr(feature = "clap", value(name = "trec"))]
    DocumentDescending,
    /// By identifier, ascending
    #[serde(rename = "ascending")]
    #[cfg_attr(feature = "clap", value(name = "ascending"))]
    DocumentAscending,
    /// In file order
    #[serde(rename = "input")]
    #[cfg_attr(feature = "clap", value(name = "input"))]
    InputOrder,
}

impl Ties {
    /// The order of two documents of a run, given the score and identifier of each.
    ///
    /// Equal by this order and different: keep the order of the input, by a stable sort.
    ///
    /// ```
    /// use std::cmp::Ordering;
    /// use assize_methods::retrieval::ranked::Ties;
    /// let order = Ties::default().order((1.5, b"d1"), (1.5, b"d2"));
    /// assert_eq!(order, Ordering::Greater); // d2 stands before d1
    /// ```
    pub fn order(self, left: (f64, &[u8]), right: (f64, &[u8])) -> Ordering {
        // Zero and minus zero are one score.
        descending(left.0 + 0.0, right.0 + 0.0).then_with(|| match self {
            Self::DocumentDescending => right.1.cmp(left.1),
            Self::DocumentAscending => left.1.cmp(right.1),
            Self::InputOrder => Ordering::Equal,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_score_decides_before_any_rule_for_ties() {
        for ties in [Ties::DocumentDescending, Ties::DocumentAscending, Ties::InputOrder] {
            assert_eq!(ties.order((2.0, b"a"), (1.0, b"b")), Ordering::Less);
        }
    }

    #[test]
    fn minus_zero_ties_with_zero() {
        assert_eq!(Ties::InputOrder.order((0.0, b"a"), (-0.0, b"b")), Ordering::Equal);
        assert_eq!(Ties::DocumentAscending.order((-0.0, b"a"), (0.0, b"b")), Ordering::Less);
    }
}
