//! A run scored again: no model is asked, and both versions are kept.

use std::sync::Arc;

use assize_engine::runs::RescoreRequest;
use assize_engine::store::Order;
use assize_wire::runs::RunView;
use axum::Json;
use axum::extract::State;

use super::named;
use crate::api::describe::Operation;
use crate::api::extract;
use crate::auth::Org;
use crate::error::{AppError, Result, to_app_error};
use crate::state::AppState;

pub(crate) const RESCORE: Operation = Operation::new("Rescore a run; both versions are kept")
    .body::<RescoreRequest>()
    .gives::<RunView>(200);

/// `POST /api/v1/runs/{run}/rescore`.
pub(crate) async fn rescore(
    State(state): State<Arc<AppState>>,
    Org(workspace): Org,
    extract::Path(name): extract::Path<String>,
    extract::Json(asked): extract::Json<RescoreRequest>,
) -> Result<Json<RunView>> {
    let run = named(&workspace, &name).await?;
    let checked = asked.council.check_remote();
    checked.map_err(|error| AppError::bad_input(error.to_string()))?;
    let asked = asked.under(state.settings.models.councils.request.clone());
    workspace.rescore(&run, &asked).await.map_err(|error| to_app_error(&error))?;
    let run = named(&workspace, run.id.as_str()).await?;
    let order = Order::ByPosition { after: None };
    Ok(Json(workspace.run_view(&run, None, &order, 20).await?))
}
