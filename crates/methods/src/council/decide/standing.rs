//! From the reviews that count to scores and ranks. Plain numbers: this is what is drawn
//! again a thousand times; the workings are made once, in `answers`.

use assize_score::rounding::half_up;
use assize_stats::additive::additive;
use assize_stats::rank::competition_ranks;
use assize_stats::standardize::{Marks, by_candidate};
use assize_stats::summary;

use super::evidence::Evidence;
use super::strengths::strengths;
use super::table::Sheet;
use crate::council::ceiling::Ceiling;
use crate::council::limits::RESAMPLES_MAX;
use crate::council::overall::PLACES;
use crate::council::settings::{Aggregation, Settings};

/// How much is cut off at each end for the trimmed mean: of five reviewers the lowest and the
/// highest. With fewer than five nobody is cut, and it is the mean.
const TRIM: f64 = 0.2;

/// Beyond this many decimals there is only noise: marks have two, and means of them are off by
/// some 1e-15. An accuracy of 6.999999999999999 is 7, and must not fall under a ceiling.
const NOISE_PLACES: u32 = 9;

/// What holds whatever the reviewers say.
#[derive(Debug, Clone)]
pub(super) struct Rules<'a> {
    ceiling: &'a Ceiling,
    /// The highest score the gate allows each answer; `None` if it passed.
    gate: Vec<Option<f64>>,
    break_ties: bool,
    /// How often to draw.
    pub(super) resamples: usize,
}

impl<'a> Rules<'a> {
    pub(super) fn new(evidence: &Evidence<'_>, settings: &'a Settings) -> Self {
        let cap = |answer| match &evidence.gate {
            Some(gate) if !evidence.passes(answer) => Some(gate.cap()),
            _ => None,
        };
        Self {
            ceiling: &settings.profile.ceiling,
            gate: (0..evidence.record.answers.len()).map(cap).collect(),
            break_ties: settings.break_ties,
            resamples: settings.resamples.min(RESAMPLES_MAX),
        }
    }

    /// The highest score an answer may have.
    fn at_most(&self, answer: usize, accuracy: Option<f64>) -> Option<f64> {
        let ceiling = accuracy.and_then(|accuracy| self.ceiling.at_most(accuracy));
        match (ceiling, self.gate[answer]) {
            (Some(ceiling), Some(gate)) => Some(ceiling.min(gate)),
            (ceiling, gate) => ceiling.or(gate),
        }
    }
}

/// Where the answers stand.
#[derive(Debug, Clone)]
pub(super) struct Standing {
    /// How the scores were taken together.
    pub(super) method: Aggregation,
    /// The level of the overall scores, before the second ceiling and the gate.
    pub(super) level: Vec<Option<f64>>,
    /// The level of the overall scores before any ceiling.
    pub(super) base: Vec<Option<f64>>,
    /// The mean accuracy as it was marked.
    pub(super) accuracy: Vec<Option<f64>>,
    /// The final scores.
    pub(super) scores: Vec<Option<f64>>,
    /// What the ranking goes by, where that is not the score.
    pub(super) strengths: Option<Vec<Option<f64>>>,
    /// Competition ranks from 1.
    pub(super) ranks: Vec<Option<usize>>,
    /// How lenient each row is; empty if leniency was not taken out.
    pub(super) leniency: Vec<f64>,
    /// Why another method was used than the one asked for.
    pub(super) fell_back: Option<String>,
}

impl Standing {
    /// The answers of rank 1.
    pub(super) fn winners(&self) -> Vec<usize> {
        (0..self.ranks.len()).filter(|answer| self.ranks[*answer] == Some(1)).collect()
    }
}

