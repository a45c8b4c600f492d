//! Which models can be asked, and what they cost.

use std::sync::Arc;
use std::time::{Duration, Instant};

use assize_engine::asking::{AskOptions, AskSession, JudgeName, ModelName, NoAnswer};
use assize_wire::models::{ModelTested, Models};
use axum::Json;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Deserialize;

use super::describe::Operation;
use super::take;
use crate::error::{AppError, told};
use crate::state::AppState;
use crate::work::apart;

/// How long a reply to one harmless question may take: less than the request itself may.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) const LIST: Operation =
    Operation::new("List available models and prices").gives::<Models>(200);

/// `GET /api/v1/models`.
pub(crate) async fn list(State(state): State<Arc<AppState>>) -> Json<Models> {
    Json(state.settings.models.config.to_wire())
}

/// The model to test.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Which {
    /// As `provider/model`.
    model: String,
}

pub(crate) const TEST: Operation = Operation::new("Test a model with one harmless question")
    .body::<Which>()
    .gives::<ModelTested>(200);

/// `POST /api/v1/models/test`. That it does not answer is what somebody wants to know, and no
/// failure of the request.
pub(crate) async fn test(
    State(state): State<Arc<AppState>>,
    take::Json(asked): take::Json<Which>,
) -> Result<Json<ModelTested>, AppError> {
    let models = state.settings.models.clone();
    let name: ModelName = asked
        .model
        .parse()
        .map_err(|_| AppError::bad_input(format!("`{}` is not PROVIDER/MODEL", asked.model)))?;
    models.allows(&JudgeName::Model(name.clone()))?;
    let stop = state.stop.clone();
    apart(move || async move {
        let options = AskOptions { reply_timeout: PATIENCE, ..models.options };
        let session = AskSession::over(None, &options, models.config, stop, |_| {}).await;
        let session = session.map_err(|error| told(&error))?;
        let judge = session.judge(&name).map_err(|error| AppError::bad_input(error.to_string()))?;
        let begun = Instant::now();
        let greeted = session.greet(&judge).await;
        let seconds = begun.elapsed().as_secs_f64();
        let model = asked.model;
        Ok(Json(match greeted {
            Ok(answered) => ModelTested {
                model,
                seconds,
                answer: Some(answered.answer.word),
                tokens: Some(answered.usage.total()),
                failure: None,
            },
            Err(none) => ModelTested {
                model,
                seconds,
                answer: None,
                tokens: None,
                failure: Some(match none {
                    NoAnswer::Unscored(unscored) => unscored.because,
                    NoAnswer::Halt(halt) => told(&halt).detail().to_owned(),
                }),
            },
        }))
    })
    .await
}
