//! What a reviewer adds to its own answer.

use assize_stats::StatsError;
use assize_stats::fixed_effects::within;

use super::rows::Row;
use super::{Effect, LEVEL, POINTS_MAX, found};
use crate::council::verdict::Range;

/// Marks on whether the answer is the reviewer's own, with a level for each answer and for
/// each reviewer: neither good answers nor lenient reviewers pass for vanity.
pub(super) fn of(rows: &[Row]) -> Effect {
    let own = rows.iter().filter(|row| row.own).count();
    if own == 0 {
        return Effect::unknown(0, "no reviewer marked its own answer");
    }
    let outcome: Vec<f64> = rows.iter().map(|row| row.overall).collect();
    let is_own: Vec<f64> = rows.iter().map(|row| f64::from(u8::from(row.own))).collect();
    let answers: Vec<usize> = rows.iter().map(|row| row.answer).collect();
    let reviewers: Vec<usize> = rows.iter().map(|row| row.reviewer).collect();
    match within(&outcome, &is_own, &[&answers, &reviewers], LEVEL) {
        Err(StatsError::Constant) => Effect::unknown(own, "own answers cannot be told apart"),
        Err(error) => Effect::unknown(own, error.to_string()),
        Ok(fit) => Effect {
            points: Some(fit.slope),
            interval: Range::inside(fit.interval.low, fit.interval.high, -POINTS_MAX, POINTS_MAX),
            p: Some(fit.p),
            count: own,
            found: found(fit.p, own),
            unknown: None,
        },
    }
}
