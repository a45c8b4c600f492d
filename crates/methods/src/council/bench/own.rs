//! Whether a reviewer prefers what its own model, or its vendor's family, wrote.

use assize_stats::interval::bootstrap_mean;
use assize_stats::summary::mean;
use serde::Serialize;

use super::agreement::{Drawing, LEVEL};
use super::comparison::{Choice, Comparison};
use crate::council::authorship::Author;
use crate::council::verdict::Range;

/// How much more often a reviewer prefers its own side than people do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Preference {
    /// Who.
    pub reviewer: String,
    /// Comparisons of an answer of its own side with one of another.
    pub count: usize,
    /// How often it prefers its own side, a tie being a half.
    pub own: f64,
    /// How often people do on the same comparisons.
    pub people: f64,
    /// The difference.
    pub more: f64,
    /// Where that lies.
    pub interval: Option<Range>,
}

/// Which answers are of a reviewer's own side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Its own model's.
    Model,
    /// Its vendor's, its own included.
    Family,
}

/// Each reviewer for whom there is such a comparison.
pub(super) fn preferences(
    comparisons: &[Comparison],
    reviewers: &[String],
    side: Side,
    drawing: Drawing,
) -> Vec<Preference> {
    let of = |reviewer: &String| preference(comparisons, reviewer, side, drawing);
    reviewers.iter().filter_map(of).collect()
}

fn preference(
    comparisons: &[Comparison],
    reviewer: &str,
    side: Side,
    drawing: Drawing,
) -> Option<Preference> {
    let own = |system: &str| {
        let (one, other) =
            (Author { name: reviewer, model: None }, Author { name: system, model: None });
        !system.is_empty()
            && match side {
                Side::Model => one.is_same_model(other),
                Side::Family => one.family().is_some() && one.family() == other.family(),
            }
    };
    let share = |choice: Choice, is_first: bool| {
        let sign = if is_first { choice.sign() } else { -choice.sign() };
        f64::midpoint(sign, 1.0)
    };
    let (mut said, mut meant) = (Vec::new(), Vec::new());
    for comparison in comparisons {
        let mine = [0, 1].map(|side| own(&comparison.answers[side].system));
        let (Some(choice), Some(people)) = (comparison.preferred(reviewer), comparison.people)
        else {
            continue;
        };
        if mine[0] != mine[1] {
            said.push(share(choice, mine[0]));
            meant.push(share(people, mine[0]));
        }
    }
    let more: Vec<f64> = said.iter().zip(&meant).map(|(said, meant)| said - meant).collect();
    let interval = bootstrap_mean(&more, drawing.resamples, LEVEL, drawing.seed).ok();
    Some(Preference {
        reviewer: reviewer.to_owned(),
        count: said.len(),
        own: mean(&said).ok()?,
        people: mean(&meant).ok()?,
        more: mean(&more).ok()?,
        interval: interval.and_then(|found| Range::inside(found.low, found.high, -1.0, 1.0)),
    })
}
