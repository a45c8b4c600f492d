//! A council from beginning to end: answers, gate, reviews, count, chair.

use assize_methods::Ask;
use assize_methods::council::{
    Answer, AnswerAsk, AnswerStatus, ChairAsk, CouncilRecord, Heard, Reviewer, Scoring, Seating,
    decide, seatings,
};
use assize_models::{ExchangeKey, ProviderError};
use assize_score::Finding;

use super::file::{ChairSaid, CouncilRun};
use super::hearing::{Answers, Hearing};
use super::participant::Participant;
use super::plan::Plan;
use super::review::Listening;
use super::step::{Progress, Stage, Step, Watch};
use crate::asking::{AskSession, Halt, NoAnswer, Unscored, over_items};

/// Holds a council. Whoever fails is recorded with what its provider said, and left out; an
/// error is only what ends the whole council. What was answered until then is kept.
pub async fn hold(
    session: &AskSession,
    hearing: &Hearing,
    watch: Watch<'_>,
) -> Result<CouncilRun, Halt> {
    let Hearing { question, answers, reviewers, chair, plan } = hearing;
    let findings = plan.notes.clone();
    let mut stages = Stages { session, watch, exchanges: Vec::new(), findings };
    let answers = match answers {
        Answers::Members(members) => stages.answers(question, members).await?,
        Answers::Supplied(given) => given
            .iter()
            .map(|answer| Answer::given(answer.name.clone(), answer.text.clone()))
            .collect(),
    };
    let gate = plan.gating(&answers);
    let (question, seed) = (question.clone(), plan.seed);
    let mut record = CouncilRecord { question, answers, gate, reviewers: Vec::new(), seed };
    let shown = record.given();
    let has_quorum = shown.len() >= plan.settings.quorum;
    if has_quorum && !shown.is_empty() {
        record.reviewers = stages.reviews(&record, plan, reviewers).await?;
    }
    let chair_said = match chair {
        Some(chair) if has_quorum => Some(stages.chair(&record, plan, chair).await?),
        Some(_) => Some(ChairSaid::NotAsked { because: "too few answers".to_owned() }),
        None => None,
    };
    let Stages { exchanges, findings, .. } = stages;
    Ok(CouncilRun {
        record,
        settings: plan.settings.clone(),
        participants: hearing.seats(),
        chair: chair_said,
        exchanges: exchanges.iter().map(ToString::to_string).collect(),
        findings,
        notices: Vec::new(),
    })
}

/// What the stages of one council share.
struct Stages<'a> {
    session: &'a AskSession,
    watch: Watch<'a>,
    exchanges: Vec<ExchangeKey>,
    findings: Vec<Finding>,
}

