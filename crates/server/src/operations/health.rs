//! Whether the server lives, and whether it can work.

use std::sync::Arc;

use assize_engine::database;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;

use crate::error::AppError;
use crate::state::AppState;

/// That it lives.
#[derive(Debug, Serialize)]
pub(crate) struct Health {
    status: &'static str,
    /// Of the program.
    version: &'static str,
}

/// `GET /healthz`: the process answers, whatever the database does.
pub(crate) async fn alive() -> Json<Health> {
    Json(Health { status: "ok", version: env!("CARGO_PKG_VERSION") })
}

/// `GET /readyz`: the database answers and has the tables of this program. Anybody may ask, so
/// that where the database is, and for whom, is said in the log only.
pub(crate) async fn ready(State(state): State<Arc<AppState>>) -> Result<Json<Health>, AppError> {
    checked(&state).await.map_err(|error| {
        tracing::warn!(error = error.detail(), "not ready");
        let detail = "the database does not respond as expected; see the log";
        AppError::new(StatusCode::SERVICE_UNAVAILABLE, "not_ready", detail)
    })?;
    Ok(alive().await)
}

async fn checked(state: &AppState) -> Result<(), AppError> {
    let (version, wanted) = database::versions(state.store.place()).await?;
    if version != wanted {
        let detail =
            format!("the database schema has version {version}, but this program needs {wanted}");
        return Err(AppError::new(StatusCode::SERVICE_UNAVAILABLE, "outdated_store", detail));
    }
    state.store.organisations().list().await?;
    Ok(())
}
