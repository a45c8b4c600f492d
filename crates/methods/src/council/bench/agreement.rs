//! How often a choice is the one people make, with an interval, and against another's.

use std::cell::RefCell;
use std::collections::BTreeMap;

use assize_stats::agreement::{Weights, cohen_kappa};
use assize_stats::interval::{self, drawn};
use assize_stats::summary::mean;
use serde::Serialize;

use super::comparison::{Choice, Comparison};
use crate::council::verdict::Range;

/// How sure intervals are.
pub(super) const LEVEL: f64 = 0.95;

/// How intervals are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drawing {
    /// How often.
    pub resamples: usize,
    /// Where chance begins.
    pub seed: u64,
}

/// How near somebody's choices are to people's.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Agreement {
    /// Comparisons that both people and it decided about.
    pub count: usize,
    /// The share of credit: a right choice is 1, a tie against a choice is a half.
    pub agreement: Option<f64>,
    /// Where that lies, questions drawn whole.
    pub interval: Option<Range>,
    /// Cohen's kappa over first, tie and second: 0 is chance.
    pub kappa: Option<f64>,
    /// Where that lies.
    pub kappa_interval: Option<Range>,
    /// The share of ties it gives.
    pub ties: Option<f64>,
}

/// Somebody's choices, comparison by comparison.
pub(super) type Choices = Vec<Option<Choice>>;

/// The comparisons with both people's choice and this one, by index.
fn shared(comparisons: &[Comparison], choices: &[Option<Choice>]) -> Vec<usize> {
    let both = |index: &usize| comparisons[*index].people.is_some() && choices[*index].is_some();
    (0..comparisons.len()).filter(both).collect()
}

/// The credit of a choice on one comparison.
pub(super) fn credit(comparison: &Comparison, choice: Option<Choice>) -> Option<f64> {
    Some(choice?.credit(comparison.people?))
}

/// Measures choices against people's.
pub(super) fn measure(
    comparisons: &[Comparison],
    choices: &[Option<Choice>],
    drawing: Drawing,
) -> Agreement {
    let shared = shared(comparisons, choices);
    let pairs: Vec<(Choice, Choice)> = shared
        .iter()
        .filter_map(|index| Some((choices[*index]?, comparisons[*index].people?)))
        .collect();
    let clusters = clusters(comparisons, &shared);
    let agreement = |drawn: &[usize]| {
        let credits: Vec<f64> =
            drawn.iter().map(|index| pairs[*index].0.credit(pairs[*index].1)).collect();
        mean(&credits).ok()
    };
    let kappa = |drawn: &[usize]| {
        let (said, meant): (Vec<usize>, Vec<usize>) =
            drawn.iter().map(|index| (pairs[*index].0.class(), pairs[*index].1.class())).unzip();
        cohen_kappa(&said, &meant, Weights::None).ok()
    };
    let all: Vec<usize> = (0..pairs.len()).collect();
    let ties = pairs.iter().filter(|(said, _)| *said == Choice::Tie).count();
    Agreement {
        count: pairs.len(),
        agreement: agreement(&all),
        interval: interval(pairs.len(), &clusters, drawing, agreement, (0.0, 1.0)),
        kappa: kappa(&all),
        kappa_interval: interval(pairs.len(), &clusters, drawing, kappa, (-1.0, 1.0)),
        ties: (!pairs.is_empty()).then(|| ties as f64 / pairs.len() as f64),
    }
}

/// One against another on the comparisons both decided about.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// Comparisons that people and both decided about.
    pub count: usize,
    /// The first's share of credit less the second's.
    pub difference: f64,
    /// Where that lies, questions drawn whole.
    pub interval: Option<Range>,
    /// Two-sided p value, from the draws that the interval comes from.
    pub p: Option<f64>,
    /// The same after Holm's correction for all that were compared at once.
    pub p_corrected: Option<f64>,
}

/// How much more credit the first has; `None` if they share no comparison.
pub(super) fn difference(
    comparisons: &[Comparison],
    first: &[Option<Choice>],
    second: &[Option<Choice>],
    drawing: Drawing,
) -> Option<Difference> {
    let both = |index: &usize| first[*index].is_some() && second[*index].is_some();
    let shared: Vec<usize> = shared(comparisons, first).into_iter().filter(both).collect();
    let credits = |choices: &[Option<Choice>]| -> Vec<f64> {
        shared.iter().filter_map(|index| credit(&comparisons[*index], choices[*index])).collect()
    };
    let (one, other) = (credits(first), credits(second));
    let statistic = |drawn: &[usize]| {
        let differences: Vec<f64> = drawn.iter().map(|index| one[*index] - other[*index]).collect();
        mean(&differences).ok()
    };
    let all: Vec<usize> = (0..shared.len()).collect();
    let difference = statistic(&all)?;
    let clusters = clusters(comparisons, &shared);
    // Interval and p value come from the same draws, so they cannot contradict each other.
    let draws = RefCell::new(Vec::with_capacity(drawing.resamples + 1));
    let kept = |drawn: &[usize]| {
        let found = statistic(drawn)?;
        draws.borrow_mut().push(found);
        Some(found)
    };
    let interval = interval(shared.len(), &clusters, drawing, kept, (-1.0, 1.0));
    Some(Difference {
        count: shared.len(),
        difference,
        p: interval.map(|_| two_sided(&draws.borrow())),
        interval,
        p_corrected: None,
    })
}

/// Twice the share of draws on the other side of zero, or on zero: the level at which the
/// interval of the middle draws begins to hold it.
fn two_sided(draws: &[f64]) -> f64 {
    let below = draws.iter().filter(|draw| **draw <= 0.0).count();
    let above = draws.iter().filter(|draw| **draw >= 0.0).count();
    let least = below.min(above).max(1);
    (2.0 * least as f64 / draws.len().max(1) as f64).min(1.0)
}

/// The places of each question among some comparisons: the answers to one question are no
/// independent witnesses.
fn clusters(comparisons: &[Comparison], among: &[usize]) -> Vec<Vec<usize>> {
    let mut found: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, index) in among.iter().enumerate() {
        found.entry(&comparisons[*index].question).or_default().push(place);
    }
    found.into_values().collect()
}

/// An interval that lies within the range of its statistic, or none.
fn interval(
    items: usize,
    clusters: &[Vec<usize>],
    drawing: Drawing,
    statistic: impl Fn(&[usize]) -> Option<f64>,
    (least, most): (f64, f64),
) -> Option<Range> {
    let Drawing { resamples, seed } = drawing;
    let drawing = interval::Drawing { resamples, level: LEVEL, seed };
    let whole = (clusters.len() != items).then_some(clusters);
    let interval = drawn(items, whole, drawing, statistic)?.interval;
    Range::inside(interval.low, interval.high, least, most)
}