impl Stages<'_> {
    /// Asks every member at once.
    async fn answers(
        &mut self,
        question: &str,
        members: &[Participant],
    ) -> Result<Vec<Answer>, Halt> {
        let ask = AnswerAsk { question };
        let said = self.ask_all(Stage::Answer, members, |_| &ask).await?;
        let status = |said: Result<String, Silence>| match said {
            Ok(text) => AnswerStatus::Given { text },
            Err(Silence { because, timed_out: true }) => AnswerStatus::TimedOut { because },
            Err(Silence { because, timed_out: false }) => AnswerStatus::Failed { because },
        };
        let named = members.iter().zip(said);
        Ok(named
            .map(|(participant, said)| Answer {
                model: participant.name.clone(),
                written_by: Some(participant.model.to_string()),
                status: status(said),
            })
            .collect())
    }

    /// Has every reviewer mark every answer, each in its own order.
    async fn reviews(
        &mut self,
        record: &CouncilRecord,
        plan: &Plan,
        reviewers: &[Participant],
    ) -> Result<Vec<Reviewer>, Halt> {
        let orders: Vec<Seating> = seatings(&record.given(), reviewers.len(), plan.seed);
        let scoring = plan.settings.scoring;
        let ask = |seating: &Seating| match scoring {
            Scoring::Holistic => Listening::holistic(record, seating),
            Scoring::Rubric | Scoring::Both => {
                Listening::new(record, &plan.settings.profile, seating)
            }
        };
        let asks: Vec<Listening<'_>> = orders.iter().map(ask).collect();
        let said = self.ask_all(Stage::Review, reviewers, |index| &asks[index]).await?;
        let mut beside = self.scores_beside(record, scoring, reviewers, &orders).await?.into_iter();
        asks.first().iter().for_each(|ask| self.findings.extend(ask.findings()));
        let heard = reviewers.iter().zip(orders.iter().cloned()).zip(asks.iter().zip(said));
        Ok(heard
            .map(|((participant, seating), (ask, said))| Reviewer {
                model: participant.name.clone(),
                spoken_by: Some(participant.model.to_string()),
                heard: ask.heard(said),
                holistic: beside.next(),
                replies: ask.replies(),
                seating,
            })
            .collect())
    }

    /// One score for each answer, asked for on its own, where both are wanted.
    async fn scores_beside(
        &mut self,
        record: &CouncilRecord,
        scoring: Scoring,
        reviewers: &[Participant],
        orders: &[Seating],
    ) -> Result<Vec<Heard>, Halt> {
        if scoring != Scoring::Both {
            return Ok(Vec::new());
        }
        let asks: Vec<Listening<'_>> =
            orders.iter().map(|seating| Listening::holistic(record, seating)).collect();
        let said = self.ask_all(Stage::Review, reviewers, |index| &asks[index]).await?;
        Ok(asks.iter().zip(said).map(|(ask, said)| ask.heard(said)).collect())
    }

    /// Has the chair write the final answer from those that pass.
    async fn chair(
        &mut self,
        record: &CouncilRecord,
        plan: &Plan,
        chair: &Participant,
    ) -> Result<ChairSaid, Halt> {
        let verdict = decide(record, &plan.settings);
        let Some(ask) = ChairAsk::new(record, &verdict) else {
            let because = "no answer passed the safety gate".to_owned();
            return Ok(ChairSaid::NotAsked { because });
        };
        let chairs = [chair.clone()];
        let said = self.ask_all(Stage::Chair, &chairs, |_| &ask).await?.into_iter().next();
        Ok(match said {
            Some(Ok(text)) => ChairSaid::Wrote { text, saw: verdict.passing() },
            Some(Err(Silence { because, .. })) => ChairSaid::Failed { because },
            None => ChairSaid::Failed { because: "no model was asked".to_owned() },
        })
    }

    /// Asks every participant at once; the answers come in their order.
    async fn ask_all<'q, A: Ask + 'q>(
        &mut self,
        stage: Stage,
        participants: &[Participant],
        ask: impl Fn(usize) -> &'q A,
    ) -> Result<Vec<Result<A::Answer, Silence>>, Halt> {
        let (session, watch) = (self.session, self.watch);
        let tell = |participant: &Participant, progress| {
            watch(&Step { stage, participant: participant.name.clone(), progress });
        };
        let work = async |index: usize, participant: &Participant| {
            tell(participant, Progress::Begun);
            let (judge, attempt) = participant.judge(session)?;
            let said = heard(session.ask(&judge, ask(index), attempt).await)?;
            tell(
                participant,
                match &said.answer {
                    Ok(_) => Progress::Done,
                    Err(silence) => Progress::Failed(silence.because.clone()),
                },
            );
            Ok(said)
        };
        let mut all: Vec<Option<Said<A::Answer>>> = participants.iter().map(|_| None).collect();
        over_items(participants, participants.len(), &session.stop, work, |index, said| {
            all[index] = Some(said);
        })
        .await?;
        let mut answers = Vec::with_capacity(all.len());
        for said in all.into_iter().flatten() {
            self.exchanges.extend(said.exchanges);
            for finding in said.findings {
                if !self.findings.contains(&finding) {
                    self.findings.push(finding);
                }
            }
            answers.push(said.answer);
        }
        Ok(answers)
    }
}

/// Why somebody said nothing.
#[derive(Debug, Clone)]
pub(super) struct Silence {
    /// In words, a provider's error as it came.
    pub(super) because: String,
    /// Whether it took too long.
    pub(super) timed_out: bool,
}

struct Said<T> {
    answer: Result<T, Silence>,
    exchanges: Vec<ExchangeKey>,
    findings: Vec<Finding>,
}

/// One that fails does not end a council, even if its provider will never answer. What a
/// recording does not hold does: a replay that goes on would tell another story.
fn heard<T>(end: Result<crate::asking::Answered<T>, NoAnswer>) -> Result<Said<T>, Halt> {
    match end {
        Ok(answered) => {
            let (exchanges, findings) = (answered.exchanges, answered.findings);
            Ok(Said { answer: Ok(answered.answer), exchanges, findings })
        }
        Err(NoAnswer::Unscored(unscored)) => {
            let Unscored { because, exchanges, timed_out, .. } = unscored;
            let silence = Silence { because, timed_out };
            Ok(Said { answer: Err(silence), exchanges, findings: Vec::new() })
        }
        Err(NoAnswer::Halt(Halt::Provider { model, source }))
            if !matches!(source, ProviderError::NotRecorded { .. }) =>
        {
            let timed_out = matches!(source, ProviderError::TimedOut { .. });
            let silence =
                Silence { because: format!("{model} did not answer: {source}"), timed_out };
            Ok(Said { answer: Err(silence), exchanges: Vec::new(), findings: Vec::new() })
        }
        Err(NoAnswer::Halt(halt)) => Err(halt),
    }
}
