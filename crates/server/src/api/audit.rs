//! Who changed what, when.

use std::sync::Arc;

use assize_wire::Listing;
use assize_wire::audit::AuditEntry;
use axum::Json;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Deserialize;

use super::describe::Operation;
use super::take::{self, limit};
use crate::auth::Caller;
use crate::error::AppError;
use crate::state::AppState;

/// Which entries.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Which {
    /// Where the page before ended: its `next`.
    cursor: Option<String>,
    /// How many on a page; 100 unless given.
    #[schemars(range(min = 1, max = 500))]
    limit: Option<u32>,
}

pub(crate) const LIST: Operation = Operation::new("Who changed what, the latest first")
    .query::<Which>()
    .gives::<Listing<AuditEntry>>(200);

/// `GET /api/v1/audit`.
pub(crate) async fn list(
    State(state): State<Arc<AppState>>,
    caller: Caller,
    take::Query(which): take::Query<Which>,
) -> Result<Json<Listing<AuditEntry>>, AppError> {
    let before = which.cursor.as_deref().map(str::parse).transpose();
    let before = before.map_err(|_| AppError::bad_input("cursor: not one of ours"))?;
    Ok(Json(state.registry(&caller).audit_page(before, limit(which.limit)?).await?))
}
