//! Everything that was collected for one question. Any verdict is computed from this alone.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::asks::UnderReview;
use super::authorship::{Author, Sameness};
use super::ballot::Ballot;
use super::rounds::Round;
use super::seating::Seating;
use crate::gate::is_visible;

/// One question, its answers and their reviews.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CouncilRecord {
    /// What was asked.
    pub question: String,
    /// What the caller gave to judge by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Exhibit>,
    /// What the members answered, in the order of the members.
    pub answers: Vec<Answer>,
    /// What the safety gate found; `None` if it was off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<Gating>,
    /// What the reviewers said, in the order of the reviewers.
    pub reviewers: Vec<Reviewer>,
    /// What the seatings and the resampling were drawn with.
    #[serde(default)]
    pub seed: u64,
}

/// A piece of evidence that the caller gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exhibit {
    /// What it is called, such as the name of its file.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// A member and its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The name of the model that answered, or the one under which the answer was supplied.
    pub model: String,
    /// The model behind the name, where the name is another; it decides who the author is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written_by: Option<String>,
    /// What came.
    #[serde(flatten)]
    pub status: AnswerStatus,
}

/// What came from a member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum AnswerStatus {
    /// An answer.
    Given {
        /// Its text, as it came.
        text: String,
    },
    /// Nothing, because of an error.
    Failed {
        /// The provider's own words.
        because: String,
    },
    /// Nothing in time.
    TimedOut {
        /// How long it was waited for, in words.
        because: String,
    },
}

/// That the safety gate is on, and what it found when the record was made. A verdict does not
/// rest on what is noted here: the gate looks at the texts again whenever one is computed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "WrittenGating")]
pub struct Gating {
    /// The highest score of an answer that fails, on the scale of the scores.
    cap: f64,
    /// One for each answer of the record, in its order, as noted.
    pub outcomes: Vec<GateOutcome>,
}

/// What the gate said of one answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct GateOutcome {
    /// Whether the answer may pass. An answer that never came has nothing to fail for.
    pub passed: bool,
    /// Why not, in words for people.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
    /// The gate's own findings, handed through as they are.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub details: Value,
}

/// A cap that is not on the scale of the scores.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("the safety cap is {0}; it must be from 0 to 10")]
pub struct CapError(pub f64);

#[derive(Deserialize)]
struct WrittenGating {
    cap: f64,
    outcomes: Vec<GateOutcome>,
}

/// A reviewer and its ballot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reviewer {
    /// The name of the model that reviewed.
    pub model: String,
    /// The model behind the name, where the name is another; it decides whose author it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spoken_by: Option<String>,
    /// In which order it saw the answers.
    pub seating: Seating,
    /// What it said in the first of two rounds; what follows is then of the second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<Round>,
    /// Its replies as they came: one, or two if it was asked again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replies: Vec<String>,
    /// What was read out of them.
    pub heard: Heard,
    /// One score for each answer, asked for on its own beside the marks. It counts for nothing,
    /// and is held against them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holistic: Option<Heard>,
}

/// What was read out of a reviewer's replies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Heard {
    /// A ballot, whole or in part.
    Ballot(Ballot),
    /// Nothing that counts.
    Abstained {
        /// What kind of nothing.
        kind: Abstention,
        /// In words for people; a provider's error as it came.
        because: String,
    },
}

/// Why a reviewer has no ballot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Abstention {
    /// It would not.
    Declined,
    /// Its replies hold no ballot.
    Unreadable,
    /// Its provider failed.
    Failed,
    /// It did not reply in time.
    TimedOut,
}

impl Answer {
    /// An answer that came.
    pub fn given(model: impl Into<String>, text: impl Into<String>) -> Self {
        let status = AnswerStatus::Given { text: text.into() };
        Self { model: model.into(), written_by: None, status }
    }

    /// Who wrote it, for the question of authorship.
    pub fn author(&self) -> Author<'_> {
        Author { name: &self.model, model: self.written_by.as_deref() }
    }

    /// The text, if one came that can be seen: an answer of zero-width characters is none.
    pub fn text(&self) -> Option<&str> {
        match &self.status {
            AnswerStatus::Given { text } => Some(text.as_str()).filter(|text| is_visible(text)),
            AnswerStatus::Failed { .. } | AnswerStatus::TimedOut { .. } => None,
        }
    }

    /// Why there is no answer, in words.
    pub fn missing(&self) -> Option<&str> {
        match &self.status {
            AnswerStatus::Given { .. } if self.text().is_some() => None,
            AnswerStatus::Given { .. } => Some("the answer has no visible characters"),
            AnswerStatus::Failed { because } | AnswerStatus::TimedOut { because } => Some(because),
        }
    }
}

impl Gating {
    /// What an answer that fails may have at most, unless told otherwise.
    pub const CAP: f64 = 0.0;

    /// What the gate found, with the cap for those that fail.
    pub fn new(cap: f64, outcomes: Vec<GateOutcome>) -> Result<Self, CapError> {
        if !(0.0..=10.0).contains(&cap) {
            return Err(CapError(cap));
        }
        Ok(Self { cap, outcomes })
    }

    /// The highest score of an answer that fails.
    pub fn cap(&self) -> f64 {
        self.cap
    }
}

impl TryFrom<WrittenGating> for Gating {
    type Error = CapError;

    fn try_from(written: WrittenGating) -> Result<Self, CapError> {
        Self::new(written.cap, written.outcomes)
    }
}

impl CouncilRecord {
    /// The answers that came, by number.
    pub fn given(&self) -> Vec<usize> {
        let came = |answer: &(usize, &Answer)| answer.1.text().is_some();
        self.answers.iter().enumerate().filter(came).map(|(index, _)| index).collect()
    }

    /// What a reviewer with this seating is shown.
    pub fn under_review(&self, seating: &Seating) -> UnderReview<'_> {
        let texts = seating.order.iter().map(|index| self.answers.get(*index)?.text());
        UnderReview {
            question: &self.question,
            answers: texts.map(Option::unwrap_or_default).collect(),
            evidence: &self.evidence,
        }
    }

    /// Whether a reviewer's model is the author of an answer, whatever name either goes by.
    pub(crate) fn authorship(&self, reviewer: usize, answer: usize) -> Sameness {
        let both = self.both(reviewer, answer);
        both.map_or(Sameness::Different, |(one, other)| one.sameness(other))
    }

    /// The family that a reviewer and the author of an answer both belong to.
    pub(crate) fn shared_family(&self, reviewer: usize, answer: usize) -> Option<String> {
        let (one, other) = self.both(reviewer, answer)?;
        one.family().filter(|family| Some(family) == other.family().as_ref())
    }

    fn both(&self, reviewer: usize, answer: usize) -> Option<(Author<'_>, Author<'_>)> {
        Some((self.reviewers.get(reviewer)?.author(), self.answers.get(answer)?.author()))
    }
}

impl Reviewer {
    /// Who reviews, for the question of authorship.
    pub fn author(&self) -> Author<'_> {
        Author { name: &self.model, model: self.spoken_by.as_deref() }
    }

    /// The ballot, if there is one.
    pub fn ballot(&self) -> Option<&Ballot> {
        match &self.heard {
            Heard::Ballot(ballot) => Some(ballot),
            Heard::Abstained { .. } => None,
        }
    }
}
