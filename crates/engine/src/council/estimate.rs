//! What a sitting would take, before anything is sent.

use assize_methods::Ask;
use assize_methods::council::{Answer, AnswerAsk, ChairAsk, CouncilRecord, decide, seatings};
use assize_models::{Money, Usage};

use super::gating::gating;
use super::request::{Answers, Request};
use super::review::Listening;
use super::seat::Seat;
use super::session::Session;
use crate::interview::account::sum;
use crate::interview::{Halt, NoAnswer};

/// A sentence of usual length; answers that are not there yet are made of it.
const SENTENCE: &str = "A usual sentence of an answer has about twenty words, and a usual answer \
                        has about a dozen of these sentences. ";
const SENTENCES: usize = 12;

/// What a sitting would take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Estimate {
    /// Questions whose replies are kept already.
    pub kept: u64,
    /// Questions that would be sent, if every reply can be read.
    pub calls: u64,
    /// Their tokens: requests by a rule of thumb, replies at their longest.
    pub usage: Usage,
    /// What they would cost at most, as far as prices are known.
    pub price: Money,
    /// Questions to models without a known price.
    pub unpriced: u64,
}

/// Adds up a sitting. Nothing is sent if the budget of the session is zero; answers that are
/// kept are used, and usual ones stand in for the others.
pub async fn estimate(session: &Session, request: &Request) -> Result<Estimate, Halt> {
    let mut estimate = Estimate::default();
    let mut answers = Vec::new();
    match &request.answers {
        Answers::Supplied(given) => answers.extend(
            given.iter().map(|answer| Answer::given(answer.name.clone(), answer.text.clone())),
        ),
        Answers::Members(members) => {
            for member in members {
                let ask = AnswerAsk { question: &request.question };
                let text = step(session, member, &ask, &mut estimate).await?;
                let text = text.unwrap_or_else(|| SENTENCE.repeat(SENTENCES));
                answers.push(Answer::given(member.name.clone(), text));
            }
        }
    }
    let plan = &request.plan;
    let record = CouncilRecord {
        question: request.question.clone(),
        gate: gating(plan, &answers),
        answers,
        reviewers: Vec::new(),
        seed: plan.seed,
    };
    let orders = seatings(&record.given(), request.reviewers.len(), plan.seed);
    for (reviewer, seating) in request.reviewers.iter().zip(&orders) {
        let ask = Listening::new(&record, &plan.settings.profile, seating);
        step(session, reviewer, &ask, &mut estimate).await?;
    }
    let verdict = decide(&record, &plan.settings);
    if let (Some(chair), Some(ask)) = (&request.chair, ChairAsk::new(&record, &verdict)) {
        step(session, chair, &ask, &mut estimate).await?;
    }
    Ok(estimate)
}

/// One question: its answer if that is kept, and otherwise what it would take.
async fn step<A: Ask>(
    session: &Session,
    seat: &Seat,
    ask: &A,
    estimate: &mut Estimate,
) -> Result<Option<A::Answer>, Halt> {
    let (judge, attempt) = session.line(seat);
    let quote = session.desk.quote(&judge, ask, attempt).await?;
    if quote.is_kept {
        match session.desk.put(&judge, ask, attempt).await {
            Ok(answered) => {
                estimate.kept += 1;
                return Ok(Some(answered.answer));
            }
            Err(NoAnswer::Halt(halt @ Halt::Store(_))) => return Err(halt),
            // What is kept cannot be read, and it would be asked again.
            Err(_) => {}
        }
    }
    estimate.calls += 1;
    estimate.usage = sum(estimate.usage, quote.usage);
    match quote.price {
        Some(price) => estimate.price.nanodollars += price.nanodollars,
        None => estimate.unpriced += 1,
    }
    Ok(None)
}
