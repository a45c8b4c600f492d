//! Whether the server lives, and whether it can work.

use std::sync::Arc;
use std::time::Duration;

use assize_engine::database;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use tokio::sync::Mutex;
use tokio::time::{self, Instant};

use crate::error::{AppError, Result};
use crate::state::AppState;

/// How long the answer to a probe stands: a write costs, and anybody may ask.
const STANDS: Duration = Duration::from_secs(1);
/// A database that takes longer to write a line is no use to anybody.
const PATIENCE: Duration = Duration::from_secs(3);

/// What was found last, and when.
#[derive(Debug, Default)]
pub struct Readiness(Mutex<Option<(Instant, bool)>>);

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

/// `GET /readyz`: the database has the tables of this program and takes a write. Anybody may ask,
/// so that where the database is, and for whom, is said in the log only.
pub(crate) async fn ready(State(state): State<Arc<AppState>>) -> Result<Json<Health>> {
    // Who comes while somebody looks waits for what they find.
    let mut last = state.readiness.0.lock().await;
    let (_, is_ready) = match *last {
        Some(found) if found.0.elapsed() < STANDS => found,
        _ => *last.insert((Instant::now(), look(&state).await)),
    };
    if is_ready {
        return Ok(alive().await);
    }
    let detail = "the database does not respond as expected; see the log";
    Err(AppError::new(StatusCode::SERVICE_UNAVAILABLE, "not_ready", detail))
}

async fn look(state: &AppState) -> bool {
    let looked = time::timeout(PATIENCE, checked(state)).await;
    let looked = looked.unwrap_or_else(|_| Err(AppError::too_many("the database is too slow")));
    if let Err(error) = &looked {
        tracing::warn!(error = error.detail(), "not ready");
    }
    looked.is_ok()
}

async fn checked(state: &AppState) -> Result<()> {
    let (version, wanted) = database::versions(state.store.place()).await?;
    if version != wanted {
        let detail =
            format!("the database schema has version {version}, but this program needs {wanted}");
        return Err(AppError::new(StatusCode::SERVICE_UNAVAILABLE, "outdated_store", detail));
    }
    Ok(state.store.try_write().await?)
}
