//! How far a reviewer is from the others who marked the same answers.

use std::collections::BTreeMap;

use assize_stats::interval::t_interval;
use assize_stats::summary::{deviation, mean};
use serde::{Deserialize, Serialize};

use super::rows::Row;
use super::{COUNT_MIN, LEVEL, POINTS_MAX};
use crate::council::verdict::Range;

/// Less than half a point is no reason to speak of harshness.
const POINTS_MIN: f64 = 0.5;

/// How far a reviewer is from the others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Harshness {
    /// Who.
    pub model: String,
    /// How many points above the others it marks; below zero is harsh.
    pub points: f64,
    /// Where that lies in 95 of 100 cases.
    pub interval: Option<Range>,
    /// The same in standard deviations of the differences; 0.2 is small, 0.8 large.
    pub effect_size: Option<f64>,
    /// How many answers it shares with others.
    pub count: usize,
    /// What it is, if anything; `None` where too few answers could tell.
    pub verdict: Option<Temper>,
}

/// What a reviewer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Temper {
    /// Well below the others.
    Harsh,
    /// Neither.
    Ordinary,
    /// Well above the others.
    Generous,
}

/// The reviewers by name. Own reviews are left out: vanity is reported apart.
pub(super) fn of(rows: &[Row]) -> Vec<Harshness> {
    let mut answers: BTreeMap<usize, Vec<&Row>> = BTreeMap::new();
    for row in rows.iter().filter(|row| !row.own) {
        answers.entry(row.answer).or_default().push(row);
    }
    let mut differences: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for reviews in answers.values().filter(|reviews| reviews.len() > 1) {
        let total: f64 = reviews.iter().map(|row| row.overall).sum();
        for row in reviews {
            let others = (total - row.overall) / (reviews.len() as f64 - 1.0);
            differences.entry(&row.model).or_default().push(row.overall - others);
        }
    }
    let judge = |(model, differences): (&str, Vec<f64>)| {
        let points = mean(&differences).unwrap_or_default();
        let spread = deviation(&differences).ok().filter(|spread| *spread > 0.0);
        let interval = t_interval(&differences, LEVEL).ok();
        let interval = interval
            .and_then(|found| Range::inside(found.low, found.high, -POINTS_MAX, POINTS_MAX));
        Harshness {
            model: model.to_owned(),
            points,
            interval,
            effect_size: spread.map(|spread| points / spread),
            count: differences.len(),
            verdict: (differences.len() >= COUNT_MIN).then(|| temper(points, interval)),
        }
    };
    differences.into_iter().map(judge).collect()
}

/// Harsh or generous only if the whole interval lies on one side, and by enough to matter.
fn temper(points: f64, interval: Option<Range>) -> Temper {
    match interval {
        Some(range) if range.high < 0.0 && points <= -POINTS_MIN => Temper::Harsh,
        Some(range) if range.low > 0.0 && points >= POINTS_MIN => Temper::Generous,
        _ => Temper::Ordinary,
    }
}