/// Where the answers stand when these reviewers count.
pub(super) fn stand(
    sheet: &Sheet,
    rows: &[usize],
    rules: &Rules<'_>,
    method: Aggregation,
) -> Standing {
    let sheet = sheet.rows(rows);
    let scale = if method.is_on_scale() { method } else { Aggregation::Additive };
    let overall = levels(&sheet.overall, &sheet, scale);
    let base = levels(&sheet.base, &sheet, scale).values;
    let accuracy = raw_means(&sheet.accuracy, sheet.answers);
    let at_most: Vec<Option<f64>> = accuracy
        .iter()
        .enumerate()
        .map(|(answer, accuracy)| rules.at_most(answer, *accuracy))
        .collect();
    let scores: Vec<Option<f64>> = overall
        .values
        .iter()
        .zip(&at_most)
        .map(|(level, at_most)| {
            let score = half_up((*level)?, PLACES);
            Some(at_most.map_or(score, |most| score.min(most)))
        })
        .collect();
    let mut fell_back = overall.fell_back;
    let mut by = scores.clone();
    let mut found = None;
    if !method.is_on_scale() {
        match strengths(&capped(&sheet.overall, &at_most), sheet.answers, method) {
            Ok(values) => {
                let rounded = |value: &Option<f64>| value.map(|value| half_up(value, NOISE_PLACES));
                by = values.iter().map(rounded).collect();
                found = Some(values);
            }
            Err(error) => fell_back = Some(format!("{method} has no answer here: {error}")),
        }
    }
    let ranks = ranks(&by, &base, &accuracy, rules);
    Standing {
        method: if fell_back.is_some() && found.is_none() { overall.method } else { method },
        level: overall.values,
        base,
        accuracy,
        scores,
        strengths: found,
        ranks,
        leniency: overall.leniency,
        fell_back,
    }
}

/// Every mark held down to what its answer may have: so ceiling and gate hold in methods that
/// only look at who is above whom.
fn capped(marks: &Marks, at_most: &[Option<f64>]) -> Marks {
    let hold = |(mark, most): (&Option<f64>, &Option<f64>)| match (mark, most) {
        (Some(mark), Some(most)) => Some(mark.min(*most)),
        (mark, _) => *mark,
    };
    marks.iter().map(|row| row.iter().zip(at_most).map(hold).collect()).collect()
}

/// Levels on the scale of the marks.
struct Levels {
    values: Vec<Option<f64>>,
    leniency: Vec<f64>,
    method: Aggregation,
    fell_back: Option<String>,
}

/// One level for each answer that anyone marked. How lenient reviewers are is told from
/// their marks before ceilings: a ceiling on one answer says nothing about other answers, and
/// so it can never raise one.
fn levels(marks: &Marks, sheet: &Sheet, method: Aggregation) -> Levels {
    let (before, answers) = (&sheet.base, sheet.answers);
    let columns = by_candidate(marks).unwrap_or_default();
    let of = |take: &dyn Fn(&[f64]) -> Option<f64>| -> Vec<Option<f64>> {
        let mut values: Vec<Option<f64>> = columns.iter().map(|column| take(column)).collect();
        values.resize(answers, None);
        values
    };
    let mean = |fell_back| Levels {
        values: less(marks, &[], &sheet.trust, answers),
        leniency: Vec::new(),
        method: Aggregation::Mean,
        fell_back,
    };
    match method {
        Aggregation::Trimmed => Levels {
            values: of(&|column| summary::trimmed_mean(column, TRIM).ok()),
            method,
            ..mean(None)
        },
        Aggregation::Mean => mean(None),
        _ => match leniency(before, answers) {
            Some(leniency) => {
                let held = |value: f64| value.clamp(1.0, 10.0);
                let values = less(marks, &leniency, &sheet.trust, answers);
                let values = values.into_iter().map(|value| value.map(held)).collect();
                Levels { values, leniency, method, fell_back: None }
            }
            None if columns.iter().all(Vec::is_empty) => Levels { method, ..mean(None) },
            None => mean(Some(
                "the reviews do not connect all answers, so the plain mean is used".to_owned(),
            )),
        },
    }
}

