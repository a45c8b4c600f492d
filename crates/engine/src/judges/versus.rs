//! Judges against each other, on the same draws of the items.

use assize_stats::correction::{Correction, adjust};
use assize_stats::correlation::spearman;
use assize_stats::resample::Generator;
use assize_stats::summary::quantile;
use serde::Serialize;

use super::{Figure, Items, Settings};

/// Differences below this p value are called differences.
const SIGNIFICANT: f64 = 0.05;

/// Judges against each other.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Versus {
    /// Items that every judge scored: the comparison is over these.
    pub count: usize,
    /// Every two judges.
    pub pairs: Vec<Pair>,
    /// Groups of judges that cannot be told apart, the best first.
    pub groups: Vec<Vec<String>>,
}

/// Two judges.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Pair {
    /// One.
    pub first: String,
    /// The other.
    pub second: String,
    /// The first's Spearman less the second's.
    pub difference: Figure,
    /// Two-sided p value of the bootstrap.
    pub p: Option<f64>,
    /// The same after Holm's correction.
    pub p_corrected: Option<f64>,
}

impl Versus {
    /// The letters of the groups that a judge belongs to.
    pub(super) fn letters_of(&self, judge: &str) -> String {
        let own = self
            .groups
            .iter()
            .enumerate()
            .filter(|(_, group)| group.iter().any(|name| name == judge));
        own.filter_map(|(index, _)| char::from_digit(u32::try_from(index).ok()? + 10, 36)).collect()
    }
}

/// Every two judges by the difference of their rank correlations.
pub(super) fn versus(items: &Items, truth: &[Option<f64>], settings: &Settings) -> Versus {
    let shared: Vec<usize> = (0..truth.len())
        .filter(|index| {
            truth[*index].is_some()
                && items.judges.iter().all(|(_, scores)| scores[*index].is_some())
        })
        .collect();
    let units = units(items, &shared);
    let correlations = |drawn: &[usize]| -> Vec<Option<f64>> {
        let meant: Vec<f64> = drawn.iter().filter_map(|index| truth[*index]).collect();
        let one = |(_, scores): &(String, Vec<Option<f64>>)| {
            let said: Vec<f64> = drawn.iter().filter_map(|index| scores[*index]).collect();
            spearman(&said, &meant).ok()
        };
        items.judges.iter().map(one).collect()
    };
    let whole = correlations(&shared);
    let draws: Vec<Vec<Option<f64>>> = if units.len() < 2 {
        Vec::new()
    } else {
        (0..settings.resamples)
            .map(|resample| {
                let mut generator = Generator::stream(settings.seed, resample as u64);
                let drawn: Vec<usize> = (0..units.len())
                    .flat_map(|_| units[generator.below(units.len())].clone())
                    .collect();
                correlations(&drawn)
            })
            .collect()
    };
    let mut pairs = Vec::new();
    for first in 0..whole.len() {
        for second in first + 1..whole.len() {
            pairs.push(pair(items, (first, second), &whole, &draws, settings.level));
        }
    }
    let p: Vec<f64> = pairs.iter().filter_map(|pair| pair.p).collect();
    if let Ok(corrected) = adjust(Correction::Holm, &p) {
        for (pair, p) in pairs.iter_mut().filter(|pair| pair.p.is_some()).zip(corrected) {
            pair.p_corrected = Some(p);
        }
    }
    let groups = groups(items, &whole, &pairs);
    Versus { count: shared.len(), pairs, groups }
}

/// What is drawn whole: groups where there are some, else single items.
fn units(items: &Items, shared: &[usize]) -> Vec<Vec<usize>> {
    let clusters = items.clusters();
    if clusters.len() < 2 {
        return shared.iter().map(|index| vec![*index]).collect();
    }
    let kept = |cluster: Vec<usize>| -> Vec<usize> {
        cluster.into_iter().filter(|index| shared.binary_search(index).is_ok()).collect()
    };
    clusters.into_iter().map(kept).filter(|cluster| !cluster.is_empty()).collect()
}

fn pair(
    items: &Items,
    (first, second): (usize, usize),
    whole: &[Option<f64>],
    draws: &[Vec<Option<f64>>],
    level: f64,
) -> Pair {
    let less = |found: &[Option<f64>]| Some(found[first]? - found[second]?);
    let differences: Vec<f64> = draws.iter().filter_map(|draw| less(draw)).collect();
    let end = |share: f64| quantile(&differences, share).ok();
    let count = differences.len();
    let below = differences.iter().filter(|value| **value <= 0.0).count();
    let above = differences.iter().filter(|value| **value >= 0.0).count();
    // One more than was seen: with a thousand draws no p value is below a thousandth.
    let p = (count > 0).then(|| {
        let tail = (below.min(above) + 1) as f64 / (count + 1) as f64;
        (2.0 * tail).min(1.0)
    });
    Pair {
        first: items.judges[first].0.clone(),
        second: items.judges[second].0.clone(),
        difference: Figure {
            value: less(whole),
            low: end((1.0 - level) / 2.0),
            high: end(f64::midpoint(1.0, level)),
        },
        p,
        p_corrected: None,
    }
}

/// Runs of judges, best first, in which nobody differs from the first of the run.
fn groups(items: &Items, whole: &[Option<f64>], pairs: &[Pair]) -> Vec<Vec<String>> {
    let mut order: Vec<usize> = (0..whole.len()).collect();
    let value = |index: usize| whole[index].unwrap_or(f64::NEG_INFINITY);
    order.sort_by(|one, other| value(*other).total_cmp(&value(*one)).then(one.cmp(other)));
    let name = |index: usize| items.judges[index].0.as_str();
    let differ = |one: usize, other: usize| {
        let found = pairs.iter().find(|pair| {
            (pair.first == name(one) && pair.second == name(other))
                || (pair.first == name(other) && pair.second == name(one))
        });
        found.and_then(|pair| pair.p_corrected).is_some_and(|p| p < SIGNIFICANT)
    };
    let mut groups: Vec<Vec<String>> = Vec::new();
    let mut reached = 0;
    for start in 0..order.len() {
        let end = (start..order.len()).take_while(|at| !differ(order[start], order[*at])).last();
        let end = end.unwrap_or(start) + 1;
        // A run that ends where the one before it does says nothing new.
        if end > reached {
            groups.push(order[start..end].iter().map(|index| name(*index).to_owned()).collect());
            reached = end;
        }
    }
    groups
}
