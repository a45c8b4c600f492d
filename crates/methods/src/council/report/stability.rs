//! How stable the ranking is, by marks and by the overall scores that reviewers stated.

use assize_stats::correlation::kendall;
use assize_stats::summary::mean;
use serde::{Deserialize, Serialize};

use super::Case;
use crate::council::ballot::Basis;
use crate::council::decide::decide;
use crate::council::record::{CouncilRecord, Heard, Reviewer};
use crate::council::settings::Settings;
use crate::council::verdict::CouncilVerdict;

/// How stable the ranking is. Shares and means are over the questions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stability {
    /// In which share of the draws of reviewers the same answer wins, by marks.
    pub rubric_same_winner: Option<f64>,
    /// The same by the overall scores that reviewers stated.
    pub holistic_same_winner: Option<f64>,
    /// How alike both rankings are: Kendall's tau.
    pub rubric_holistic_tau: Option<f64>,
    /// On how many questions both have the same winner.
    pub same_winner: usize,
    /// On how many questions both could be ranked.
    pub compared: usize,
}

pub(super) fn of(cases: &[Case<'_>], settings: &Settings) -> Stability {
    let (mut rubric, mut holistic, mut taus) = (Vec::new(), Vec::new(), Vec::new());
    let (mut same_winner, mut compared) = (0, 0);
    for case in cases {
        let mut cells = case.verdict.table.iter().flatten().flatten();
        if cells.any(|cell| cell.basis == Some(Basis::Rubric)) {
            rubric.extend(case.verdict.uncertainty.same_winner);
        }
        let Some((marked, stated)) = both_ways(case.record) else { continue };
        let (one, other) = (decide(&marked, settings), decide(&stated, settings));
        holistic.extend(other.uncertainty.same_winner);
        if one.ranking.is_empty() || other.ranking.is_empty() {
            continue;
        }
        compared += 1;
        same_winner += usize::from(one.winners() == other.winners());
        taus.extend(tau(&one, &other));
    }
    Stability {
        rubric_same_winner: mean(&rubric).ok(),
        holistic_same_winner: mean(&holistic).ok(),
        rubric_holistic_tau: mean(&taus).ok(),
        same_winner,
        compared,
    }
}

/// The record by marks alone, and by overall scores alone, of the reviews that have both: a
/// review with one score for the whole would be compared with itself. `None` if hardly any has.
fn both_ways(record: &CouncilRecord) -> Option<(CouncilRecord, CouncilRecord)> {
    let mut marked = record.clone();
    let mut reviewers = 0;
    for reviewer in &mut marked.reviewers {
        independent(reviewer);
        let Heard::Ballot(ballot) = &mut reviewer.heard else { continue };
        ballot.reviews.retain(|review| review.stated.is_some() && !review.marks.is_empty());
        reviewers += usize::from(!ballot.reviews.is_empty());
    }
    let mut stated = marked.clone();
    for reviewer in &mut stated.reviewers {
        let Heard::Ballot(ballot) = &mut reviewer.heard else { continue };
        ballot.reviews.iter_mut().for_each(|review| review.marks.clear());
    }
    (reviewers >= 2).then_some((marked, stated))
}

/// Puts the scores that were asked for on their own in place of those stated beside the marks.
fn independent(reviewer: &mut Reviewer) {
    let Some(Heard::Ballot(asked)) = reviewer.holistic.take() else { return };
    let Heard::Ballot(ballot) = &mut reviewer.heard else { return };
    for review in &mut ballot.reviews {
        review.stated = asked.review(review.seat).and_then(|own| own.stated.clone());
    }
}

fn tau(first: &CouncilVerdict, second: &CouncilVerdict) -> Option<f64> {
    let ranks = first.answers.iter().zip(&second.answers);
    let both: Vec<(f64, f64)> = ranks
        .filter_map(|(first, second)| Some((first.rank? as f64, second.rank? as f64)))
        .collect();
    let (first, second): (Vec<f64>, Vec<f64>) = both.into_iter().unzip();
    kendall(&first, &second).ok()
}
