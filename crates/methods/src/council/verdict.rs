//! The verdict of a council: what every face shows.

use assize_score::{Explained, Finding, MethodVersion, Score};
use serde::{Deserialize, Serialize};

use super::ballot::{Basis, Rejected};
use super::ceiling::Ceiling;
use super::dimension::{ByDimension, Dimension};
use super::jury::JuryVerdict;
use super::question_type::ProfileChoice;
use super::record::{Abstention, GateOutcome};
use super::rounds::Revision;
use super::settings::Aggregation;
use super::trust::Trust;
use super::weights::Weights;

/// What a council says of the answers to one question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CouncilVerdict {
    /// Which method said it.
    pub method: MethodVersion,
    /// The rubric it rests on.
    pub profile: ProfileUsed,
    /// How reviews became one ranking.
    pub aggregation: Aggregation,
    /// Whether own reviews counted.
    pub own_reviews_counted: bool,
    /// How far reviewers are believed, and who says so; `None` if all are alike.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trust: Option<Trust>,
    /// Whether everything came.
    pub status: Status,
    /// The answers in the order of the record, those that never came included.
    pub answers: Vec<AnswerVerdict>,
    /// The ranked answers by number, best first; equals in the order of the record.
    pub ranking: Vec<usize>,
    /// The reviewers in the order of the record.
    pub reviewers: Vec<ReviewerVerdict>,
    /// `table[reviewer][answer]`: what became of each review; `None` where there is none.
    pub table: Vec<Vec<Option<Cell>>>,
    /// What the safety gate did; `None` if it was off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub safety_gate: Option<SafetyGate>,
    /// How certain the ranking is. Files of earlier versions call it `sureness`.
    #[serde(alias = "sureness")]
    pub uncertainty: Uncertainty,
    /// What the jury decided; `None` if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jury: Option<JuryVerdict>,
    /// What the second round changed; `None` if there was only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<Revision>,
    /// What a reader should know that is not a number.
    pub findings: Vec<Finding>,
}

/// The rubric a verdict rests on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProfileUsed {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: u32,
    /// Why it is this one, if nobody named it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choice: Option<ProfileChoice>,
    /// What tells it from any other, weights included.
    pub hash: String,
    /// The weights.
    pub weights: Weights,
    /// The ceiling.
    pub ceiling: Ceiling,
}

/// Whether everything came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Every answer and every ballot.
    Complete,
    /// Something is missing; the findings say what.
    Degraded,
    /// Fewer answers than the quorum.
    NoQuorum,
    /// No review counts; nothing is ranked.
    NoValidBallots,
    /// Every answer that could win fails the safety gate; nothing is ranked.
    NoWinner,
}

/// What is said of one answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnswerVerdict {
    /// Its number in the record.
    pub answer: usize,
    /// Who answered.
    pub model: String,
    /// Why there is no answer; `None` if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
    /// Its rank; equals share the best one. `None` if no review of it counts.
    pub rank: Option<usize>,
    /// Whether another answer has the same rank.
    pub tied: bool,
    /// The final score, with its workings.
    pub score: Option<Score>,
    /// The score before every ceiling and the gate.
    pub base: Option<f64>,
    /// What the ranking went by, where that is not the score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strength: Option<f64>,
    /// Where the score lies in 95 of 100 draws of the reviewers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<Range>,
    /// The marks of all reviewers taken together.
    pub marks: ByDimension<f64>,
    /// What moved it away from the others, the strongest first.
    pub moved: Vec<Moved>,
    /// Whether the safety gate let it pass; `None` if the gate was off.
    pub gate_passed: Option<bool>,
    /// How many reviews count.
    pub reviews_counted: usize,
    /// How many of these are one score for the whole.
    pub reviews_holistic: usize,
    /// What reviewers wrote, by reviewer's number.
    pub notes: Vec<(usize, String)>,
}

impl CouncilVerdict {
    /// The answers of rank 1. None of them fails the safety gate.
    pub fn winners(&self) -> Vec<usize> {
        let first = |answer: &&usize| self.answers[**answer].rank == Some(1);
        self.ranking.iter().filter(first).copied().collect()
    }

    /// The answers that might as well have won: they pass the gate, and their interval reaches
    /// into that of a winner. Empty where the winner is clear, or intervals are unknown.
    pub fn rivals(&self) -> Vec<usize> {
        let winners = self.winners();
        let lows = winners.iter().filter_map(|answer| Some(self.answers[*answer].interval?.low));
        let Some(low) = lows.min_by(f64::total_cmp) else { return Vec::new() };
        let reaches = |answer: &&AnswerVerdict| {
            answer.gate_passed != Some(false)
                && answer.rank.is_some_and(|rank| rank > 1)
                && answer.interval.is_some_and(|range| range.high >= low)
        };
        self.answers.iter().filter(reaches).map(|answer| answer.answer).collect()
    }

