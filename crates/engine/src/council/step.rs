//! What happens while a council is held, for those who watch.

pub use assize_wire::council::Stage;
use assize_wire::runs::CouncilStep;

use super::file::Participants;
use super::hearing::Hearing;

/// How far it has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// It was asked.
    Begun,
    Done,
    /// It gave nothing that can be used, and why.
    Failed(String),
}

/// Everyone who is to take part, before anyone is asked.
pub fn waiting(hearing: &Hearing) -> Vec<CouncilStep> {
    let Participants { members, reviewers, chair } = hearing.seats();
    let all = [(Stage::Answer, members), (Stage::Review, reviewers)];
    let chair = (Stage::Chair, chair.into_iter().collect());
    let all = all.into_iter().chain([chair]);
    all.flat_map(|(stage, seats)| {
        seats.into_iter().map(move |seat| CouncilStep {
            stage: stage.word().to_owned(),
            participant: seat.name,
            state: "waiting".to_owned(),
            reason: None,
        })
    })
    .collect()
}

/// Brings what is known of everyone up to date.
pub fn note(steps: &mut Vec<CouncilStep>, step: &Step) {
    let now = step.to_wire();
    let is_same =
        |one: &&mut CouncilStep| one.stage == now.stage && one.participant == now.participant;
    match steps.iter_mut().find(is_same) {
        Some(before) => *before = now,
        None => steps.push(now),
    }
}

/// One participant took one step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The part of the council that it works for.
    pub stage: Stage,
    /// Who, by its name in the council.
    pub participant: String,
    /// Begun, done, or failed with a reason.
    pub progress: Progress,
}

impl Step {
    /// The step as programs see it.
    pub fn to_wire(&self) -> CouncilStep {
        let (state, reason) = match &self.progress {
            Progress::Begun => ("asked", None),
            Progress::Done => ("done", None),
            Progress::Failed(reason) => ("failed", Some(reason.clone())),
        };
        CouncilStep {
            stage: self.stage.word().to_owned(),
            participant: self.participant.clone(),
            state: state.to_owned(),
            reason,
        }
    }
}

/// Someone who watches; it must not block.
pub type Watch<'a> = &'a (dyn Fn(&Step) + Sync);

/// Nobody watches.
pub fn unwatched(_: &Step) {}
