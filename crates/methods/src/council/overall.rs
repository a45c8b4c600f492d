//! From the marks of one review to its overall score. This is where we do the sums.

use assize_score::Working;
use assize_score::arithmetic::{ratio, sum, times};
use assize_stats::sum::sum as exact_sum;
use thiserror::Error;

use super::ballot::{Basis, Review};
use super::dimension::Dimension;
use super::profile::Profile;

/// The lowest mark where no other scale is declared.
pub(super) const LOWEST: f64 = 1.0;

/// The highest mark.
pub(super) const MARK_MAX: f64 = 10.0;

/// How many decimals an overall score has.
pub(crate) const PLACES: u32 = 2;

/// The overall score of one review.
#[derive(Debug, Clone, PartialEq)]
pub struct Overall<N> {
    /// Σ weight x mark, over the weights that have a mark, rounded half up.
    pub base: N,
    /// The same under the accuracy ceiling.
    pub capped: N,
    /// Which share of the applicable weights has a mark.
    pub coverage: f64,
}

/// Why a review has no overall score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Uncounted {
    /// Nothing in it is a mark.
    #[error("it has no marks")]
    NoMarks,
    /// Marks without the one that decides the ceiling.
    #[error("accuracy is missing, so the ceiling is unknown")]
    NoAccuracy,
}

/// The overall score of a review.
///
/// Without marks on the dimensions it is the score that the reviewer stated, and no ceiling
/// is known. A missing dimension leaves its weight to the others; without accuracy there is
/// no score at all.
pub fn overall<N: Working>(review: &Review, profile: &Profile) -> Result<Overall<N>, Uncounted> {
    match review.basis() {
        None => Err(Uncounted::NoMarks),
        Some(Basis::Rubric) => rubric(review, profile),
        Some(Basis::Holistic) => {
            let stated =
                review.stated.as_ref().map(|mark| mark.value).filter(|value| is_mark(*value));
            let stated = N::given("stated overall", stated.ok_or(Uncounted::NoMarks)?);
            let base = stated.rounded(PLACES);
            Ok(Overall { capped: base.clone(), base, coverage: 0.0 })
        }
    }
}

fn rubric<N: Working>(review: &Review, profile: &Profile) -> Result<Overall<N>, Uncounted> {
    let mark = |dimension| review.mark(dimension).filter(|value| is_mark(*value));
    let accuracy = mark(Dimension::Accuracy).ok_or(Uncounted::NoAccuracy)?;
    let applies = |dimension: Dimension| {
        !(review.appropriate_refusal && dimension == Dimension::Completeness)
    };
    let applicable: Vec<(Dimension, f64)> =
        profile.weights.counting().filter(|(dimension, _)| applies(*dimension)).collect();
    let marked: Vec<(Dimension, f64, f64)> = applicable
        .iter()
        .filter_map(|(dimension, weight)| Some((*dimension, *weight, mark(*dimension)?)))
        .collect();
    let terms = marked
        .iter()
        .map(|(dimension, weight, mark)| times(dimension.name(), *weight, N::given("mark", *mark)));
    let total = sum("overall", terms.collect());
    let present = exact_sum(marked.iter().map(|(_, weight, _)| *weight));
    let whole = exact_sum(applicable.iter().map(|(_, weight)| *weight));
    // Weights that sum to one divide by nothing.
    let mean = if present == 1.0 {
        total
    } else {
        ratio("overall", total, N::given("weights that have a mark", present))
    };
    let base = mean.rounded(PLACES);
    let capped = base.clone().capped(profile.ceiling.caps(accuracy));
    Ok(Overall { base, capped, coverage: present / whole })
}

/// Zero is a mark on a scale that begins there; where none was declared, it did not come
/// this far.
fn is_mark(value: f64) -> bool {
    (0.0..=MARK_MAX).contains(&value)
}
