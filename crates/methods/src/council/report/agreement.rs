//! Whether reviewers agree: on each dimension, on our sums, on their own overall scores.
//!
//! Variance stands beside, since the document asks for it, and proves nothing alone: a mean of five
//! marks varies less than one mark even where nobody agrees. Own reviews are included, since
//! agreement needs tables without gaps.

use std::collections::BTreeMap;

use assize_stats::agreement::{Form, Level, intraclass, kendall_w, krippendorff_alpha};
use assize_stats::summary::{mean, variance};
use serde::{Deserialize, Serialize};

use super::{Case, LEVEL};
use crate::council::ballot::Basis;
use crate::council::dimension::Dimension;
use crate::council::verdict::{Cell, Range};

/// What reviewers may agree on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Of {
    /// The marks of a dimension.
    Dimension(Dimension),
    /// Our sum of a reviewer's marks.
    Rubric,
    /// The overall score a reviewer stated.
    Holistic,
}

/// How far reviewers agree on something.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Agreement {
    /// On what.
    pub of: Of,
    /// How many reviewers.
    pub reviewers: usize,
    /// How many answers at least two of them marked.
    pub answers: usize,
    /// The variance between the reviewers of one answer, its mean over these answers, in squared
    /// points.
    #[serde(default)]
    pub variance: Option<f64>,
    /// Krippendorff's alpha for intervals: 1 is perfect, 0 is chance.
    pub alpha: Option<f64>,
    /// ICC(2,k), over the answers that all reviewers marked.
    pub icc: Option<f64>,
    /// Where that lies.
    pub icc_interval: Option<Range>,
    /// Kendall's W, the mean over the questions: 1 is the same ranking by all.
    pub w: Option<f64>,
}

pub(super) fn of(cases: &[Case<'_>]) -> Vec<Agreement> {
    let mut found: Vec<Agreement> = Dimension::ALL
        .into_iter()
        .map(|dimension| {
            on(cases, Of::Dimension(dimension), |cell| cell.marks.get(&dimension).copied())
        })
        .collect();
    // One score for the whole is no sum of marks: it would be compared with itself.
    let summed = |cell: &Cell| cell.base.filter(|_| cell.basis == Some(Basis::Rubric));
    found.push(on(cases, Of::Rubric, summed));
    found.push(on(cases, Of::Holistic, |cell| cell.stated));
    found.retain(|agreement| agreement.answers > 0);
    found
}

fn on(cases: &[Case<'_>], of: Of, value: impl Fn(&Cell) -> Option<f64>) -> Agreement {
    // ratings[reviewer][answer], answers of all questions side by side.
    let total: usize = cases.iter().map(|case| case.verdict.answers.len()).sum();
    let mut ratings: BTreeMap<(&str, usize), Vec<Option<f64>>> = BTreeMap::new();
    let mut concordances = Vec::new();
    let mut before = 0;
    for case in cases {
        let (mut complete, mut seen) = (Vec::new(), Vec::new());
        for (reviewer, cells) in case.verdict.reviewers.iter().zip(&case.verdict.table) {
            let said: Vec<Option<f64>> =
                cells.iter().map(|cell| cell.as_ref().and_then(&value)).collect();
            if said.iter().all(Option::is_none) {
                continue;
            }
            // A model that reviews twice is two reviewers.
            let model = reviewer.model.as_str();
            let nth = seen.iter().filter(|other| **other == model).count();
            seen.push(model);
            let row = ratings.entry((model, nth)).or_insert_with(|| vec![None; total]);
            for (answer, said) in said.iter().enumerate() {
                row[before + answer] = *said;
            }
            complete.push(said);
        }
        concordances.extend(concordance(&complete));
        before += case.verdict.answers.len();
    }
    let ratings: Vec<Vec<Option<f64>>> = ratings.into_values().collect();
    let marked = |answer: &usize| ratings.iter().filter(|row| row[*answer].is_some()).count();
    let icc = intraclass(&without_gaps(&ratings, total), Form::AgreementMean, LEVEL).ok();
    Agreement {
        of,
        reviewers: ratings.len(),
        answers: (0..total).filter(|answer| marked(answer) >= 2).count(),
        variance: variance_between(&ratings, total),
        alpha: krippendorff_alpha(&ratings, Level::Interval).ok(),
        icc: icc.map(|icc| icc.value),
        icc_interval: icc
            .and_then(|icc| Range::inside(icc.interval.low, icc.interval.high, -1.0, 1.0)),
        w: mean(&concordances).ok(),
    }
}

/// Kendall's W of one question, over the answers that all its reviewers marked.
fn concordance(rows: &[Vec<Option<f64>>]) -> Option<f64> {
    let answers = rows.first()?.len();
    let shared: Vec<usize> =
        (0..answers).filter(|answer| rows.iter().all(|row| row[*answer].is_some())).collect();
    let scores: Vec<Vec<f64>> =
        rows.iter().map(|row| shared.iter().filter_map(|answer| row[*answer]).collect()).collect();
    kendall_w(&scores).ok().map(|found| found.w)
}

/// How far the reviewers of one answer are apart: the variance of their values, its mean over the
/// answers that at least two of them marked.
fn variance_between(ratings: &[Vec<Option<f64>>], answers: usize) -> Option<f64> {
    let column =
        |answer: usize| -> Vec<f64> { ratings.iter().filter_map(|row| row[answer]).collect() };
    let variances: Vec<f64> =
        (0..answers).filter_map(|answer| variance(&column(answer)).ok()).collect();
    mean(&variances).ok()
}

/// `[answer][reviewer]`, of the answers that all reviewers marked.
fn without_gaps(ratings: &[Vec<Option<f64>>], answers: usize) -> Vec<Vec<f64>> {
    let column = |answer| ratings.iter().map(|row| row[answer]).collect::<Option<Vec<f64>>>();
    (0..answers).filter_map(column).collect()
}
