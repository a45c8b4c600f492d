//! Systems by strength, from who was preferred to whom; once as it is, once at equal length.
//!
//! Both are one logistic regression on who stands on which side. The second has the difference in
//! length beside it, squashed so that a few very long answers do not decide, and is read at a
//! difference of nothing: reviewers like long answers, whoever wrote them.
//!
//! References: Bradley & Terry (1952), Biometrika 39(3/4); Dubois et al. (2024), COLM, on length.

use std::collections::BTreeMap;

use assize_stats::logistic::{chance, ridge_logistic};
use assize_stats::resample::Generator;
use assize_stats::summary::{deviation, mean, quantile};
use serde::Serialize;

use super::agreement::{Drawing, LEVEL};
use super::comparison::{Choice, Comparison};
use crate::council::verdict::Range;

/// Keeps the strength of a system that never lost finite, and moves no other by a percent.
const PENALTY: f64 = 0.1;

/// More draws than this do not move an interval that is printed with three digits.
const DRAWS_MAX: usize = 500;

/// More systems than this are not ranked in one table.
const SYSTEMS_MAX: usize = 100;

/// Systems by strength.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Board {
    /// The systems, strongest first.
    pub systems: Vec<Standing>,
    /// What one standard deviation more words does to the log-odds of being preferred.
    pub length_effect: Option<f64>,
    /// Where that lies.
    pub length_interval: Option<Range>,
}

/// One system.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standing {
    /// Its name.
    pub system: String,
    /// In how many comparisons it stood.
    pub count: usize,
    /// The chance to be preferred to one of the others, on average.
    pub win_rate: f64,
    /// Where that lies.
    pub interval: Option<Range>,
    /// The same at equal length.
    pub at_equal_length: f64,
    /// Where that lies.
    pub at_equal_length_interval: Option<Range>,
}

/// What one fit says of every system, and of length.
struct Fit {
    raw: Vec<f64>,
    equal: Vec<f64>,
    length: f64,
}

/// The board of these choices; `None` with fewer than two systems or nothing decided.
pub(super) fn board(
    comparisons: &[Comparison],
    choices: &[Option<Choice>],
    drawing: Drawing,
) -> Option<Board> {
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut duels = Vec::new();
    let more: Vec<f64> = comparisons.iter().map(Comparison::words_more).collect();
    let spread = deviation(&more).ok().filter(|spread| *spread > 0.0).unwrap_or(1.0);
    for (comparison, choice) in comparisons.iter().zip(choices) {
        let [first, second] = &comparison.answers;
        let Some(choice) = choice else { continue };
        if first.system.is_empty() || second.system.is_empty() || first.system == second.system {
            continue;
        }
        let mut number = |name| {
            let next = numbers.len();
            *numbers.entry(name).or_insert(next)
        };
        let sides = (number(first.system.as_str()), number(second.system.as_str()));
        let longer = squashed(comparison.words_more() / spread);
        duels.push(Duel { question: &comparison.question, sides, longer, choice: *choice });
    }
    let size = numbers.len();
    if !(2..=SYSTEMS_MAX).contains(&size) {
        return None;
    }
    let all: Vec<&Duel<'_>> = duels.iter().collect();
    let whole = fit(&all, size)?;
    let drawn = draws(&duels, size, drawing);
    let range = |of: &dyn Fn(&Fit) -> f64, least: f64, most: f64| {
        let values: Vec<f64> = drawn.iter().map(of).collect();
        let low = quantile(&values, (1.0 - LEVEL) / 2.0).ok()?;
        Range::inside(low, quantile(&values, f64::midpoint(1.0, LEVEL)).ok()?, least, most)
    };
    let count = |number: usize| {
        duels.iter().filter(|duel| duel.sides.0 == number || duel.sides.1 == number).count()
    };
    let mut systems: Vec<Standing> = numbers
        .into_iter()
        .map(|(name, number)| Standing {
            system: name.to_owned(),
            count: count(number),
            win_rate: whole.raw[number],
            interval: range(&|fit| fit.raw[number], 0.0, 1.0),
            at_equal_length: whole.equal[number],
            at_equal_length_interval: range(&|fit| fit.equal[number], 0.0, 1.0),
        })
        .collect();
    systems.sort_by(|one, other| {
        other.win_rate.total_cmp(&one.win_rate).then(one.system.cmp(&other.system))
    });
    Some(Board {
        systems,
        length_effect: Some(whole.length),
        length_interval: range(&|fit| fit.length, f64::MIN, f64::MAX),
    })
}

