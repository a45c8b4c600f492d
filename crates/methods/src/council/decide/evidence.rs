//! What may be believed of a record: the gate run on the texts, ballots held to their scale,
//! authors recused, refusals confirmed. Every number of a verdict comes from here, whatever
//! way the record came in.

use crate::council::authorship::Sameness;
use crate::council::ballot::{Ballot, CONTRADICTED, Mark, Review};
use crate::council::gating;
use crate::council::overall::{LOWEST, MARK_MAX, overall};
use crate::council::record::{CouncilRecord, Gating, Reviewer};
use crate::council::settings::Settings;
use crate::gate::Gate;

/// So many reviewers together may call an answer a refusal that we do not take for one.
const REFUSAL_REVIEWERS_MIN: usize = 2;

/// A record after it was checked.
#[derive(Debug)]
pub(super) struct Evidence<'a> {
    /// What was collected.
    pub(super) record: &'a CouncilRecord,
    /// What the gate says of the texts now; `None` if it is off.
    pub(super) gate: Option<Gating>,
    /// `reviews[reviewer][answer]`; `None` where nothing was said.
    pub(super) reviews: Vec<Vec<Option<CheckedReview>>>,
}

/// A review after it was checked.
#[derive(Debug, Clone)]
pub(super) struct CheckedReview {
    /// Where the answer stood, from 0.
    pub(super) seat: usize,
    /// What was said, without what is off the reviewer's scale.
    pub(super) review: Review,
    /// Whether it is the answer of the reviewer's own model.
    pub(super) own: bool,
    /// Why the reviewer may not count for this answer.
    pub(super) recused: Option<String>,
    /// Why the review cannot be believed.
    pub(super) unsound: Option<String>,
    /// Whether it calls the answer a refusal and nobody confirms that.
    pub(super) refusal_unconfirmed: bool,
    /// What confirms that the answer rightly declines, in words.
    pub(super) refusal_confirmed: Option<String>,
}

impl CheckedReview {
    /// Whether it counts for its answer: nobody recused, nothing unsound, and a score.
    fn counts(&self, settings: &Settings) -> bool {
        self.recused.is_none()
            && self.unsound.is_none()
            && overall::<f64>(&self.review, &settings.profile).is_ok()
    }
}

impl<'a> Evidence<'a> {
    pub(super) fn of(record: &'a CouncilRecord, settings: &Settings) -> Self {
        let rows = record.reviewers.iter().enumerate();
        let mut reviews: Vec<Vec<Option<CheckedReview>>> = rows
            .map(|(row, reviewer)| {
                let answers = 0..record.answers.len();
                answers.map(|answer| checked(record, settings, (row, reviewer), answer)).collect()
            })
            .collect();
        for (answer, given) in record.answers.iter().enumerate() {
            confirm_refusal(&mut reviews, settings, answer, given.text().unwrap_or_default());
        }
        Self { record, gate: gating::gated(record, settings), reviews }
    }

    /// Whether an answer passes the gate; without a gate all do.
    pub(super) fn passes(&self, answer: usize) -> bool {
        let passed = |gate: &Gating| gate.outcomes.get(answer).is_some_and(|found| found.passed);
        self.gate.as_ref().is_none_or(passed)
    }
}

fn checked(
    record: &CouncilRecord,
    settings: &Settings,
    (row, reviewer): (usize, &Reviewer),
    answer: usize,
) -> Option<CheckedReview> {
    record.answers[answer].text()?;
    let seat = reviewer.seating.seat_of(answer)?;
    let ballot = reviewer.ballot()?;
    let review = on_scale(ballot.review(seat)?, ballot);
    let authorship = record.authorship(row, answer);
    let own = authorship != Sameness::Different;
    let family = || {
        if settings.recuse.is_by_model() {
            return None;
        }
        let family = record.shared_family(row, answer)?;
        Some(format!("an answer of its own family, {family}"))
    };
    let recused = if settings.count_own {
        None
    } else {
        match authorship {
            Sameness::Same => Some("its own answer".to_owned()),
            Sameness::Doubtful(why) => Some(format!("perhaps its own answer: {why}")),
            Sameness::Different => family(),
        }
    };
    let seated_twice = reviewer.seating.order.iter().filter(|seated| **seated == answer).count();
    let unsound = if ballot.reviews.iter().filter(|review| review.seat == seat).count() > 1 {
        Some("the ballot reviews it twice".to_owned())
    } else if ballot.contradicted {
        Some(CONTRADICTED.to_owned())
    } else if seated_twice > 1 {
        Some("the reviewer was shown it twice".to_owned())
    } else {
        review.contradiction()
    };
    Some(CheckedReview {
        seat,
        review,
        own,
        recused,
        unsound,
        refusal_unconfirmed: false,
        refusal_confirmed: None,
    })
}

/// The review without marks that are off the scale: records come from files too. A scale that
/// begins at zero is one that the reviewer declared.
fn on_scale(review: &Review, ballot: &Ballot) -> Review {
    let from_zero = ballot.scale.is_some_and(|(low, _)| low == 0.0);
    let lowest = if from_zero { 0.0 } else { LOWEST };
    let is_mark = |mark: &Mark| (lowest..=MARK_MAX).contains(&mark.value);
    let mut review = review.clone();
    review.marks.retain(|_, mark| is_mark(mark));
    review.stated = review.stated.filter(is_mark);
    review
}

/// An answer counts as a refusal if we see one, or if two reviewers do whose reviews of it count:
/// otherwise any reviewer could take completeness out of an answer's score, and one whose review
/// was thrown out could still decide the winner.
fn confirm_refusal(
    reviews: &mut [Vec<Option<CheckedReview>>],
    settings: &Settings,
    answer: usize,
    text: &str,
) {
    let says_so = |cell: &&CheckedReview| cell.review.appropriate_refusal;
    let said = || reviews.iter().filter_map(|row| row[answer].as_ref()).filter(says_so);
    if said().next().is_none() {
        return;
    }
    let agreed = said().filter(|cell| cell.counts(settings)).count();
    let confirmed = if Gate::is_refusal(text) {
        Some("its text declines".to_owned())
    } else {
        (agreed >= REFUSAL_REVIEWERS_MIN).then(|| format!("{agreed} reviewers that count say so"))
    };
    let cells = reviews.iter_mut().filter_map(|row| row[answer].as_mut());
    for cell in cells.filter(|cell| cell.review.appropriate_refusal) {
        cell.refusal_unconfirmed = confirmed.is_none();
        cell.review.appropriate_refusal = confirmed.is_some();
        cell.refusal_confirmed.clone_from(&confirmed);
    }
}
