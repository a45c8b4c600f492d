//! A council counted another way: no model is asked.

use std::sync::Arc;

use assize_engine::council::{Choices, CouncilRun, rescored_under};
use assize_methods::council::{ByDimension, Dimension, Profile};
use assize_wire::council::Council;
use axum::Json;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::describe::Operation;
use super::take;
use crate::error::{AppError, told};
use crate::state::AppState;
use crate::work::compute;

/// How often reviewers may be drawn anew in a council that a caller hands over.
const RESAMPLES_MAX: usize = 10_000;
/// As many as anybody reads; the work grows with the product.
const ANSWERS_MAX: usize = 64;

/// A council and the settings to apply.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rescore {
    /// The record, as stored in a council file.
    record: Map<String, Value>,
    /// The settings to change.
    #[serde(default)]
    change: CouncilChange,
}

/// Settings for recalculating a council.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CouncilChange {
    /// The name of a profile.
    profile: Option<String>,
    /// Weights by dimension.
    weights: Option<Weights>,
    /// Whether answers go through the safety gate. The operator's policy cannot be weakened.
    safety_gate: Option<bool>,
    /// How far the gate looks: `rules`, or `learned` for rules and a classifier; turns the gate on.
    gate_stage: Option<String>,
    /// The false-positive rate that the learned stage aims at.
    gate_rate: Option<f64>,
    /// How reviews are aggregated.
    aggregate: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Weights {
    accuracy: Option<f64>,
    relevance: Option<f64>,
    completeness: Option<f64>,
    conciseness: Option<f64>,
    clarity: Option<f64>,
}

impl CouncilChange {
    /// As the engine takes it. A profile is a name here: a caller does not read files.
    pub(crate) fn to_choices(&self) -> Result<Choices, AppError> {
        if let Some(name) = &self.profile
            && !Profile::names().contains(&name.as_str())
        {
            let known = Profile::names().join(", ");
            return Err(AppError::bad_input(format!(
                "profile: unknown profile `{name}`; available: {known}"
            )));
        }
        let weights = self.weights.map(|weights| {
            let all = [
                (Dimension::Accuracy, weights.accuracy),
                (Dimension::Relevance, weights.relevance),
                (Dimension::Completeness, weights.completeness),
                (Dimension::Conciseness, weights.conciseness),
                (Dimension::Clarity, weights.clarity),
            ];
            let named = all.into_iter().filter_map(|(name, weight)| Some((name, weight?)));
            named.collect::<ByDimension<f64>>()
        });
        Ok(Choices {
            profile: self.profile.clone(),
            weights: weights.unwrap_or_default(),
            safety_gate: self.safety_gate.or(self.gate_stage.as_ref().map(|_| true)),
            gate_stage: self.gate_stage.clone(),
            gate_rate: self.gate_rate,
            aggregate: self.aggregate.clone(),
            ..Choices::default()
        })
    }
}

pub(crate) const RESCORE: Operation = Operation::new("Recalculate a council with other settings")
    .body::<Rescore>()
    .gives::<Value>(200);

/// `POST /api/v1/council/rescore`.
pub(crate) async fn rescore(
    State(state): State<Arc<AppState>>,
    take::Json(asked): take::Json<Rescore>,
) -> Result<Json<Council>, AppError> {
    let choices = asked.change.to_choices()?;
    compute(move || {
        let operator = &state.settings.models.choices;
        let council = read(asked.record, operator)?;
        let council = rescored_under(&council, &choices, operator).map_err(|error| told(&error))?;
        let verdict = council.verdict();
        Ok(Json(council.to_wire(verdict)))
    })
    .await
}

/// A council that a caller hands over, under the operator's gate.
pub(crate) fn read(record: Map<String, Value>, operator: &Choices) -> Result<CouncilRun, AppError> {
    let text = Value::Object(record).to_string();
    let key = operator.signing_key.as_ref();
    let council = CouncilRun::from_text("record".as_ref(), &text, key);
    let council = council.map_err(|error| AppError::bad_input(told(&error).detail()))?;
    let is_large = council.record.answers.len() > ANSWERS_MAX
        || council.record.reviewers.len() > ANSWERS_MAX
        || council.settings.resamples > RESAMPLES_MAX;
    if is_large {
        return Err(AppError::bad_input(format!(
            "record: at most {ANSWERS_MAX} answers, {ANSWERS_MAX} reviewers and {RESAMPLES_MAX} resamples"
        )));
    }
    rescored_under(&council, &Choices::default(), operator).map_err(|error| told(&error))
}
