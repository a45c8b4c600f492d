//! Two rounds: what reviewers are shown of each other's marks, and what they change afterwards.
//!
//! Only the last round counts. What a reviewer is shown are marks without names and without notes:
//! notes are prose of a model, and would speak to the others.

use std::fmt::Write as _;

use assize_stats::summary::mean;
use serde::{Deserialize, Serialize};

use super::decide::decide;
use super::dimension::{ByDimension, Dimension};
use super::label::label;
use super::record::{CouncilRecord, Heard, Reviewer};
use super::settings::Settings;
use super::verdict::{Cell, CouncilVerdict};

/// Fewer reviewers with a ballot have nobody to look at.
const REVIEWERS_MIN: usize = 2;

/// What a reviewer said in the first of two rounds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Round {
    /// Its replies as they came.
    pub replies: Vec<String>,
    /// What was read out of them.
    pub heard: Heard,
}

/// What the second round changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Revision {
    /// Who would have won after the first round.
    pub first_winners: Vec<usize>,
    /// The answers in the order of the record.
    pub answers: Vec<RevisedAnswer>,
    /// Those who were asked again, in the order of the record.
    pub reviewers: Vec<RevisedReviewer>,
}

/// What the second round changed about an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RevisedAnswer {
    /// Its score after the first round.
    pub first_score: Option<f64>,
    /// How many marks of it were raised.
    pub raised: usize,
    /// How many were lowered.
    pub lowered: usize,
}

/// What one reviewer changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RevisedReviewer {
    /// Its number in the record.
    pub reviewer: usize,
    /// How many marks it gave in both rounds.
    pub marks: usize,
    /// How many of them it moved.
    pub moved: usize,
    /// How many of these came closer to the mean of the other reviewers.
    pub towards_others: usize,
    /// How many went further away from it.
    pub away: usize,
}

impl Revision {
    /// How many marks were given in both rounds, how many moved, and how many of these towards the
    /// mean of the others and away from it.
    pub fn totals(&self) -> [usize; 4] {
        let add = |sums: [usize; 4], one: &RevisedReviewer| {
            let own = [one.marks, one.moved, one.towards_others, one.away];
            std::array::from_fn(|index| sums[index] + own[index])
        };
        self.reviewers.iter().fold([0; 4], add)
    }
}

impl Reviewer {
    /// Takes in the second round. Who says nothing readable in it keeps its first marks.
    pub fn revise(&mut self, replies: Vec<String>, heard: Heard) {
        let first = std::mem::replace(&mut self.replies, replies);
        let heard = Self::after_second(heard, &self.heard);
        let first = Round { replies: first, heard: std::mem::replace(&mut self.heard, heard) };
        self.first = Some(first);
    }

    /// What counts after two rounds.
    pub fn after_second(second: Heard, first: &Heard) -> Heard {
        match second {
            Heard::Ballot(_) => second,
            Heard::Abstained { .. } => first.clone(),
        }
    }
}

impl CouncilRecord {
    /// The same as it stood after the first of two rounds; `None` if there was only one.
    pub(crate) fn first_round(&self) -> Option<Self> {
        self.reviewers.iter().find(|reviewer| reviewer.first.is_some())?;
        Some(self.before_second())
    }

    /// The same before anybody was asked a second time.
    #[must_use]
    pub fn before_second(&self) -> Self {
        let mut record = self.clone();
        for reviewer in &mut record.reviewers {
            if let Some(Round { replies, heard }) = reviewer.first.take() {
                (reviewer.replies, reviewer.heard) = (replies, heard);
            }
        }
        record
    }

    /// Who is asked again: those with a ballot, if there are others to look at. Who gave none did
    /// not judge for itself, and would only copy.
    pub fn revisers(&self) -> Vec<usize> {
        let has_ballot = |row: &usize| self.reviewers[*row].ballot().is_some();
        let rows: Vec<usize> = (0..self.reviewers.len()).filter(has_ballot).collect();
        if rows.len() < REVIEWERS_MIN { Vec::new() } else { rows }
    }
}

/// The verdict of a round, without looking at how sure it is.
pub fn verdict_of_round(record: &CouncilRecord, settings: &Settings) -> CouncilVerdict {
    decide(record, &Settings { resamples: 0, ..settings.clone() })
}

