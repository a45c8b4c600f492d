//! Weights of reviewers without anybody's preferences: from how often they agree.
//!
//! Every reviewer is right with a chance of its own, and which answer is better is not known
//! (reference: Dawid and Skene (1979), with one chance for each rater). Both are estimated in
//! turn. Reviewers that err together are taken to be right together, so where pairs of them agree
//! in ways that chances of their own do not explain, nothing is concluded: all count alike.

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

/// How far pairs may agree otherwise than expected, in standard errors (root mean square; about 1
/// where reviewers err independently).
const MISFIT_MAX: f64 = 2.0;

/// How often each reviewer is right, as far as agreement tells.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Agreed {
    /// The chance that a reviewer is right.
    pub chances: BTreeMap<String, f64>,
    /// On how many comparisons it was estimated.
    pub count: usize,
    /// How far pairs of reviewers agree otherwise than these chances explain, in standard errors.
    pub misfit: f64,
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
        let misfit = misfit(&rows, &chances);
        let chances = reviewers.iter().cloned().zip(chances).collect();
        Some(Self { chances, count: comparisons.len(), misfit })
    }

    /// Whether chances explain who agrees with whom. Otherwise they say nothing about who is right.
    pub fn is_explained(&self) -> bool {
        self.misfit <= MISFIT_MAX
    }

    /// How much a mark of each reviewer counts, in log-odds; the same for all where the chances do
    /// not explain the agreement.
    pub fn weights(&self) -> BTreeMap<String, f64> {
        let is_explained = self.is_explained();
        let weight = |chance: f64| if is_explained { ln(chance / (1.0 - chance)) } else { 1.0 };
        self.chances.iter().map(|(name, chance)| (name.clone(), weight(*chance))).collect()
    }
}

/// How far pairs agree otherwise than two independent chances of being right would have them.
fn misfit(rows: &[Vec<f64>], chances: &[f64]) -> f64 {
    let mut squares = Vec::new();
    for first in 0..chances.len() {
        for second in first + 1..chances.len() {
            let both = rows.iter().filter(|row| row[first] != 0.0 && row[second] != 0.0);
            let (same, count) = both.fold((0.0, 0.0), |(same, count), row| {
                (same + f64::from(u8::from(row[first] == row[second])), count + 1.0)
            });
            if count < COMPARISONS_MIN as f64 {
                continue;
            }
            let (one, other) = (chances[first], chances[second]);
            let expected = one * other + (1.0 - one) * (1.0 - other);
            let error = same / count - expected;
            squares.push(error * error * count / (expected * (1.0 - expected)));
        }
    }
    if squares.is_empty() {
        0.0
    } else {
        (squares.iter().sum::<f64>() / squares.len() as f64).sqrt()
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
        // Pairs of the three agree in 1 instead of 0.94 of 30: 1.4 standard errors; the others as
        // expected. The root of 3 * 1.4^2 / 6.
        assert!((found.misfit - 0.98).abs() < 0.05 && found.is_explained(), "{found:?}");
        assert_eq!(Agreed::from(&all[..19], &names), None);
        assert_eq!(Agreed::from(&all, &names[..2]), None);
    }

    /// Two couples, each of one mind, that agree with each other by halves. By hand: each is right
    /// with a chance of 0.73, so a couple should agree in 0.60 of 40 cases and agrees in all, which is
    /// 5.1 standard errors; reviewers of different couples should in 0.60 and do in 0.5, 1.3.
    #[test]
    fn who_copies_another_is_no_second_witness() {
        let said = |first: bool| Opinion {
            choice: Some(if first { Choice::First } else { Choice::Second }),
            ..Opinion::default()
        };
        let all: Vec<Comparison> = (0..40)
            .map(|place: u32| {
                let (one, other) = (place.is_multiple_of(2), place % 4 < 2);
                let opinions = [("a", one), ("b", one), ("c", other), ("d", other)];
                let opinions = opinions.map(|(name, first)| (name.to_owned(), said(first)));
                Comparison {
                    id: place.to_string(),
                    opinions: opinions.into(),
                    ..Comparison::default()
                }
            })
            .collect();
        let all: Vec<&Comparison> = all.iter().collect();
        let found = Agreed::from(&all, &["a", "b", "c", "d"].map(str::to_owned)).unwrap();
        // The root of (2 * 5.1^2 + 4 * 1.3^2) / 6.
        assert!((found.misfit - 3.1).abs() < 0.1, "{found:?}");
        assert!(!found.is_explained());
        assert!(found.weights().values().all(|weight| *weight == 1.0), "{found:?}");
    }
}
