//! Which models can be asked, and what they cost.

use std::sync::Arc;

use assize_engine::Workspace;
use assize_engine::asking::{JudgeName, ModelName};
use assize_wire::models::{ModelTested, Models};
use axum::Json;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Deserialize;

use super::describe::Operation;
use super::extract;
use crate::auth::Org;
use crate::error::{AppError, Result, to_app_error};
use crate::state::AppState;
use crate::work::offload;

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
    Org(workspace): Org,
    extract::Json(asked): extract::Json<Which>,
) -> Result<Json<ModelTested>> {
    let unknown = |_| AppError::bad_input(format!("`{}` is not PROVIDER/MODEL", asked.model));
    let name = asked.model.parse().map_err(unknown)?;
    Ok(Json(tested(&state, workspace, name).await?))
}

/// Asks a model one harmless question, if the operator allows it.
pub(crate) async fn tested(
    state: &AppState,
    workspace: Workspace,
    model: ModelName,
) -> Result<ModelTested> {
    let (models, stop) = (state.settings.models.clone(), state.stop.clone());
    models.allows(&JudgeName::Model(model.clone()))?;
    offload(move || async move {
        let asking = (models.config, models.options);
        workspace.test_model(&model, asking, stop).await.map_err(|error| to_app_error(&error))
    })
    .await
}
