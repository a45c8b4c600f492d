//! Two tools that answer in a few lines: councils side by side, and a council against people.

use std::fmt::Write;

use assize_engine::council::bench::{Reading, from_values};
use assize_methods::council::Settings;
use assize_methods::council::bench::{Bench, Difference, Drawing, Part, bench};
use assize_methods::council::verdict::{Range, Status};
use assize_wire::text::tree;
use rmcp::model::JsonObject;
use serde::Serialize;
use serde_json::Value;

use super::again::kept;
use super::arguments::{Arguments, at_most};
use super::forms;
use crate::reply::{Refusal, Reply};
use crate::state::McpState;

/// Councils that are compared in one call.
const RUNS_MAX: usize = 20;

/// Comparisons in one call.
const COMPARISONS_MAX: usize = 5_000;

/// Draws: enough for two digits of an interval, and done in a moment.
const DRAWING: Drawing = Drawing { resamples: 500, seed: 42 };
const REVIEWER_DRAWS: usize = 50;

/// Councils side by side.
#[derive(Serialize)]
struct Comparison {
    councils: Vec<One>,
    same_winners: bool,
}

#[derive(Serialize)]
struct One {
    run: String,
    question: String,
    status: Status,
    winners: Vec<String>,
    no_clear_winner: bool,
    scores: Vec<(String, Option<f64>)>,
}

/// Earlier councils side by side.
pub(crate) fn compare(state: &McpState, arguments: JsonObject) -> Result<Reply, Refusal> {
    let Arguments { content, .. } = forms::COMPARE.read(arguments)?;
    let runs = content.runs.unwrap_or_default();
    at_most(RUNS_MAX, "runs", runs.len())?;
    let (mut councils, mut text) = (Vec::new(), String::new());
    for run in runs {
        let council = kept(state, &run)?;
        let verdict = council.verdict();
        let name = |answer: &usize| verdict.answers[*answer].model.clone();
        let winners: Vec<String> = verdict.winners().iter().map(name).collect();
        let score = |answer: &usize| {
            let score = verdict.answers[*answer].score.as_ref().map(|score| score.value);
            (name(answer), score)
        };
        let said = if winners.is_empty() { "no winner".to_owned() } else { winners.join(", ") };
        let _ = writeln!(text, "{run}: {said}");
        councils.push(One {
            run,
            question: council.record.question.clone(),
            status: verdict.status,
            no_clear_winner: !verdict.rivals().is_empty(),
            scores: verdict.ranking.iter().map(score).collect(),
            winners,
        });
    }
    let same_winners = councils.windows(2).all(|pair| pair[0].winners == pair[1].winners);
    Ok(Reply { data: tree(&Comparison { councils, same_winners }), text, is_failure: false })
}

/// A council against people, without what a page would add.
#[derive(Serialize)]
struct Measurement {
    comparisons: usize,
    questions: usize,
    judged: usize,
    all: Vec<Row>,
    best_reviewer: Option<String>,
    council_less_best: Option<Difference>,
    held_out: Option<HeldOut>,
}

#[derive(Serialize)]
struct HeldOut {
    rows: Vec<Row>,
    best_reviewer: Option<String>,
    council_less_best: Option<Difference>,
}

#[derive(Serialize)]
struct Row {
    name: String,
    n: usize,
    agreement: Option<f64>,
    interval: Option<Range>,
    kappa: Option<f64>,
}

/// Reviewers and councils against people's choices.
pub(crate) fn measure(arguments: JsonObject) -> Result<Reply, Refusal> {
    let Arguments { content, .. } = forms::BENCH.read(arguments)?;
    let values = content.comparisons.unwrap_or_default();
    at_most(COMPARISONS_MAX, "comparisons", values.len())?;
    let values: Vec<Value> = values.into_iter().map(Value::Object).collect();
    let comparisons = from_values(&values, &Reading::default())?;
    let settings = Settings { resamples: REVIEWER_DRAWS, ..Settings::default() };
    let found: Bench = bench(&comparisons, &settings, DRAWING);
    let mut text = String::new();
    for row in &found.all.rows {
        if let Some(agreement) = row.agreement.agreement {
            let _ = writeln!(text, "{} {agreement:.3}", row.name);
        }
    }
    let measured = Measurement {
        comparisons: found.comparisons,
        questions: found.questions,
        judged: found.judged,
        all: rows(&found.all),
        best_reviewer: found.all.best_reviewer,
        council_less_best: found.all.against_best,
        held_out: found.held_out.map(|held_out| HeldOut {
            rows: rows(&held_out.part),
            best_reviewer: held_out.part.best_reviewer,
            council_less_best: held_out.against_best,
        }),
    };
    Ok(Reply { data: tree(&measured), text, is_failure: false })
}

fn rows(part: &Part) -> Vec<Row> {
    let row = |row: &assize_methods::council::bench::Row| Row {
        name: row.name.clone(),
        n: row.agreement.count,
        agreement: row.agreement.agreement,
        interval: row.agreement.interval,
        kappa: row.agreement.kappa,
    };
    part.rows.iter().map(row).collect()
}
