//! Models as judges of summaries: one model, or a panel with the rules among it.

use std::sync::Arc;

use super::super::judging::Settings;
use super::super::request::SummaryRequest;
use super::super::scorecard::Framework;
use crate::asking::{Account, AskError, AskSession, Judge, JudgeName};

/// The models that judge pairs, with the session that asks them.
#[derive(Clone)]
pub struct SummaryJudge {
    pub(super) session: Arc<AskSession>,
    pub(super) reviewers: Vec<Reviewer>,
    pub(super) settings: Settings,
    /// How often each pair is judged, and how many replies of a model each time takes.
    pub(super) repeats: (u32, u32),
}

/// One judge: a model and one of its samples, or the rules.
#[derive(Clone)]
pub(super) struct Reviewer {
    pub(super) name: String,
    pub(super) judge: Option<Judge>,
    pub(super) attempt: u32,
}

impl SummaryJudge {
    /// Those whom a request names, each with so many replies; rules ask nobody.
    pub fn new(
        session: impl Into<Arc<AskSession>>,
        request: &SummaryRequest,
    ) -> Result<Self, AskError> {
        let (session, settings) = (session.into(), request.settings()?);
        let mut members = request.judge.members().into_owned();
        if settings.framework == Framework::JudgeLockUltra && !members.contains(&JudgeName::Rules) {
            // The anchor: a judge that never has a bad day.
            members.push(JudgeName::Rules);
        }
        let mut reviewers = Vec::new();
        for member in &members {
            reviewers.extend(replies_of(&session, member, request.samples)?);
        }
        let repeats = (request.repeat, request.samples);
        Ok(Self { session, reviewers, settings, repeats })
    }

    /// The same judges asked once more: the replies of another sample, which may differ.
    #[must_use]
    pub fn sample(mut self, sample: u32) -> Self {
        for reviewer in &mut self.reviewers {
            reviewer.judge = reviewer.judge.take().map(Judge::sampling);
            reviewer.attempt += sample;
        }
        self
    }

    /// The same judges for each of several repeats; the one judge itself where nothing is repeated.
    pub(super) fn repeated(&self) -> Vec<Self> {
        let (repeats, replies) = self.repeats;
        let once = Self { repeats: (1, replies), ..self.clone() };
        if repeats < 2 {
            return vec![once];
        }
        (0..repeats).map(|repeat| once.clone().sample(repeat * replies)).collect()
    }

    /// The session that asks them.
    pub(crate) fn session(&self) -> &AskSession {
        &self.session
    }

    /// Who counts what they find.
    pub(crate) fn framework(&self) -> Framework {
        self.settings.framework
    }

    /// What was done so far.
    pub fn account(&self) -> Account {
        self.session.account()
    }

    /// The names of all judges, in the order in which they are asked.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.reviewers.iter().map(|reviewer| reviewer.name.as_str())
    }

    /// Those of them that are models.
    pub(super) fn models(&self) -> impl Iterator<Item = (&Reviewer, &Judge)> {
        self.reviewers.iter().filter_map(|reviewer| Some((reviewer, reviewer.judge.as_ref()?)))
    }
}

/// A judge as often as replies of it are wanted; the rules always say the same.
fn replies_of(
    session: &AskSession,
    member: &JudgeName,
    samples: u32,
) -> Result<Vec<Reviewer>, AskError> {
    let JudgeName::Model(name) = member else {
        return Ok(vec![Reviewer { name: member.to_string(), judge: None, attempt: 0 }]);
    };
    let judge = session.judge(name)?;
    if samples == 1 {
        let (name, attempt) = (name.to_string(), session.attempt);
        return Ok(vec![Reviewer { name, judge: Some(judge), attempt }]);
    }
    let judge = judge.sampling();
    let one = |sample| Reviewer {
        name: format!("{name}#{}", sample + 1),
        judge: Some(judge.clone()),
        attempt: session.attempt + sample,
    };
    Ok((0..samples).map(one).collect())
}