/// The marks of the first round as one reviewer is shown them: its own, and those of the others
/// that count, in its own order of the answers and without names.
pub fn marks_shown(record: &CouncilRecord, verdict: &CouncilVerdict, row: usize) -> String {
    let count = record.reviewers.len();
    // Each begins with another one, so that a number says nothing about a place.
    let others = (1..count).map(|step| (row + step) % count);
    let seats: Vec<usize> = others.filter(|other| has_counted(verdict, *other)).collect();
    let mut text = String::new();
    for (seat, answer) in record.reviewers[row].seating.order.iter().enumerate() {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "{}", label(seat));
        if let Some(own) = cell(verdict, row, *answer) {
            let _ = writeln!(text, "  you: {}", words(own));
        }
        for (number, other) in (1..).zip(&seats) {
            let counted = cell(verdict, *other, *answer).filter(|cell| cell.counted().is_some());
            if let Some(cell) = counted {
                let _ = writeln!(text, "  reviewer {number}: {}", words(cell));
            }
        }
    }
    text.trim_end().to_owned()
}

/// What the second round changed; `None` if there was only one.
pub(super) fn revision(
    record: &CouncilRecord,
    settings: &Settings,
    verdict: &CouncilVerdict,
) -> Option<Revision> {
    let first = verdict_of_round(&record.first_round()?, settings);
    let blank = |answer: usize| RevisedAnswer {
        first_score: first.answers[answer].score.as_ref().map(|score| score.value),
        raised: 0,
        lowered: 0,
    };
    let mut answers: Vec<RevisedAnswer> = (0..record.answers.len()).map(blank).collect();
    let mut reviewers = Vec::new();
    for row in (0..record.reviewers.len()).filter(|row| record.reviewers[*row].first.is_some()) {
        let mut line =
            RevisedReviewer { reviewer: row, marks: 0, moved: 0, towards_others: 0, away: 0 };
        for (answer, revised) in answers.iter_mut().enumerate() {
            let (Some(before), Some(after)) =
                (cell(&first, row, answer), cell(verdict, row, answer))
            else {
                continue;
            };
            let others = means_of_others(&first, row, answer);
            for (dimension, was) in &before.marks {
                let Some(is) = after.marks.get(dimension) else { continue };
                line.marks += 1;
                if is == was {
                    continue;
                }
                line.moved += 1;
                revised.raised += usize::from(is > was);
                revised.lowered += usize::from(is < was);
                if let Some(middle) = others.get(dimension) {
                    let (then, now) = ((was - middle).abs(), (is - middle).abs());
                    line.towards_others += usize::from(now < then);
                    line.away += usize::from(now > then);
                }
            }
        }
        reviewers.push(line);
    }
    Some(Revision { first_winners: first.winners(), answers, reviewers })
}

/// The mean mark of those who count for an answer, one left out.
fn means_of_others(verdict: &CouncilVerdict, row: usize, answer: usize) -> ByDimension<f64> {
    let others = (0..verdict.table.len()).filter(|other| *other != row);
    let cells = others.filter_map(|other| cell(verdict, other, answer));
    let cells: Vec<&Cell> = cells.filter(|cell| cell.counted().is_some()).collect();
    let middle = |dimension: Dimension| {
        let marks: Vec<f64> =
            cells.iter().filter_map(|cell| cell.marks.get(&dimension).copied()).collect();
        Some((dimension, mean(&marks).ok()?))
    };
    Dimension::ALL.into_iter().filter_map(middle).collect()
}

fn has_counted(verdict: &CouncilVerdict, row: usize) -> bool {
    verdict.reviewers.get(row).is_some_and(|reviewer| reviewer.reviews_counted > 0)
}

fn cell(verdict: &CouncilVerdict, row: usize, answer: usize) -> Option<&Cell> {
    verdict.table.get(row)?.get(answer)?.as_ref()
}

fn words(cell: &Cell) -> String {
    let marks = cell.marks.iter().map(|(dimension, mark)| format!("{dimension} {mark}"));
    let marks: Vec<String> = marks.collect();
    match (marks.is_empty(), cell.stated) {
        (true, Some(stated)) => format!("overall {stated}"),
        _ => marks.join(", "),
    }
}
