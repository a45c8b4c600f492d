//! What is said of each reviewer.

use assize_score::rounding::half_up;
use assize_stats::correlation::kendall;
use assize_stats::summary::mean;

use super::standing::leniency;
use super::table::Sheet;
use crate::council::ballot::Basis;
use crate::council::record::{CouncilRecord, Heard, Reviewer};
use crate::council::verdict::{Cell, ReviewerVerdict};

/// A stated sum that is off by more than this is wrong, not rounded.
const MISCALCULATED: f64 = 0.05;

pub(super) fn verdicts(
    record: &CouncilRecord,
    table: &[Vec<Option<Cell>>],
    sheet: &Sheet,
) -> Vec<ReviewerVerdict> {
    let leniency = leniency(&sheet.base, sheet.answers);
    let mut verdicts = Vec::with_capacity(record.reviewers.len());
    for (row, (reviewer, cells)) in record.reviewers.iter().zip(table).enumerate() {
        let counted = cells.iter().flatten().filter(|cell| cell.counted().is_some()).count();
        let own_leniency = leniency.as_ref().and_then(|leniency| leniency.get(row).copied());
        let based = || cells.iter().flatten().filter_map(|cell| cell.basis);
        let holistic = based().filter(|basis| *basis == Basis::Holistic).count();
        let off = off_by(cells);
        let wrong = off.iter().filter(|off| **off > MISCALCULATED).count();
        verdicts.push(ReviewerVerdict {
            model: reviewer.model.clone(),
            abstained: match &reviewer.heard {
                Heard::Ballot(_) => None,
                Heard::Abstained { kind, because } => Some((*kind, because.clone())),
            },
            order: reviewer.seating.order.clone(),
            reviews_counted: counted,
            trust: sheet.trust.get(row).map(|weight| half_up(*weight, 4)),
            fallback_rate: share(holistic, based().count()),
            leniency: own_leniency.filter(|_| counted > 0),
            miscalculated_by: mean(&off).ok(),
            miscalculation_rate: share(wrong, off.len()),
            stated_ranking_tau: tau(reviewer, cells),
            repairs: reviewer.ballot().map(|ballot| ballot.repairs.clone()).unwrap_or_default(),
            truncated: reviewer.ballot().is_some_and(|ballot| ballot.truncated),
        });
    }
    verdicts
}

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// How far each stated overall score is from the sum of its own marks. The reviewer is not
/// told of the ceiling, so it is not held against it.
pub(in crate::council) fn off_by(cells: &[Option<Cell>]) -> Vec<f64> {
    let rubric = cells.iter().flatten().filter(|cell| cell.basis == Some(Basis::Rubric));
    rubric.filter_map(|cell| Some((cell.stated? - cell.base?).abs())).collect()
}

/// The stated ranking against the reviewer's own overall scores.
fn tau(reviewer: &Reviewer, cells: &[Option<Cell>]) -> Option<f64> {
    let ranks = reviewer.ballot()?.stated_ranks()?;
    let (mut stated, mut derived) = (Vec::new(), Vec::new());
    for cell in cells.iter().flatten() {
        if let (Some(rank), Some(overall)) = (ranks.get(cell.seat), &cell.overall) {
            stated.push(-rank);
            derived.push(overall.value);
        }
    }
    kendall(&stated, &derived).ok()
}
