//! One line for each judge: error, tier match and rank correlation, with intervals.

use std::collections::BTreeMap;

use assize_methods::compliance::Rubric;
use assize_stats::correlation::spearman;
use assize_stats::interval::cluster_bootstrap;

const RESAMPLES: usize = 2000;
const LEVEL: f64 = 0.95;
const SEED: u64 = 42;

/// What people expect, and which pairs belong to one policy.
pub(crate) struct Table<'e> {
    expected: &'e [f64],
    /// The pairs of each policy, by index: they are no independent evidence.
    policies: Vec<Vec<usize>>,
}

impl<'e> Table<'e> {
    /// The names of the columns.
    pub(crate) const HEAD: &'static str =
        "                           MAE  interval      tier match  interval      Spearman";

    pub(crate) fn of<'p>(policies: impl Iterator<Item = &'p str>, expected: &'e [f64]) -> Self {
        let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, policy) in policies.enumerate() {
            groups.entry(policy).or_default().push(index);
        }
        Self { expected, policies: groups.into_values().collect() }
    }

    /// The figures of one judge.
    pub(crate) fn line(&self, name: &str, found: &[f64]) -> String {
        let tier = |score: f64| Rubric::default().status(score).tier;
        let pairs = || found.iter().zip(self.expected);
        let errors: Vec<f64> = pairs().map(|(found, expected)| (found - expected).abs()).collect();
        let same: Vec<f64> = pairs()
            .map(|(found, expected)| f64::from(u8::from(tier(*found) == tier(*expected))))
            .collect();
        let (error, within) = self.mean(&errors, 1);
        let (same, same_within) = self.mean(&same, 3);
        let rank = spearman(found, self.expected);
        let rank = rank.map_or("–".to_owned(), |rank| format!("{rank:.3}"));
        format!("  {name:<22} {error:>5}  {within:<14} {same:>9}  {same_within:<14} {rank:>7}")
    }

    fn mean(&self, values: &[f64], decimals: usize) -> (String, String) {
        let mean = |drawn: &[usize]| {
            Some(drawn.iter().map(|index| values[*index]).sum::<f64>() / drawn.len() as f64)
        };
        match cluster_bootstrap(&self.policies, RESAMPLES, LEVEL, SEED, mean) {
            Ok(found) => (
                format!("{:.decimals$}", found.estimate),
                format!("{:.decimals$}–{:.decimals$}", found.interval.low, found.interval.high),
            ),
            Err(_) => ("–".to_owned(), String::new()),
        }
    }
}
