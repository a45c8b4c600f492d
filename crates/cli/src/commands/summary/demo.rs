//! The summaries' part of `assize demo`: a good and a bad summary of an invented article.

use std::fmt::Write;

use anyhow::{Result, anyhow};
use assize_engine::asking::{AskSession, Stop};
use assize_engine::summary::calibration::Calibrations;
use assize_engine::summary::input::Place;
use assize_engine::summary::model::SummaryJudge;
use assize_engine::summary::{Framework, Judged, Pair, Settings, SummaryRequest};
use assize_methods::summary::Metric;

use super::score::ledger;
use crate::output::table::{numbers, table, words};
use crate::output::terminal::{quiet, strong};
use crate::runtime::block_on;

const ARTICLE: &str = include_str!("../../../../../examples/summary/article.txt");
const GOOD: &str = include_str!("../../../../../examples/summary/good.txt");
const BAD: &str = include_str!("../../../../../examples/summary/bad.txt");

/// Replies of a small model on a laptop, recorded for the bad summary.
const RECORDED: &str = include_str!("../../../../../examples/summary/recorded.jsonl");

/// The bad summary judged by a model, from a recording.
pub(crate) fn recorded_section() -> Result<String> {
    let request = SummaryRequest { framework: Framework::JudgeLock, ..SummaryRequest::default() };
    let session = AskSession::recorded("examples/summary/recorded.jsonl", RECORDED)?;
    let request = request.by_recorded_model(&session)?;
    let (settings, judge) = (request.settings()?, SummaryJudge::new(session, &request)?);
    let names: Vec<&str> = judge.names().collect();
    let title = format!(
        "The bad one again, by Judge-Lock with a model: a RECORDED SAMPLE of {}, replayed offline",
        names.join(", ")
    );
    let judged = block_on(&Stop::default(), async { Ok(judge.judge(None, sample(BAD)).await?) })?;
    let card = judged
        .to_card(1, settings, &Calibrations::default())
        .map_err(|reason| anyhow!("the recorded sample cannot be scored: {reason}"))?;
    let again = "\
The small model accepts claims that the summary invented, but the words it quotes as evidence are not in the article,
as the findings show. Judge-Lock keeps such labels; judge-lock-ultra lowers them and lets several judges vote.
Reproduce: assize summary score --article examples/summary/article.txt --summary examples/summary/bad.txt \\
  --framework judge-lock --replay examples/summary/recorded.jsonl";
    Ok(format!("{}\n{}{}\n", strong(&title), ledger::scorecard(&card, false), quiet(again)))
}

/// Two rows of scores, and how the worst one was computed.
pub(crate) fn short_section() -> Result<String> {
    let mut text =
        format!("{}\n", strong("Summary: is it faithful to its article? Scored by rules, 0 to 10"));
    let mut headings = vec![words("")];
    headings.extend(Metric::ALL.map(|metric| numbers(metric.name())));
    let (mut rows, mut ledger) = (Vec::new(), String::new());
    for (title, summary) in [("a good one", GOOD), ("a bad one", BAD)] {
        let settings = Settings::default();
        let judged = Judged::of(None, sample(summary), settings);
        let card = judged
            .to_card(1, settings, &Calibrations::default())
            .map_err(|reason| anyhow!("the sample cannot be scored: {reason}"))?;
        let mut row = vec![title.to_owned()];
        row.extend(Metric::ALL.map(|metric| {
            card.scores.get(metric).map_or("–".to_owned(), |score| format!("{score:.2}"))
        }));
        rows.push(row);
        ledger = card.outcome(Metric::Hallucination).to_string();
    }
    text.push_str(&table(&headings, rows));
    text.push_str("How hallucination of the bad one was computed:\n");
    for line in ledger.lines() {
        let _ = writeln!(text, "  {line}");
    }
    Ok(text)
}

fn sample(summary: &str) -> Pair {
    Pair {
        place: Place::Line(1),
        article: ARTICLE.to_owned(),
        summary: summary.to_owned(),
        record: serde_json::Value::Null,
    }
}

/// Two scorecards, the second with its ledger.
pub(crate) fn demo_section() -> Result<String> {
    let mut text =
        format!("{}\n", strong("Summaries: two summaries of an invented article, scored by rules"));
    for (title, summary, ledgers) in
        [("A good one", GOOD, false), ("A bad one, with its ledger", BAD, true)]
    {
        let settings = Settings::default();
        let judged = Judged::of(None, sample(summary), settings);
        let card = judged
            .to_card(1, settings, &Calibrations::default())
            .map_err(|reason| anyhow!("the sample cannot be scored: {reason}"))?;
        let _ = write!(text, "\n{}\n{}", strong(title), ledger::scorecard(&card, ledgers));
    }
    let again = "\
To reproduce this from the project's folder, or to use your own files:
  assize summary score --article examples/summary/article.txt --summary examples/summary/bad.txt
  assize summary score --input examples/summary/pairs.jsonl -o scorecards.html";
    let _ = writeln!(text, "{}", quiet(again));
    Ok(text)
}
