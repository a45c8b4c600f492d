//! How stable the ranking is, by marks and by the overall scores that reviewers stated.

use assize_stats::correlation::kendall;
use assize_stats::summary::mean;
use serde::{Deserialize, Serialize};

use super::Case;
use crate::council::decide::decide;
use crate::council::record::{CouncilRecord, Heard};
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
        rubric.extend(case.verdict.sureness.same_winner);
        let Some(stated) = as_stated(case.record) else { continue };
        let other = decide(&stated, settings);
        holistic.extend(other.sureness.same_winner);
        if other.ranking.is_empty() || case.verdict.ranking.is_empty() {
            continue;
        }
        compared += 1;
        same_winner += usize::from(case.verdict.winners() == other.winners());
        taus.extend(tau(case.verdict, &other));
    }
    Stability {
        rubric_same_winner: mean(&rubric).ok(),
        holistic_same_winner: mean(&holistic).ok(),
        rubric_holistic_tau: mean(&taus).ok(),
        same_winner,
        compared,
    }
}

/// The record as if reviewers had given only their overall scores; `None` if hardly any did.
fn as_stated(record: &CouncilRecord) -> Option<CouncilRecord> {
    let mut record = record.clone();
    let mut stated = 0;
    for reviewer in &mut record.reviewers {
        let Heard::Ballot(ballot) = &mut reviewer.heard else { continue };
        ballot.reviews.retain(|review| review.stated.is_some());
        for review in &mut ballot.reviews {
            review.marks.clear();
        }
        stated += usize::from(!ballot.reviews.is_empty());
    }
    (stated >= 2).then_some(record)
}

fn tau(first: &CouncilVerdict, second: &CouncilVerdict) -> Option<f64> {
    let ranks = first.answers.iter().zip(&second.answers);
    let both: Vec<(f64, f64)> = ranks
        .filter_map(|(first, second)| Some((first.rank? as f64, second.rank? as f64)))
        .collect();
    let (first, second): (Vec<f64>, Vec<f64>) = both.into_iter().unzip();
    kendall(&first, &second).ok()
}
