//! All reviews that have an overall score, in one list.

use std::collections::BTreeMap;

use super::Case;

/// One review.
#[derive(Debug, Clone)]
pub(super) struct Row {
    /// Which answer of which question, counted through.
    pub(super) answer: usize,
    /// Which reviewer, counted through by name.
    pub(super) reviewer: usize,
    /// The reviewer's name.
    pub(super) model: String,
    /// Where the answer stood, from 0.
    pub(super) seat: usize,
    /// Whether it is the reviewer's own.
    pub(super) own: bool,
    /// The overall score before ceilings.
    pub(super) overall: f64,
}

/// The reviews of all questions, own ones included.
pub(super) fn of(cases: &[Case<'_>]) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut reviewers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut before = 0;
    for case in cases {
        for (reviewer, cells) in case.verdict.reviewers.iter().zip(&case.verdict.table) {
            let next = reviewers.len();
            let number = *reviewers.entry(&reviewer.model).or_insert(next);
            for (answer, cell) in cells.iter().enumerate() {
                let Some(cell) = cell else { continue };
                let Some(overall) = cell.base else { continue };
                rows.push(Row {
                    answer: before + answer,
                    reviewer: number,
                    model: reviewer.model.clone(),
                    seat: cell.seat,
                    own: cell.own,
                    overall,
                });
            }
        }
        before += case.verdict.answers.len();
    }
    rows
}
