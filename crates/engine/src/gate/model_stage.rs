//! The gate's third stage: a model reads what the other stages let pass.

use assize_methods::gate::{GateAsk, GateFinding, GateReport};
use assize_models::ModelName;
use async_recursion::async_recursion as boxed;

use crate::asking::{AskSession, Estimate, Halt, NoAnswer, over_items};

/// An answer about which a model said nothing that can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// Which answer, from 0.
    pub index: usize,
    /// Why.
    pub because: String,
}

/// Asks a model about every answer that passed, and puts its findings beside the others. What
/// the other stages failed stays failed and is not asked about: a model cannot acquit.
///
/// Answers that the model says nothing usable about are given back; their reports stay as they
/// were.
pub async fn ask_model(
    session: &AskSession,
    model: &ModelName,
    answers: &[&str],
    reports: &mut [GateReport],
    mut progress: impl FnMut(usize),
) -> Result<Vec<Unread>, Halt> {
    let judge = session.judge(model)?;
    let passed = passed(reports);
    let mut found: Vec<(usize, GateFinding)> = Vec::new();
    let mut unread = Vec::new();
    let mut done = 0;
    let work = async |_: usize, index: usize| {
        let ask = GateAsk { answer: answers[index] };
        match session.ask(&judge, &ask, session.attempt).await {
            Ok(answered) => Ok((index, Ok(answered.answer))),
            Err(NoAnswer::Unscored(unscored)) => Ok((index, Err(unscored.because))),
            Err(NoAnswer::Halt(halt)) => Err(halt),
        }
    };
    over_items(passed, session.concurrency, &session.stop, work, |_, (index, said)| {
        done += 1;
        progress(done);
        match said {
            Ok(Some(finding)) => found.push((index, finding)),
            Ok(None) => {}
            Err(because) => unread.push(Unread { index, because }),
        }
    })
    .await?;
    for (index, finding) in found {
        let report = &mut reports[index];
        *report = std::mem::take(report).with_finding(finding);
    }
    unread.sort_by_key(|one| one.index);
    Ok(unread)
}

/// What [`ask_model`] would take.
#[boxed]
pub async fn estimate_model(
    session: &AskSession,
    model: &ModelName,
    answers: &[&str],
    reports: &[GateReport],
) -> Result<Estimate, Halt> {
    let judge = session.judge(model)?;
    let mut estimate = Estimate::default();
    for index in passed(reports) {
        let ask = GateAsk { answer: answers[index] };
        session.add_to(&mut estimate, &judge, &ask, session.attempt).await?;
    }
    Ok(estimate)
}

fn passed(reports: &[GateReport]) -> Vec<usize> {
    reports.iter().enumerate().filter(|(_, report)| report.passed).map(|(index, _)| index).collect()
}
