//! How good the reviewing itself was, over one question or many.
//!
//! Everything carries its number of cases, and intervals where there are any. Below
//! [`COUNT_MIN`] cases nothing is called an effect, whatever its p value.

mod agreement;
mod harshness;
mod length;
mod own;
mod position;
mod reviewing;
mod rows;
mod stability;
mod weights;

use serde::{Deserialize, Serialize};

pub use self::agreement::{Agreement, Of};
pub use self::harshness::{Harshness, Temper};
pub use self::length::LengthEffect;
pub use self::reviewing::Reviewing;
pub use self::stability::Stability;
pub use self::weights::{Sensitivity, WeightRange};
use super::record::CouncilRecord;
use super::settings::Settings;
use super::verdict::{CouncilVerdict, Range};

/// Below so many cases nothing is called an effect.
pub const COUNT_MIN: usize = 10;

/// Two marks cannot be further apart; an interval that is wider says nothing and is left out.
const POINTS_MAX: f64 = 10.0;

/// How sure intervals are.
pub const LEVEL: f64 = 0.95;

/// One question with everything said about it.
#[derive(Debug, Clone, Copy)]
pub struct Case<'a> {
    /// What was collected.
    pub record: &'a CouncilRecord,
    /// What was decided.
    pub verdict: &'a CouncilVerdict,
}

/// How good the reviewing was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CouncilReport {
    /// How many questions.
    pub questions: usize,
    /// How many answers were reviewed.
    pub answers: usize,
    /// How many reviews there are, those that do not count included.
    pub reviews: usize,
    /// Agreement of the reviewers, for each dimension, our sums and their own overall scores.
    pub agreement: Vec<Agreement>,
    /// How stable the ranking is, by marks and by the overall scores reviewers stated.
    pub stability: Stability,
    /// What it takes for other weights to give another winner, question by question.
    pub sensitivity: Vec<Sensitivity>,
    /// Each dimension against the length of the answers.
    pub length: Vec<LengthEffect>,
    /// What a reviewer adds to its own answer.
    pub self_preference: Effect,
    /// What one place further down does to a mark.
    pub position: Effect,
    /// How far each reviewer is from the others.
    pub harshness: Vec<Harshness>,
    /// How each reviewer handled the form.
    pub reviewing: Vec<Reviewing>,
}

/// An effect, or why there is none to report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Effect {
    /// By how many points; `None` if it cannot be told.
    pub points: Option<f64>,
    /// Where it lies in 95 of 100 cases.
    pub interval: Option<Range>,
    /// Two-sided p value by Student's t.
    pub p: Option<f64>,
    /// How many reviews it comes from.
    pub count: usize,
    /// Whether it is there; `None` where too few reviews could tell.
    pub found: Option<bool>,
    /// Why it cannot be told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
}

impl Effect {
    fn unknown(count: usize, because: impl Into<String>) -> Self {
        let (points, interval, p, found) = (None, None, None, None);
        Self { points, interval, p, count, found, unknown: Some(because.into()) }
    }
}

/// Whether there is an effect: `None` where too few cases could tell.
fn found(p: f64, count: usize) -> Option<bool> {
    (count >= COUNT_MIN).then_some(p < 1.0 - LEVEL)
}

/// Everything about the reviewing of these questions.
pub fn report(cases: &[Case<'_>], settings: &Settings) -> CouncilReport {
    let rows = rows::of(cases);
    let reviewed = |case: &Case<'_>| {
        case.verdict.answers.iter().filter(|answer| answer.reviews_counted > 0).count()
    };
    CouncilReport {
        questions: cases.len(),
        answers: cases.iter().map(reviewed).sum(),
        reviews: rows.len(),
        agreement: agreement::of(cases),
        stability: stability::of(cases, settings),
        sensitivity: cases.iter().map(|case| weights::of(case.record, settings)).collect(),
        length: length::of(cases),
        self_preference: own::of(&rows),
        position: position::of(&rows),
        harshness: harshness::of(&rows),
        reviewing: reviewing::of(cases),
    }
}
