//! Which models can be asked, and what they cost.

use std::sync::Arc;

use assize_wire::models::Models;
use axum::Json;
use axum::extract::State;

use super::describe::Operation;
use crate::state::AppState;

pub(crate) const LIST: Operation =
    Operation::new("Models that can be asked, and prices").gives::<Models>(200);

/// `GET /api/v1/models`.
pub(crate) async fn list(State(state): State<Arc<AppState>>) -> Json<Models> {
    Json(state.settings.models.config.to_wire())
}
