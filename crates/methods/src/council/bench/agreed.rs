//! Weights of reviewers without anybody's preferences: from how often they agree.
//!
//! Every reviewer is right with a chance of its own, and which answer is better is not known
//! (reference: Dawid and Skene (1979), with one chance for each rater). Both are estimated in
//! turn. Reviewers that err together are taken to be right together, so this can be wrong where
//! most of them share a mistake.

use std::collections::BTreeMap;

use assize_score::float::{exp, ln};
use serde::Serialize;

use super::comparison::{Choice, Comparison};

/// Where chances begin: most reviewers are better than chance.
const BEGINNING: f64 = 0.7;
/// Rounds; further ones moved no chance by a thousandth on the recorded raters.
const ROUNDS: usize = 100;
/// A reviewer counts at least like chance, and nobody is never wrong.
const CHANCES: (f64, f64) = (0.5, 0.99);
/// Fewer comparisons, or fewer reviewers, say nothing about who errs.
const COMPARISONS_MIN: usize = 20;
const REVIEWERS_MIN: usize = 3;

/// How often each reviewer is right, as far as agreement tells.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Agreed {
    /// The chance that a reviewer is right.
    pub chances: BTreeMap<String, f64>,
    /// On how many comparisons it was estimated.
    pub count: usize,
}

impl Agreed {
    /// Chances from what reviewers said; `None` if there are too few of them or of comparisons.
    pub fn from(comparisons: &[&Comparison], reviewers: &[String]) -> Option<Self> {
        if comparisons.len() < COMPARISONS_MIN || reviewers.len() < REVIEWERS_MIN {
            return None;
        }
        let sign = |one: &Comparison, name: &String| one.preferred(name).map_or(0.0, Choice::sign);
        let rows: Vec<Vec<f64>> = comparisons
            .iter()
            .map(|one| reviewers.iter().map(|name| sign(one, name)).collect())
            .collect();
        let mut chances = vec![BEGINNING; reviewers.len()];
        for _ in 0..ROUNDS {
            let firsts: Vec<f64> = rows.iter().map(|row| first_is_better(row, &chances)).collect();
            for (place, chance) in chances.iter_mut().enumerate() {
                // One right and one wrong judgement beforehand: who said little is no oracle.
                let (mut right, mut count) = (1.0, 2.0);
                for (row, first) in rows.iter().zip(&firsts) {
                    if row[place] != 0.0 {
                        right += if row[place] > 0.0 { *first } else { 1.0 - first };
                        count += 1.0;
                    }
                }
                *chance = (right / count).clamp(CHANCES.0, CHANCES.1);
            }
        }
        let chances = reviewers.iter().cloned().zip(chances).collect();
        Some(Self { chances, count: comparisons.len() })
    }

    /// How much a mark of each reviewer counts, in log-odds.
    pub fn weights(&self) -> BTreeMap<String, f64> {
        let weight = |chance: f64| ln(chance / (1.0 - chance));
        self.chances.iter().map(|(name, chance)| (name.clone(), weight(*chance))).collect()
    }
}

/// How likely the first answer is the better one.
fn first_is_better(row: &[f64], chances: &[f64]) -> f64 {
    let odds = |(sign, chance): (&f64, &f64)| sign * ln(chance / (1.0 - chance));
    1.0 / (1.0 + exp(-row.iter().zip(chances).map(odds).sum::<f64>()))
}

#[cfg(test)]
mod tests {
    use super::super::comparison::Opinion;
    use super::*;

    /// Three reviewers that say the same of 30 comparisons, and one that contradicts them on
    /// every second.
    fn comparisons() -> Vec<Comparison> {
        let said = |first: bool| Opinion {
            choice: Some(if first { Choice::First } else { Choice::Second }),
            ..Opinion::default()
        };
        (0..30)
            .map(|place: u32| {
                let truth = place.is_multiple_of(3);
                let names = ["a", "b", "c"].map(|name| (name.to_owned(), said(truth)));
                let coin = said(truth == place.is_multiple_of(2));
                let opinions = names.into_iter().chain([("coin".to_owned(), coin)]).collect();
                Comparison { id: place.to_string(), opinions, ..Comparison::default() }
            })
            .collect()
    }

    /// By hand: three that always agree are right in (30 + 1) of (30 + 2) cases as far as can be
    /// told, the fourth in (15 + 1) of 32.
    #[test]
    fn who_agrees_is_believed_and_a_coin_is_not() {
        let all = comparisons();
        let all: Vec<&Comparison> = all.iter().collect();
        let names = ["a", "b", "c", "coin"].map(str::to_owned);
        let found = Agreed::from(&all, &names).unwrap();
        assert!((found.chances["a"] - 31.0 / 32.0).abs() < 0.001, "{found:?}");
        assert_eq!(found.chances["coin"], 0.5);
        assert_eq!(found.weights()["coin"], 0.0);
        assert!((found.weights()["a"] - ln(31.0)).abs() < 0.05, "{found:?}");
        assert_eq!(Agreed::from(&all[..19], &names), None);
        assert_eq!(Agreed::from(&all, &names[..2]), None);
    }
}
