//! Candidates compared on the same keys, and the rule by which one is promoted.

use assize_score::float::descending;
use assize_stats::correction::{Correction, adjust};
use assize_stats::paired::randomisation_test;
use assize_stats::{StatsError, summary};
use serde::{Deserialize, Serialize};

use super::split::Split;

/// How often signs are drawn, from which seed, and below which p value a difference counts.
const PERMUTATIONS: u64 = 10_000;
const SEED: u64 = 7;
const ALPHA: f64 = 0.05;

/// A prompt, rubric and model, with its accuracy on every key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// What tells it from all others.
    pub id: String,
    /// What it is called; for people only.
    pub name: String,
    /// `1 - |score - expected| / 100` for each key, in their order; none without a score.
    pub accuracy: Vec<Option<f64>>,
}

/// A candidate beside the one in use, on the same keys.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Which candidate; empty in decisions from before candidates had ids here.
    #[serde(default)]
    pub id: String,
    /// What it is called.
    pub name: String,
    /// How many keys both scored.
    pub count: usize,
    /// How many keys the candidate left unscored.
    pub unscored: usize,
    /// Its mean accuracy on the keys that both scored; none if there are none.
    pub mean: Option<f64>,
    /// Its mean accuracy less that of the one in use, on the same keys.
    pub difference: Option<f64>,
    /// Two-sided p value of the difference, corrected for the number of candidates (Holm).
    pub p: Option<f64>,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// Every candidate on the keys to tune on, best first.
    pub tune: Vec<Comparison>,
    /// The best of them on the keys that decide; none if no candidate was better while tuning.
    pub hold_out: Option<Comparison>,
    /// The id of the candidate to promote; none if the one in use stays.
    #[serde(default)]
    pub promoted_id: Option<String>,
    /// What it is called.
    pub promoted: Option<String>,
    /// Why, in words.
    pub because: String,
}

/// Chooses the best candidate on the keys to tune on, and promotes it only if it is also better
/// on those held out, by more than chance, and leaves no more of them unscored.
pub fn decide(in_use: &Candidate, candidates: &[Candidate], split: &Split) -> Decision {
    let mut tune: Vec<Comparison> =
        candidates.iter().map(|candidate| compare(in_use, candidate, &split.tune)).collect();
    let p: Vec<f64> = tune.iter().map(|found| found.p.unwrap_or(1.0)).collect();
    if let Ok(adjusted) = adjust(Correction::Holm, &p) {
        for (found, adjusted) in tune.iter_mut().zip(adjusted) {
            found.p = found.p.map(|_| adjusted);
        }
    }
    tune.sort_by(|left, right| {
        let gain = |found: &Comparison| found.difference.unwrap_or(f64::NEG_INFINITY);
        descending(gain(left), gain(right)).then_with(|| left.name.cmp(&right.name))
    });
    let best = tune.first().filter(|best| best.difference.is_some_and(|gain| gain > 0.0));
    let chosen = best.and_then(|best| candidates.iter().find(|other| other.id == best.id));
    let Some(chosen) = chosen else {
        let because = "no candidate is better on the tuning keys".to_owned();
        return Decision { tune, hold_out: None, promoted_id: None, promoted: None, because };
    };
    let hold_out = compare(in_use, chosen, &split.hold_out);
    let (is_better, because) = verdict(in_use, &hold_out, split);
    let promoted_id = is_better.then(|| chosen.id.clone());
    let promoted = is_better.then(|| chosen.name.clone());
    Decision { tune, hold_out: Some(hold_out), promoted_id, promoted, because }
}

fn compare(in_use: &Candidate, candidate: &Candidate, keys: &[usize]) -> Comparison {
    let at = |candidate: &Candidate, key: usize| candidate.accuracy.get(key).copied().flatten();
    let both = |key: &usize| Some((at(candidate, *key)?, at(in_use, *key)?));
    let (own, other): (Vec<f64>, Vec<f64>) = keys.iter().filter_map(both).unzip();
    let mean = summary::mean(&own).ok();
    let test = randomisation_test(&own, &other, PERMUTATIONS, SEED);
    Comparison {
        id: candidate.id.clone(),
        name: candidate.name.clone(),
        count: own.len(),
        unscored: unscored(candidate, keys),
        mean,
        difference: mean.and_then(|mean| Some(mean - summary::mean(&other).ok()?)),
        p: match test {
            Ok(test) => Some(test.p),
            Err(StatsError::NoDifference) => Some(1.0),
            Err(_) => None,
        },
    }
}

