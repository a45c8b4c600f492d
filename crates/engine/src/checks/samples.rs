//! Several samples of one judge: their mean, how far they lie apart, and how often all pass.

use assize_wire::check::{Samples, Spread};

use crate::runs::repeats::flip_chance;
use crate::thresholds::{Figure, Figures, Relation, Requirement, Rule, is_met};

/// The samples as one: every item's mean, and the mean of the means.
pub(super) fn combined(samples: &[Figures]) -> Figures {
    let Some(first) = samples.first() else { return Figures::default() };
    let means = first.means.iter().map(|(name, _)| {
        let values: Option<Vec<f64>> =
            samples.iter().map(|sample| sample.mean(name).flatten()).collect();
        (name.clone(), values.and_then(|values| mean(&values)))
    });
    let item = |(place, (name, values)): (usize, &(String, Vec<Option<f64>>))| {
        let of_measure = |measure: usize| {
            let values = samples.iter().map(|sample| *sample.items.get(place)?.1.get(measure)?);
            values.collect::<Option<Vec<f64>>>().and_then(|values| mean(&values))
        };
        (name.clone(), (0..values.len()).map(of_measure).collect())
    };
    Figures {
        means: means.collect(),
        items: first.items.iter().enumerate().map(item).collect(),
        count: first.count,
        // The worst sample counts: what has no score once has none that can be relied on.
        unscored: samples.iter().map(|sample| sample.unscored).max().unwrap_or(0),
    }
}

/// How far they lie apart; `passed` says of each whether everything required holds in it.
pub(super) fn spread(samples: &[Figures], passed: &[bool]) -> Samples {
    let good = passed.iter().filter(|passed| **passed).count();
    let names = samples.first().map(Figures::names).unwrap_or_default();
    let of = |name: &str| {
        let values: Option<Vec<f64>> =
            samples.iter().map(|sample| sample.mean(name).flatten()).collect();
        let values = values.filter(|values| !values.is_empty())?;
        let mean = mean(&values)?;
        let deviation = assize_stats::summary::deviation(&values).unwrap_or(0.0);
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Some((name.to_owned(), Spread { mean, deviation, low, high }))
    };
    Samples {
        count: samples.len(),
        passed: good,
        pass_power: (1..=samples.len()).map(|k| pass_power(good, samples.len(), k)).collect(),
        spread: names.into_iter().filter_map(of).collect(),
    }
}

/// What the chance that a verdict flips is called in a requirement.
pub(super) const FLIPS: &str = "flips";

/// The chance that two samples of an item disagree about whether it meets the bounds of the check;
/// none where no requirement bounds a measure.
pub(super) fn flips(samples: &[Figures], requirements: &[Requirement]) -> Option<f64> {
    let names = samples.first()?.names();
    let bounds: Vec<(usize, Relation, f64)> = requirements
        .iter()
        .filter_map(|one| match (&one.figure, one.rule) {
            (Figure::Mean(measure), Rule::Bound(relation, bound)) => {
                let at = names.iter().position(|name| name == measure)?;
                Some((at, relation, bound))
            }
            _ => None,
        })
        .collect();
    if bounds.is_empty() {
        return None;
    }
    let verdict = |values: &[Option<f64>]| -> Vec<Option<bool>> {
        let met = |(at, relation, bound): &(usize, Relation, f64)| {
            values.get(*at).copied().flatten().map(|value| is_met(value, *relation, *bound))
        };
        bounds.iter().map(met).collect()
    };
    let chance = |place: usize| {
        let said = samples.iter().filter_map(|one| Some(verdict(&one.items.get(place)?.1)));
        flip_chance(&said.collect::<Vec<_>>())
    };
    let chances: Vec<f64> = (0..samples[0].items.len()).filter_map(chance).collect();
    mean(&chances)
}

/// What pass^k is called in a requirement.
pub(super) fn name(k: usize) -> String {
    format!("pass^{k}")
}

/// Whether a measure is such a name.
pub(super) fn is_name(measure: &str) -> bool {
    measure == FLIPS || measure.strip_prefix("pass^").is_some_and(|k| k.parse::<usize>().is_ok())
}

/// The chance that k samples drawn from these all pass: the ways to draw k of those that pass,
/// over the ways to draw k at all.
fn pass_power(passed: usize, all: usize, k: usize) -> f64 {
    (0..k).map(|drawn| passed.saturating_sub(drawn) as f64 / (all - drawn) as f64).product()
}

fn mean(values: &[f64]) -> Option<f64> {
    assize_stats::summary::mean(values).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(values: &[Option<f64>]) -> Figures {
        let scored: Vec<f64> = values.iter().flatten().copied().collect();
        Figures {
            means: vec![("coverage".to_owned(), mean(&scored))],
            items: values.iter().map(|value| ("x".to_owned(), vec![*value])).collect(),
            count: values.len(),
            unscored: values.len() - scored.len(),
        }
    }

    #[test]
    fn items_and_means_are_averaged_and_the_worst_gap_counts() {
        let samples = [sample(&[Some(4.0), Some(8.0)]), sample(&[Some(6.0), None])];
        let one = combined(&samples);
        assert_eq!(one.mean("coverage"), Some(Some(6.0)));
        assert_eq!(one.items[0].1, [Some(5.0)]);
        assert_eq!(one.items[1].1, [None]);
        assert_eq!((one.count, one.unscored), (2, 1));
    }

    /// Means 5, 6 and 10: mean 7, deviation the root of (4 + 1 + 9) / 2.
    #[test]
    fn the_spread_is_that_of_the_means() {
        let samples = [5.0, 6.0, 10.0].map(|value| sample(&[Some(value)]));
        let found = spread(&samples, &[true, true, false]);
        let coverage = found.spread.get("coverage").unwrap();
        assert_eq!((coverage.mean, coverage.low, coverage.high), (7.0, 5.0, 10.0));
        assert!((coverage.deviation - 7.0_f64.sqrt()).abs() < 1e-12);
        assert_eq!((found.count, found.passed), (3, 2));
    }

    /// Against `>= 5` the first item is met, met, missed: two of three pairs differ; the second
    /// never differs.
    #[test]
    fn a_verdict_flips_where_samples_lie_on_both_sides_of_a_bound() {
        let samples = [[6.0, 1.0], [5.0, 2.0], [4.0, 3.0]].map(|values| sample(&values.map(Some)));
        let bound: Requirement = "coverage >= 5".parse().unwrap();
        let found = flips(&samples, &[bound]).unwrap();
        assert!((found - 1.0 / 3.0).abs() < 1e-12, "{found}");
        assert_eq!(flips(&samples, &["unscored <= 0".parse().unwrap()]), None);
    }

    /// Two of three pass: one draw passes 2 in 3 times, two draws 1 in 3, three never.
    #[test]
    fn pass_power_counts_draws_without_putting_back() {
        let found =
            spread(&[1.0, 1.0, 1.0].map(|value| sample(&[Some(value)])), &[true, false, true]);
        let expected = [2.0 / 3.0, 1.0 / 3.0, 0.0];
        for (found, expected) in found.pass_power.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        assert!(is_name("pass^3") && !is_name("pass^k") && !is_name("pass"));
    }
}
