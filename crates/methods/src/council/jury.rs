//! A jury: reviewers also say yes or no to one question about each answer, and a majority decides.
//!
//! Votes stand in the ballots, so they are read, recused, revised and verified with them. A vote
//! counts where the review counts.

use assize_score::rounding::half_up;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::verdict::{Cell, CouncilVerdict};

/// One vote is an opinion.
const VOTES_MIN: usize = 2;

/// Shares are compared as they are written: two of three are 0.67.
const PLACES: u32 = 2;

/// What jurors are asked, and how many of them decide.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "WrittenJury")]
pub struct Jury {
    /// The question to be answered with yes or no about each answer.
    pub question: String,
    majority: f64,
}

#[derive(Deserialize)]
struct WrittenJury {
    question: String,
    majority: f64,
}

/// A jury that cannot decide.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum JuryError {
    /// Nothing is asked.
    #[error("the question for the jury is empty")]
    NoQuestion,
    /// Both sides could have such a majority, or nobody.
    #[error("a majority of {0}; it must be from 0.5 (more than half) to 1 (unanimous)")]
    Majority(f64),
}

/// What a jury decided about each answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JuryVerdict {
    /// The question and the majority.
    pub jury: Jury,
    /// In the order of the record.
    pub answers: Vec<AnswerJury>,
}

/// What a jury decided about one answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnswerJury {
    /// What was decided.
    pub decision: Decision,
    /// How many votes for yes count.
    pub yes: usize,
    /// How many votes for no count.
    pub no: usize,
    /// Every vote that counts, in the order of the reviewers.
    pub votes: Vec<Vote>,
}

/// One juror's vote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vote {
    /// The number of the reviewer.
    pub reviewer: usize,
    /// Whether it says yes.
    pub yes: bool,
    /// Why, in its words.
    pub reason: String,
    /// Whether it is against what was decided.
    pub dissents: bool,
}

/// What a jury decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// The majority says yes.
    Yes,
    /// The majority says no.
    No,
    /// Neither side has the majority, or fewer than two votes count.
    Undecided,
    /// The answer fails the safety gate, whatever the votes say.
    FailsGate,
}

impl Jury {
    /// More than half.
    pub const MAJORITY: f64 = 0.5;

    /// A question, and the share of the votes that decides.
    pub fn new(question: String, majority: f64) -> Result<Self, JuryError> {
        if question.trim().is_empty() {
            return Err(JuryError::NoQuestion);
        }
        if !(Self::MAJORITY..=1.0).contains(&majority) {
            return Err(JuryError::Majority(majority));
        }
        Ok(Self { question, majority })
    }

    /// The share of the votes that decides; more than half in any case.
    pub fn majority(&self) -> f64 {
        self.majority
    }

    fn decide(&self, yes: usize, no: usize) -> Decision {
        let has_majority = |side: usize, other: usize| {
            let share = side as f64 / (side + other) as f64;
            side > other && half_up(share, PLACES) >= half_up(self.majority, PLACES)
        };
        if yes + no < VOTES_MIN {
            Decision::Undecided
        } else if has_majority(yes, no) {
            Decision::Yes
        } else if has_majority(no, yes) {
            Decision::No
        } else {
            Decision::Undecided
        }
    }
}

impl TryFrom<WrittenJury> for Jury {
    type Error = JuryError;

    fn try_from(written: WrittenJury) -> Result<Self, JuryError> {
        Self::new(written.question, written.majority)
    }
}

/// What the votes in a verdict's table come to.
pub(super) fn verdict(jury: &Jury, verdict: &CouncilVerdict) -> JuryVerdict {
    let answers = (0..verdict.answers.len()).map(|answer| decided(jury, verdict, answer));
    JuryVerdict { jury: jury.clone(), answers: answers.collect() }
}

fn decided(jury: &Jury, verdict: &CouncilVerdict, answer: usize) -> AnswerJury {
    let vote = |(reviewer, row): (usize, &Vec<Option<Cell>>)| {
        let cell = row.get(answer)?.as_ref().filter(|cell| cell.counted().is_some())?;
        Some(Vote { reviewer, yes: cell.vote?, reason: cell.notes.clone(), dissents: false })
    };
    let mut votes: Vec<Vote> = verdict.table.iter().enumerate().filter_map(vote).collect();
    let yes = votes.iter().filter(|vote| vote.yes).count();
    let no = votes.len() - yes;
    let fails = verdict.answers[answer].gate_passed == Some(false);
    let decision = if fails { Decision::FailsGate } else { jury.decide(yes, no) };
    for vote in &mut votes {
        vote.dissents = match decision {
            Decision::Yes => !vote.yes,
            Decision::No | Decision::FailsGate => vote.yes,
            Decision::Undecided => false,
        };
    }
    AnswerJury { decision, yes, no, votes }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_majority_is_more_than_half_and_a_tie_is_undecided() {
        let jury = |majority| Jury::new("Is it acceptable?".to_owned(), majority).unwrap();
        for (majority, yes, no, decision) in [
            (0.5, 2, 1, Decision::Yes),
            (0.5, 1, 2, Decision::No),
            (0.5, 2, 2, Decision::Undecided),
            (0.5, 1, 0, Decision::Undecided),
            (0.5, 0, 0, Decision::Undecided),
            (0.67, 2, 1, Decision::Yes),
            (0.667, 2, 1, Decision::Yes),
            (0.7, 2, 1, Decision::Undecided),
            (1.0, 3, 0, Decision::Yes),
            (1.0, 3, 1, Decision::Undecided),
            (1.0, 0, 2, Decision::No),
        ] {
            assert_eq!(jury(majority).decide(yes, no), decision, "{majority} {yes} {no}");
        }
        for majority in [0.49, 1.01, f64::NAN] {
            assert!(Jury::new("Is it?".to_owned(), majority).is_err(), "{majority}");
        }
        assert_eq!(Jury::new(" ".to_owned(), 0.5), Err(JuryError::NoQuestion));
    }
}