/// The plain mean of each answer's marks. The ceiling rests on accuracy as it was marked: with
/// leniency taken out, an author who praises others would look as if judged by harsh reviewers,
/// and lift its own ceiling.
fn raw_means(marks: &Marks, answers: usize) -> Vec<Option<f64>> {
    let mean = |answer: usize| {
        let given: Vec<f64> = marks.iter().filter_map(|row| row[answer]).collect();
        // Noise in the last digits must not decide on which side of an edge an answer falls.
        summary::mean(&given).ok().map(|mean| half_up(mean, NOISE_PLACES))
    };
    (0..answers).map(mean).collect()
}

/// How lenient each reviewer is; `None` if the reviews do not connect all answers.
pub(super) fn leniency(marks: &Marks, answers: usize) -> Option<Vec<f64>> {
    let marked: Vec<usize> =
        (0..answers).filter(|answer| marks.iter().any(|row| row[*answer].is_some())).collect();
    let dense: Marks =
        marks.iter().map(|row| marked.iter().map(|answer| row[*answer]).collect()).collect();
    Some(additive(&dense).ok()?.leniency)
}

/// The mean of each answer's marks, each less its reviewer's leniency and as heavy as its trust;
/// without either, the plain mean.
fn less(marks: &Marks, leniency: &[f64], trust: &[f64], answers: usize) -> Vec<Option<f64>> {
    let level = |answer: usize| {
        let given = marks.iter().enumerate().filter_map(|(row, marks)| {
            let mark = marks[answer]? - leniency.get(row).copied().unwrap_or(0.0);
            Some((mark, trust.get(row).copied().unwrap_or(1.0)))
        });
        let (given, weights): (Vec<f64>, Vec<f64>) = given.unzip();
        if trust.is_empty() {
            return summary::mean(&given).ok();
        }
        let total: f64 = weights.iter().sum();
        let weighted: f64 = given.iter().zip(&weights).map(|(mark, weight)| mark * weight).sum();
        (total > 0.0).then(|| weighted / total)
    };
    (0..answers).map(level).collect()
}

/// Competition ranks: those that passed the gate first, whatever their scores. Where none of
/// those can be ranked, nothing is: the best of what fails is no winner.
fn ranks(
    by: &[Option<f64>],
    base: &[Option<f64>],
    accuracy: &[Option<f64>],
    rules: &Rules<'_>,
) -> Vec<Option<usize>> {
    let mut ranks = vec![None; by.len()];
    let mut before = 0;
    for failed in [false, true] {
        if failed && before == 0 {
            break;
        }
        let group: Vec<usize> = (0..by.len())
            .filter(|answer| by[*answer].is_some() && rules.gate[*answer].is_some() == failed)
            .collect();
        let value = |values: &[Option<f64>], answer: usize, places| {
            values[answer].map_or(f64::NEG_INFINITY, |value| half_up(value, places))
        };
        let keys: Vec<[f64; 3]> = group
            .iter()
            .map(|answer| {
                let ties = [value(base, *answer, PLACES), value(accuracy, *answer, PLACES)];
                let ties = if rules.break_ties { ties } else { [0.0; 2] };
                [by[*answer].unwrap_or(0.0), ties[0], ties[1]]
            })
            .collect();
        let places = order(&keys);
        for (answer, place) in group.iter().zip(competition_ranks(&places)) {
            ranks[*answer] = Some(before + place);
        }
        before += group.len();
    }
    ranks
}

/// One number for each key that orders as the keys do.
fn order(keys: &[[f64; 3]]) -> Vec<f64> {
    let compare = |left: &[f64; 3], right: &[f64; 3]| {
        let pairs = left.iter().zip(right);
        pairs.map(|(left, right)| left.total_cmp(right)).find(|order| order.is_ne())
    };
    let below = |key: &[f64; 3]| {
        keys.iter().filter(|other| compare(other, key) == Some(std::cmp::Ordering::Less)).count()
    };
    keys.iter().map(|key| below(key) as f64).collect()
}
