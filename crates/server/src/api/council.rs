//! Councils: what a caller wants held, and one counted another way without asking a model.

use std::sync::Arc;

use assize_engine::council::{
    CouncilRequest, CouncilRun, Hearing, OperatorPolicy, Supplied, rescored_under,
};
use assize_wire::council::Council;
use axum::Json;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::describe::Operation;
use super::extract;
use crate::error::{AppError, Result, to_app_error};
use crate::state::{AppState, ModelSettings};
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
    change: CouncilRequest,
}

pub(crate) const RESCORE: Operation = Operation::new("Recalculate a council with other settings")
    .body::<Rescore>()
    .gives::<Value>(200);

/// `POST /api/v1/council/rescore`.
pub(crate) async fn rescore(
    State(state): State<Arc<AppState>>,
    extract::Json(asked): extract::Json<Rescore>,
) -> Result<Json<Council>> {
    asked.change.check_remote().map_err(|error| AppError::bad_input(error.to_string()))?;
    compute(move || {
        let operator = &state.settings.models.councils;
        let council = read(asked.record, operator)?;
        let council = rescored_under(&council, &asked.change, &operator.request)
            .map_err(|error| to_app_error(&error))?;
        let verdict = council.verdict();
        Ok(Json(council.to_wire(verdict)))
    })
    .await
}

/// What a council is to do: a question for its members, or answers to review. The operator's
/// policy holds, and every model must be allowed.
pub(crate) fn hearing(
    models: &ModelSettings,
    question: Option<&str>,
    answers: Option<Supplied>,
    request: CouncilRequest,
) -> Result<Hearing> {
    let refused = |error: &dyn std::fmt::Display| AppError::bad_input(error.to_string());
    request.check_remote().map_err(|error| refused(&error))?;
    if answers.is_some() {
        request.check_review().map_err(|error| refused(&error))?;
    }
    let request = request.under(models.councils.request.clone());
    let question = question.map(str::trim).filter(|question| !question.is_empty());
    let hearing = match answers {
        None => Hearing::ask(question.unwrap_or_default(), &request),
        Some(Supplied { question: beside, answers }) => {
            let question = question.map(ToOwned::to_owned).or(beside);
            Hearing::review(&question.unwrap_or_default(), answers, &request)
        }
    };
    let hearing = hearing.map_err(|error| to_app_error(&error))?;
    models.allows_models(hearing.models().map(ToString::to_string))?;
    Ok(hearing)
}

/// A council that a caller hands over, under the operator's gate.
pub(crate) fn read(record: Map<String, Value>, operator: &OperatorPolicy) -> Result<CouncilRun> {
    let text = Value::Object(record).to_string();
    let key = operator.signing_key.as_ref();
    let council = CouncilRun::from_text("record".as_ref(), &text, key);
    let council = council.map_err(|error| AppError::bad_input(to_app_error(&error).detail()))?;
    let is_large = council.record.answers.len() > ANSWERS_MAX
        || council.record.reviewers.len() > ANSWERS_MAX
        || council.settings.resamples > RESAMPLES_MAX;
    if is_large {
        return Err(AppError::bad_input(format!(
            "record: at most {ANSWERS_MAX} answers, {ANSWERS_MAX} reviewers and {RESAMPLES_MAX} resamples"
        )));
    }
    rescored_under(&council, &CouncilRequest::default(), &operator.request)
        .map_err(|error| to_app_error(&error))
}