fn unscored(candidate: &Candidate, keys: &[usize]) -> usize {
    let has_none = |key: &&usize| candidate.accuracy.get(**key).copied().flatten().is_none();
    keys.iter().filter(has_none).count()
}

fn verdict(in_use: &Candidate, found: &Comparison, split: &Split) -> (bool, String) {
    let before = unscored(in_use, &split.hold_out);
    let (name, lost) = (&found.name, found.unscored);
    match (found.difference, found.p) {
        (Some(gain), Some(p)) if gain > 0.0 && p <= ALPHA && lost <= before => {
            (true, format!("{name} is better by {gain:.3} on the held-out keys (p {p:.3})"))
        }
        (Some(gain), Some(p)) if gain > 0.0 && p <= ALPHA => (
            false,
            format!("{name} leaves {lost} keys unscored, the current configuration {before}"),
        ),
        (Some(gain), Some(p)) if gain > 0.0 => (
            false,
            format!(
                "{name} is better by {gain:.3} on the held-out keys, which is not significant (p \
                 {p:.3})"
            ),
        ),
        (Some(_), Some(_)) => (false, format!("{name} is not better on the held-out keys")),
        _ => (false, "too few held-out keys to compare".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compliance::optimize::split::SplitBy;

    fn halves(count: usize) -> Split {
        let (tune, hold_out) = ((0..count / 2).collect(), (count / 2..count).collect());
        Split { by: SplitBy::Key, tune, hold_out }
    }

    fn candidate(name: &str, accuracy: impl Fn(usize) -> Option<f64>) -> Candidate {
        let id = format!("id of {name}");
        Candidate { id, name: name.to_owned(), accuracy: (0..40).map(accuracy).collect() }
    }

    fn in_use() -> Candidate {
        candidate("now", |key| Some(0.6 + f64::from(u8::from(key % 2 == 0)) * 0.1))
    }

    #[test]
    fn a_candidate_that_is_better_on_both_halves_is_promoted() {
        let better = candidate("b", |key| Some(0.75 + f64::from(u8::from(key % 3 == 0)) * 0.05));
        let worse = candidate("a", |_| Some(0.5));
        let found = decide(&in_use(), &[worse, better], &halves(40));
        assert_eq!(found.promoted.as_deref(), Some("b"), "{}", found.because);
        assert_eq!(found.promoted_id.as_deref(), Some("id of b"));
        assert_eq!(found.tune[0].name, "b");
        assert_eq!(found.hold_out.unwrap().count, 20);
    }

    #[test]
    fn of_two_with_one_name_the_better_one_is_promoted() {
        let mut worse = candidate("b", |_| Some(0.5));
        worse.id = "another".to_owned();
        let better = candidate("b", |key| Some(0.75 + f64::from(u8::from(key % 3 == 0)) * 0.05));
        let found = decide(&in_use(), &[worse, better], &halves(40));
        assert_eq!(found.promoted_id.as_deref(), Some("id of b"), "{}", found.because);
    }

    #[test]
    fn one_that_is_better_only_where_it_was_tuned_stays_out() {
        let fitted = candidate("b", |key| Some(if key < 20 { 0.95 } else { 0.6 }));
        let found = decide(&in_use(), &[fitted], &halves(40));
        assert_eq!(found.promoted, None);
        assert_eq!(found.because, "b is not better on the held-out keys");
    }

    #[test]
    fn a_gain_that_may_be_chance_is_not_enough() {
        let lucky = candidate("b", |key| {
            Some(match key {
                0..20 => 0.95,
                20 => 1.0,
                _ => 0.6 + f64::from(u8::from(key % 2 == 0)) * 0.1,
            })
        });
        let found = decide(&in_use(), &[lucky], &halves(40));
        assert_eq!(found.promoted, None);
        assert!(found.because.contains("which is not significant"), "{}", found.because);
    }

    #[test]
    fn answering_only_the_easy_ones_wins_nothing() {
        let shy = candidate("b", |key| (key % 4 != 0).then_some(0.95));
        let found = decide(&in_use(), &[shy], &halves(40));
        assert_eq!(found.promoted, None);
        assert_eq!(found.because, "b leaves 5 keys unscored, the current configuration 0");
    }

    #[test]
    fn without_a_better_one_nothing_is_looked_up_on_the_keys_held_out() {
        let found = decide(&in_use(), &[candidate("a", |_| Some(0.1))], &halves(40));
        assert_eq!((found.hold_out, found.promoted), (None, None));
        let found = decide(&in_use(), &[], &halves(40));
        assert!(found.tune.is_empty());
    }
}
