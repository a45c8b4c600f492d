//! What a council would take, before anything is sent.

use assize_methods::Ask;
use assize_methods::council::rounds::verdict_of_round;
use assize_methods::council::{
    Abstention, Answer, AnswerAsk, Ballot, ChairAsk, CouncilRecord, Heard, Reviewer, Scoring,
    Seating, decide, seatings,
};
use async_recursion::async_recursion as boxed;

use super::hearing::{Answers, Hearing};
use super::participant::Participant;
use super::plan::ROUNDS_MAX;
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
                let ask =
                    AnswerAsk { question: &hearing.question, evidence: &hearing.plan.evidence };
                let text = add(session, member, &ask, &mut estimate).await?;
                let text = text.unwrap_or_else(|| SENTENCE.repeat(SENTENCES));
                answers.push(Answer::given(member.name.clone(), text));
            }
        }
    }
    let plan = &hearing.plan;
    let mut record = CouncilRecord {
        question: hearing.question.clone(),
        evidence: plan.evidence.clone(),
        gate: plan.gating(&answers),
        answers,
        reviewers: Vec::new(),
        seed: plan.seed,
    };
    let orders = seatings(&record.given(), hearing.reviewers.len(), plan.seed);
    let mut reviewers = Vec::new();
    for (participant, seating) in hearing.reviewers.iter().zip(orders) {
        let scoring = plan.settings.scoring;
        let mut ballot = None;
        if scoring != Scoring::Holistic {
            let ask = Listening::new(&record, &plan.settings, &seating);
            ballot = add(session, participant, &ask, &mut estimate).await?;
        }
        if scoring != Scoring::Rubric {
            let ask = Listening::holistic(&record, &seating);
            let score = add(session, participant, &ask, &mut estimate).await?;
            ballot = ballot.or(score.filter(|_| scoring == Scoring::Holistic));
        }
        reviewers.push(reviewer(participant, seating, ballot));
    }
    record.reviewers = reviewers;
    if plan.settings.rounds == ROUNDS_MAX {
        second_round(session, hearing, &mut record, &mut estimate).await?;
    }
    let verdict = decide(&record, &plan.settings);
    if let (Some(chair), Some(ask)) = (&hearing.chair, ChairAsk::new(&record, &verdict)) {
        add(session, chair, &ask, &mut estimate).await?;
    }
    Ok(estimate)
}

/// A reviewer with the ballot that is kept, or with none.
fn reviewer(participant: &Participant, seating: Seating, ballot: Option<Ballot>) -> Reviewer {
    let unasked = || Heard::Abstained { kind: Abstention::Failed, because: String::new() };
    Reviewer {
        model: participant.name.clone(),
        spoken_by: Some(participant.model.to_string()),
        seating,
        first: None,
        replies: Vec::new(),
        heard: ballot.map_or_else(unasked, Heard::Ballot),
        holistic: None,
    }
}

/// Everybody is asked again. Where the marks of the first round are not there yet, the form is a
/// little shorter than it will be.
async fn second_round(
    session: &AskSession,
    hearing: &Hearing,
    record: &mut CouncilRecord,
    estimate: &mut Estimate,
) -> Result<(), Halt> {
    let before = record.clone();
    let first = verdict_of_round(&before, &hearing.plan.settings);
    for (row, participant) in hearing.reviewers.iter().enumerate() {
        let ask = Listening::again(&before, &hearing.plan.settings, &first, row);
        if let Some(ballot) = add(session, participant, &ask, estimate).await? {
            record.reviewers[row].revise(ask.replies(), Heard::Ballot(ballot));
        }
    }
    Ok(())
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
