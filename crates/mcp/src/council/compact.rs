//! Two tools that answer in a few lines: councils side by side, and a council against people.

use std::fmt::Write;

use assize_engine::council::bench::{Reading, from_values};
use assize_methods::council::Settings;
use assize_methods::council::bench::{Bench, Drawing, Part, Row, bench};
use rmcp::model::JsonObject;
use serde_json::{Value, json};

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
        councils.push(json!({
            "run": run,
            "question": council.record.question,
            "status": verdict.status,
            "winners": winners,
            "no_clear_winner": !verdict.rivals().is_empty(),
            "scores": verdict.ranking.iter().map(score).collect::<Vec<_>>(),
        }));
    }
    let same_winners = councils.windows(2).all(|pair| pair[0]["winners"] == pair[1]["winners"]);
    let data = json!({"councils": councils, "same_winners": same_winners});
    Ok(Reply { data, text, is_failure: false })
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
    // Without what a page would add.
    let held_out = found.held_out.map(|held_out| {
        json!({
            "rows": rows(&held_out.part),
            "best_reviewer": held_out.part.best_reviewer,
            "council_less_best": held_out.against_best,
        })
    });
    let data = json!({
        "comparisons": found.comparisons,
        "questions": found.questions,
        "judged": found.judged,
        "all": rows(&found.all),
        "best_reviewer": found.all.best_reviewer,
        "council_less_best": found.all.against_best,
        "held_out": held_out,
    });
    Ok(Reply { data, text, is_failure: false })
}

fn rows(part: &Part) -> Vec<Value> {
    let row = |row: &Row| {
        json!({
            "name": row.name,
            "n": row.agreement.count,
            "agreement": row.agreement.agreement,
            "interval": row.agreement.interval,
            "kappa": row.agreement.kappa,
        })
    };
    part.rows.iter().map(row).collect()
}
