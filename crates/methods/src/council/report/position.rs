//! Whether the place of an answer moves its mark.

use assize_stats::StatsError;
use assize_stats::fixed_effects::within;

use super::rows::Row;
use super::{Effect, LEVEL, POINTS_MAX, found};
use crate::council::verdict::Range;

/// Marks on place, with a level for each answer and for each reviewer. With one order for
/// all, place and answer are the same thing and nothing can be told.
pub(super) fn of(rows: &[Row]) -> Effect {
    let count = rows.len();
    let outcome: Vec<f64> = rows.iter().map(|row| row.overall).collect();
    let place: Vec<f64> = rows.iter().map(|row| row.seat as f64).collect();
    let answers: Vec<usize> = rows.iter().map(|row| row.answer).collect();
    let reviewers: Vec<usize> = rows.iter().map(|row| row.reviewer).collect();
    match within(&outcome, &place, &[&answers, &reviewers], LEVEL) {
        Err(StatsError::Constant) => {
            let because = "place cannot be told from answer and reviewer: orders must differ";
            Effect::unknown(count, because)
        }
        Err(error) => Effect::unknown(count, error.to_string()),
        Ok(fit) => Effect {
            points: Some(fit.slope),
            interval: Range::inside(fit.interval.low, fit.interval.high, -POINTS_MAX, POINTS_MAX),
            p: Some(fit.p),
            count,
            found: found(fit.p, count),
            unknown: None,
        },
    }
}
