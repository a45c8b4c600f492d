//! What a council would take, before anything is sent.

use assize_methods::Ask;
use assize_methods::council::{
    Answer, AnswerAsk, ChairAsk, CouncilRecord, Scoring, decide, seatings,
};
use async_recursion::async_recursion as boxed;

use super::hearing::{Answers, Hearing};
use super::participant::Participant;
use super::review::Listening;
use crate::asking::{AskSession, Estimate, Halt};

/// A sentence of usual length; answers that are not there yet are made of it.
const SENTENCE: &str = "A usual sentence of an answer has about twenty words, and a usual answer \
                        has about a dozen of these sentences. ";
const SENTENCES: usize = 12;

/// Adds up a council. Nothing is sent if the budget of the session is zero; answers that are
/// kept are used, and usual ones stand in for the others.
#[boxed]
pub async fn estimate(session: &AskSession, hearing: &Hearing) -> Result<Estimate, Halt> {
    let mut estimate = Estimate::default();
    let mut answers = Vec::new();
    match &hearing.answers {
        Answers::Supplied(given) => answers.extend(
            given.iter().map(|answer| Answer::given(answer.name.clone(), answer.text.clone())),
        ),
        Answers::Members(members) => {
            for member in members {
                let ask = AnswerAsk { question: &hearing.question };
                let text = add(session, member, &ask, &mut estimate).await?;
                let text = text.unwrap_or_else(|| SENTENCE.repeat(SENTENCES));
                answers.push(Answer::given(member.name.clone(), text));
            }
        }
    }
    let plan = &hearing.plan;
    let record = CouncilRecord {
        question: hearing.question.clone(),
        gate: plan.gating(&answers),
        answers,
        reviewers: Vec::new(),
        seed: plan.seed,
    };
    let orders = seatings(&record.given(), hearing.reviewers.len(), plan.seed);
    for (reviewer, seating) in hearing.reviewers.iter().zip(&orders) {
        let scoring = plan.settings.scoring;
        if scoring != Scoring::Holistic {
            let ask = Listening::new(&record, &plan.settings.profile, seating);
            add(session, reviewer, &ask, &mut estimate).await?;
        }
        if scoring != Scoring::Rubric {
            let ask = Listening::holistic(&record, seating);
            add(session, reviewer, &ask, &mut estimate).await?;
        }
    }
    let verdict = decide(&record, &plan.settings);
    if let (Some(chair), Some(ask)) = (&hearing.chair, ChairAsk::new(&record, &verdict)) {
        add(session, chair, &ask, &mut estimate).await?;
    }
    Ok(estimate)
}

async fn add<A: Ask>(
    session: &AskSession,
    participant: &Participant,
    ask: &A,
    estimate: &mut Estimate,
) -> Result<Option<A::Answer>, Halt> {
    let (judge, attempt) = participant.judge(session)?;
    session.add_to(estimate, &judge, ask, attempt).await
}