/// The hyperbolic tangent.
fn squashed(value: f64) -> f64 {
    2.0 * chance(&[2.0 * value], &[1.0]) - 1.0
}

/// Two systems on one question.
struct Duel<'a> {
    question: &'a str,
    sides: (usize, usize),
    longer: f64,
    choice: Choice,
}

/// Fits of questions drawn whole, as many as there are.
fn draws(duels: &[Duel<'_>], size: usize, drawing: Drawing) -> Vec<Fit> {
    let mut questions: BTreeMap<&str, Vec<&Duel<'_>>> = BTreeMap::new();
    for duel in duels {
        questions.entry(duel.question).or_default().push(duel);
    }
    let questions: Vec<Vec<&Duel<'_>>> = questions.into_values().collect();
    let draw = |repetition: usize| {
        let mut generator = Generator::stream(drawing.seed, repetition as u64);
        let drawn: Vec<&Duel<'_>> = (0..questions.len())
            .flat_map(|_| questions[generator.below(questions.len())].iter().copied())
            .collect();
        fit(&drawn, size)
    };
    (0..drawing.resamples.min(DRAWS_MAX)).filter_map(draw).collect()
}

fn fit(duels: &[&Duel<'_>], size: usize) -> Option<Fit> {
    let (mut rows, mut outcome) = (Vec::new(), Vec::new());
    for duel in duels {
        let mut row = vec![0.0; size + 1];
        row[duel.sides.0] = 1.0;
        row[duel.sides.1] = -1.0;
        row[size] = duel.longer;
        // Every duel counts twice, so that a tie is one win for either side.
        let sides = match duel.choice {
            Choice::First => [true, true],
            Choice::Tie => [true, false],
            Choice::Second => [false, false],
        };
        for side in sides {
            rows.push(row.clone());
            outcome.push(side);
        }
    }
    let bare: Vec<Vec<f64>> = rows.iter().map(|row| row[..size].to_vec()).collect();
    let raw = ridge_logistic(&bare, &outcome, PENALTY).ok()?;
    let with_length = ridge_logistic(&rows, &outcome, PENALTY).ok()?;
    Some(Fit {
        raw: win_rates(&raw),
        equal: win_rates(&with_length[..size]),
        length: with_length[size],
    })
}

/// The mean chance of each to be preferred to one of the others.
fn win_rates(strengths: &[f64]) -> Vec<f64> {
    let against = |own: usize| {
        let others = (0..strengths.len()).filter(|other| *other != own);
        let chances: Vec<f64> =
            others.map(|other| chance(&[strengths[own] - strengths[other]], &[1.0])).collect();
        mean(&chances).unwrap_or(0.5)
    };
    (0..strengths.len()).map(against).collect()
}

#[cfg(test)]
mod tests {
    use super::super::comparison::Candidate;
    use super::*;

    fn comparison(number: usize, words: [usize; 2]) -> Comparison {
        let candidate = |system: &str, words: usize| Candidate {
            system: system.to_owned(),
            text: "word ".repeat(words),
        };
        Comparison {
            question: number.to_string(),
            answers: [candidate("long", words[0]), candidate("short", words[1])],
            ..Comparison::default()
        }
    }

    /// The longer answer is preferred four times of five, whoever wrote it, and `long` is longer
    /// three times of four: 24 of 30 and 2 of 10, and its wins are all length.
    #[test]
    fn what_wins_by_length_alone_is_level_at_equal_length() {
        let comparisons: Vec<Comparison> = (0..40)
            .map(|number| comparison(number, if number % 4 == 0 { [10, 90] } else { [90, 10] }))
            .collect();
        let choices: Vec<Option<Choice>> = (0..40)
            .map(|number| {
                let longer = if number % 4 == 0 { Choice::Second } else { Choice::First };
                Some(if number % 5 == 0 { longer.turned() } else { longer })
            })
            .collect();
        let drawing = Drawing { resamples: 50, seed: 1 };
        let found = board(&comparisons, &choices, drawing).unwrap();
        assert_eq!(found.systems[0].system, "long");
        // 26 of 40, drawn towards the middle a little by the penalty.
        assert!((found.systems[0].win_rate - 0.65).abs() < 0.01, "{found:?}");
        assert!((found.systems[0].at_equal_length - 0.5).abs() < 0.03, "{found:?}");
        assert!(found.length_effect.unwrap() > 1.0);
        for system in &found.systems {
            let range = system.interval.unwrap();
            assert!(range.low <= system.win_rate && system.win_rate <= range.high);
        }
        assert_eq!(board(&comparisons[..1], &[None], drawing), None);
    }
}