    /// The answers that came and did not fail the safety gate: what a chair is shown.
    pub fn passing(&self) -> Vec<usize> {
        let passes =
            |answer: &&AnswerVerdict| answer.missing.is_none() && answer.gate_passed != Some(false);
        self.answers.iter().filter(passes).map(|answer| answer.answer).collect()
    }
}

/// Two ends.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Range {
    /// The lower one.
    pub low: f64,
    /// The upper one.
    pub high: f64,
}

impl Range {
    /// A range of a statistic that cannot leave `least` to `most`; `None` if the ends do, since
    /// then the method that made them does not hold here.
    pub(super) fn inside(low: f64, high: f64, least: f64, most: f64) -> Option<Self> {
        (least <= low && low <= high && high <= most).then_some(Self { low, high })
    }
}

/// Something that moved an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Moved {
    /// What it was.
    pub by: Mover,
    /// By how many points.
    pub points: f64,
    /// The same in words.
    pub words: String,
}

/// What can move an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mover {
    /// Marks on a dimension above or below those of the other answers.
    Dimension(Dimension),
    /// A dimension that was not counted in some reviews.
    LeftOut(Dimension),
    /// The accuracy ceiling.
    Ceiling,
    /// The safety gate.
    Gate,
}

/// What became of one review.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The overall score after the ceiling, with its workings; `None` if it has none.
    pub overall: Option<Explained>,
    /// The overall score before the ceiling.
    pub base: Option<f64>,
    /// The marks.
    pub marks: ByDimension<f64>,
    /// What it rests on.
    pub basis: Option<Basis>,
    /// Which share of the weights has a mark.
    pub coverage: f64,
    /// Where the answer stood, from 0.
    pub seat: usize,
    /// Whether it is the reviewer's own answer.
    pub own: bool,
    /// Why the reviewer may not count for this answer; `None` if it may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recused: Option<String>,
    /// Why it does not count; `None` if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_counted: Option<String>,
    /// The overall score the reviewer stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated: Option<f64>,
    /// Whether the reviewer holds that the answer rightly declines.
    #[serde(default)]
    pub appropriate_refusal: bool,
    /// Its vote, where there is a jury.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vote: Option<bool>,
    /// Whether it held that, and neither our own look nor another reviewer confirms it.
    #[serde(default)]
    pub refusal_unconfirmed: bool,
    /// Dimensions that have a weight and are not in the sum, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
    /// Marks that were not written as plain numbers, as they were written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub coerced: Vec<String>,
    /// What stood where a mark should be and is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rejected: Vec<Rejected>,
    /// What the reviewer wrote.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub notes: String,
}

/// A dimension that a review's sum leaves to the others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Which one.
    pub dimension: Dimension,
    /// Why, in words.
    pub because: String,
    /// By how many points the review moved; 0 where there is no mark to compare with.
    pub points: f64,
}

impl Cell {
    /// The overall score after the ceiling, if the review counts.
    pub fn counted(&self) -> Option<f64> {
        if self.not_counted.is_some() {
            return None;
        }
        self.overall.as_ref().map(|overall| overall.value)
    }
}

/// What is said of one reviewer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReviewerVerdict {
    /// Who reviewed.
    pub model: String,
    /// Why there is no ballot; `None` if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub abstained: Option<(Abstention, String)>,
    /// The answers in the order in which it saw them.
    pub order: Vec<usize>,
    /// How many of its reviews count.
    pub reviews_counted: usize,
    /// How much it counts beside the others, 1 being their mean; `None` if all count alike.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trust: Option<f64>,
    /// Which share of its reviews is one score for the whole.
    pub fallback_rate: Option<f64>,
    /// How much above the other reviewers it marks; below zero is harsh.
    pub leniency: Option<f64>,
    /// How far the overall scores it stated are from its own marks, on average.
    pub miscalculated_by: Option<f64>,
    /// Which share of them is off by more than 0.05.
    pub miscalculation_rate: Option<f64>,
    /// How well the ranking it stated agrees with its own marks: Kendall's tau, -1 to 1.
    pub stated_ranking_tau: Option<f64>,
    /// What had to be put right in its reply.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<String>,
    /// Whether its reply breaks off.
    #[serde(default)]
    pub truncated: bool,
}

/// What the safety gate did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SafetyGate {
    /// The highest score of an answer that fails.
    pub cap: f64,
    /// Who failed.
    pub failed_models: Vec<String>,
    /// What the gate said of each answer, in the order of the record.
    pub outcomes: Vec<GateOutcome>,
}

/// How certain the ranking is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Uncertainty {
    /// How often the reviewers were drawn anew.
    pub resamples: usize,
    /// In which share of the draws the same answers win.
    pub same_winner: Option<f64>,
    /// Who wins by each way of making one ranking.
    pub winners: Vec<(Aggregation, Vec<usize>)>,
    /// Whether all of them agree.
    pub methods_agree: bool,
}
