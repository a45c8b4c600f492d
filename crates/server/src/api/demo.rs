//! The bundled samples.

use std::sync::Arc;

use assize_wire::runs::RunEntry;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;

use super::describe::Operation;
use crate::auth::Caller;
use crate::demo::samples;
use crate::error::Result;
use crate::state::AppState;

pub(crate) const MAKE: Operation =
    Operation::new("Create the bundled samples of all four instruments")
        .gives::<Vec<RunEntry>>(201);

/// `POST /api/v1/demo`. Nothing is fetched and no model is asked.
pub(crate) async fn make(
    State(state): State<Arc<AppState>>,
    caller: Caller,
) -> Result<(StatusCode, Json<Vec<RunEntry>>)> {
    let workspace = state.workspace(&caller);
    let runs = samples(workspace.clone()).await?;
    Ok((StatusCode::CREATED, Json(workspace.run_entries(&runs).await?)))
}
