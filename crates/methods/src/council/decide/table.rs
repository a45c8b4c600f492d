//! Reviewer by answer: what became of each review.

use assize_stats::standardize::Marks;

use super::evidence::{CheckedReview, Evidence};
use crate::council::ballot::{Basis, Review};
use crate::council::dimension::Dimension;
use crate::council::overall::overall;
use crate::council::settings::Settings;
use crate::council::verdict::{Cell, LeftOut};

/// `table[reviewer][answer]`; `None` where nothing was said.
pub(super) fn cells(evidence: &Evidence<'_>, settings: &Settings) -> Vec<Vec<Option<Cell>>> {
    let row = |reviews: &Vec<Option<CheckedReview>>| {
        reviews.iter().map(|review| Some(cell(review.as_ref()?, settings))).collect()
    };
    evidence.reviews.iter().map(row).collect()
}

fn cell(checked: &CheckedReview, settings: &Settings) -> Cell {
    let review = &checked.review;
    let scored = overall(review, &settings.profile);
    let problem = scored.as_ref().err().map(ToString::to_string);
    let coverage = scored.as_ref().map_or(0.0, |overall| overall.coverage);
    let (base, overall) = match scored {
        Ok(overall) => (Some(value(&overall.base)), Some(overall.capped)),
        Err(_) => (None, None),
    };
    Cell {
        overall,
        base,
        marks: review.marks.iter().map(|(dimension, mark)| (*dimension, mark.value)).collect(),
        basis: review.basis(),
        coverage,
        seat: checked.seat,
        own: checked.own,
        recused: checked.recused.clone(),
        not_counted: checked.recused.clone().or(checked.unsound.clone()).or(problem),
        stated: review.stated.as_ref().map(|mark| mark.value),
        appropriate_refusal: review.appropriate_refusal,
        vote: review.vote,
        refusal_unconfirmed: checked.refusal_unconfirmed,
        left_out: left_out(checked, settings),
        coerced: coerced(review),
        rejected: review.rejected.clone(),
        notes: review.notes.clone(),
    }
}

/// Every dimension that has a weight and is not in the sum.
fn left_out(checked: &CheckedReview, settings: &Settings) -> Vec<LeftOut> {
    let review = &checked.review;
    if review.basis() != Some(Basis::Rubric) {
        return Vec::new();
    }
    let left_out = |(dimension, _): (Dimension, f64)| {
        if review.appropriate_refusal && dimension == Dimension::Completeness {
            let confirmed = checked.refusal_confirmed.as_deref().unwrap_or("a reviewer says so");
            let because = format!("the answer rightly declines ({confirmed})");
            return Some(LeftOut { dimension, because, points: moved_by(review, settings) });
        }
        if review.mark(dimension).is_some() {
            return None;
        }
        let said = review.rejected.iter().find(|said| said.dimension == Some(dimension));
        let because = said.map_or("it has no mark".to_owned(), |said| {
            format!("what stands there is no mark: {}", said.said)
        });
        Some(LeftOut { dimension, because, points: 0.0 })
    };
    settings.profile.weights.counting().filter_map(left_out).collect()
}

/// By how much leaving out completeness moved a review.
fn moved_by(review: &Review, settings: &Settings) -> f64 {
    let base = |review: &Review| overall::<f64>(review, &settings.profile).map(|found| found.base);
    let whole = Review { appropriate_refusal: false, ..review.clone() };
    match (base(review), base(&whole)) {
        (Ok(without), Ok(with)) => without - with,
        _ => 0.0,
    }
}

fn value(explained: &assize_score::Explained) -> f64 {
    explained.value
}

fn coerced(review: &Review) -> Vec<String> {
    let marks = review.marks.iter().filter_map(|(dimension, mark)| {
        Some(format!("{dimension}: {} from “{}”", mark.value, mark.coerced_from.as_ref()?))
    });
    let stated = review.stated.iter().filter_map(|mark| {
        Some(format!("overall: {} from “{}”", mark.value, mark.coerced_from.as_ref()?))
    });
    marks.chain(stated).collect()
}

/// The numbers of the reviews that count, `[reviewer][answer]`.
#[derive(Debug, Clone)]
pub(super) struct Sheet {
    /// Overall scores under the ceiling.
    pub(super) overall: Marks,
    /// Overall scores before it.
    pub(super) base: Marks,
    pub(super) accuracy: Marks,
    /// How much each reviewer counts; empty if all count alike.
    pub(super) trust: Vec<f64>,
    /// How many answers there are.
    pub(super) answers: usize,
}

impl Sheet {
    pub(super) fn of(table: &[Vec<Option<Cell>>], answers: usize, trust: Vec<f64>) -> Self {
        Self {
            trust,
            overall: counted(table, Cell::counted),
            base: counted(table, |cell| cell.base),
            accuracy: counted(table, |cell| cell.marks.get(&Dimension::Accuracy).copied()),
            answers,
        }
    }

    /// The rows of some reviewers, one of them several times perhaps.
    pub(super) fn rows(&self, rows: &[usize]) -> Self {
        let pick = |marks: &Marks| rows.iter().map(|row| marks[*row].clone()).collect();
        Self {
            overall: pick(&self.overall),
            base: pick(&self.base),
            accuracy: pick(&self.accuracy),
            trust: rows.iter().filter_map(|row| self.trust.get(*row).copied()).collect(),
            answers: self.answers,
        }
    }
}

/// One number of each review that counts.
pub(super) fn counted(table: &[Vec<Option<Cell>>], of: impl Fn(&Cell) -> Option<f64>) -> Marks {
    let one = |cell: &Option<Cell>| {
        let cell = cell.as_ref()?;
        cell.counted()?;
        of(cell)
    };
    table.iter().map(|row| row.iter().map(one).collect()).collect()
}
