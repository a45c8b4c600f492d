//! Answers checked by the safety gate.

use assize_engine::gate::check_texts;
use assize_wire::gate::Checked;
use axum::Json;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::describe::Operation;
use super::extract;
use crate::error::{AppError, Result};
use crate::work::compute;

/// Answers to check.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GateInput {
    /// The texts.
    answers: Vec<String>,
    /// Whether to add the second stage: a classifier trained on labelled answers
    #[serde(default)]
    learned: bool,
    /// False-positive rate that both stages aim at, 0.002 to 0.05 [default: 0.01]
    gate_rate: Option<f64>,
}

pub(crate) const CHECK: Operation =
    Operation::new("Check answers with the safety gate").body::<GateInput>().gives::<Value>(200);

/// `POST /api/v1/gate`.
pub(crate) async fn run(extract::Json(asked): extract::Json<GateInput>) -> Result<Json<Checked>> {
    compute(move || {
        let checked = check_texts(&asked.answers, asked.learned, asked.gate_rate);
        checked.map(Json).map_err(|error| AppError::bad_input(error.to_string()))
    })
    .await
}
