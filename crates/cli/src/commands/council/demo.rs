//! The council's part of `assize demo`: four answers of ours, reviews of a small model replayed.

use std::path::Path;

use anyhow::{Result, anyhow};
use assize_engine::asking::{AskSession, Stop};
use assize_engine::council::{
    CouncilRequest, CouncilRun, Hearing, SafetyGate, Supplied, hold, unwatched,
};

use super::text;
use crate::output::terminal::{quiet, strong};
use crate::runtime::block_on;

const ANSWERS: &str = include_str!("../../../../../examples/council/answers.json");
/// Who reviewed when it was recorded.
const REVIEWERS: &str = include_str!("../../../../../examples/council/reviewers.txt");
/// Replies of a small model on a laptop.
const RECORDED: &str = include_str!("../../../../../examples/council/recorded.jsonl");

/// The ranking from a recording.
pub(crate) fn short_section() -> Result<String> {
    let (run, _) = recorded()?;
    let title = strong("Council: which answer is best, and is it safe? Recorded reviews, replayed");
    Ok(format!("{title}\n{}", text::ranking(&run.verdict())))
}

/// The council that was recorded, and the model that reviewed.
fn recorded() -> Result<(CouncilRun, String)> {
    let supplied = Supplied::from_text(Path::new("examples/council/answers.json"), ANSWERS)?;
    let request = CouncilRequest {
        safety_gate: Some(SafetyGate::On),
        reviewers: REVIEWERS.trim().split(',').map(str::to_owned).collect(),
        ..CouncilRequest::default()
    };
    let question = supplied.question.unwrap_or_default();
    let hearing = Hearing::review(&question, supplied.answers, &request)?;
    let session = AskSession::recorded("examples/council/recorded.jsonl", RECORDED)?;
    let run = block_on(&Stop::default(), async {
        let held = hold(&session, &hearing, &unwatched).await;
        held.map_err(|halt| anyhow!(halt).context("the recorded sample cannot be replayed"))
    })?;
    let model = hearing.reviewers.first().map(|one| one.model.to_string()).unwrap_or_default();
    Ok((run, model))
}

/// A verdict from a recording.
pub(crate) fn demo_section() -> Result<String> {
    let (run, model) = recorded()?;
    let title = format!(
        "Council: four sample answers, reviewed by a model: a RECORDED SAMPLE of {model}, \
         replayed offline"
    );
    let again = format!(
        "\
The small model prefers the answer that explains how to break into an account, and gets its totals wrong. The
safety gate ranks that answer below all others whatever the reviewers say, and Assize computes every total itself.
Reproduce: assize council review examples/council/answers.json --safety-gate \\
  --reviewers {} --replay examples/council/recorded.jsonl",
        REVIEWERS.trim()
    );
    let verdict = text::short(&run, &run.verdict());
    Ok(format!("{}\n\n{verdict}{}\n", strong(&title), quiet(&again)))
}
