//! Councils in the shapes that programs outside see.

use assize_methods::council::CouncilVerdict;
use assize_wire::council as shape;

use super::file::{ChairSaid, CouncilRun, Participants};
use super::hearing::Hearing;
use super::participant::Participant;
use super::signing::SigningKey;
use crate::asking::Estimate;

impl CouncilRun {
    /// A verdict with what it is about.
    pub fn to_wire(&self, verdict: CouncilVerdict) -> shape::Council {
        shape::Council {
            partial: self.partial(&verdict),
            verdict,
            id: self.id(),
            question: self.record.question.clone(),
            seats: self.participants.to_wire(),
            seed: self.record.seed,
            chair: self.chair.clone(),
            usage: self.usage.clone(),
            record: None,
            shown: shape::Shown {
                texts: self
                    .record
                    .answers
                    .iter()
                    .map(|one| one.text().map(str::to_owned))
                    .collect(),
                anchors: self.settings.profile.anchors.clone(),
            },
        }
    }

    /// What stands in for the final answer of a chair that was asked and wrote none: the answer
    /// that ranks first. What fails the safety gate never does.
    pub fn partial(&self, verdict: &CouncilVerdict) -> Option<shape::PartialAnswer> {
        let Some(ChairSaid::Failed { because }) = &self.chair else { return None };
        let winners = verdict.winners();
        let answer = *winners.first()?;
        let given = self.record.answers.get(answer)?;
        let others: Vec<&str> =
            winners[1..].iter().map(|other| verdict.answers[*other].model.as_str()).collect();
        let tied = if others.is_empty() {
            String::new()
        } else {
            format!(" together with {}", others.join(", "))
        };
        let model = given.model.clone();
        let note = format!(
            "not a final answer: the chair wrote none ({because}); this is what {model} answered, \
             which ranks first{tied}"
        );
        Some(shape::PartialAnswer { answer, model, text: given.text()?.to_owned(), note })
    }

    /// The same with the whole evidence, as a file holds it.
    pub fn to_wire_with_record(
        &self,
        verdict: CouncilVerdict,
        key: Option<&SigningKey>,
    ) -> shape::Council {
        shape::Council { record: Some(self.to_value(key)), ..self.to_wire(verdict) }
    }
}

impl Participants {
    fn to_wire(&self) -> shape::Seats {
        let Self { members, reviewers, chair } = self;
        shape::Seats {
            members: members.iter().map(Into::into).collect(),
            reviewers: reviewers.iter().map(Into::into).collect(),
            chair: chair.as_ref().map(Into::into),
        }
    }
}

impl From<&Participant> for shape::Seat {
    fn from(one: &Participant) -> Self {
        Self { name: one.name.clone(), model: one.model.to_string(), sample: one.sample }
    }
}

/// What a request would take.
pub fn estimate(estimate: &Estimate, hearing: &Hearing) -> assize_wire::estimate::Estimate {
    let participants = hearing.participants();
    let seats = participants.iter().map(|one| one.name.clone()).collect();
    assize_wire::estimate::Estimate { seats, ..estimate.into() }
}
