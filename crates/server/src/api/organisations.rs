//! Organisations: walls around what belongs together.

use std::sync::Arc;

use assize_wire::accounts::OrganisationEntry;
use assize_wire::runs::DayBudget;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::Deserialize;

use super::describe::Operation;
use super::extract;
use crate::auth::{Caller, Org};
use crate::error::{Result, to_app_error};
use crate::state::AppState;

pub(crate) const LIST: Operation = Operation::new("List the organisations the caller belongs to")
    .gives::<Vec<OrganisationEntry>>(200);

/// `GET /api/v1/organisations`. A token, and the one person of a loopback server, belong to one.
pub(crate) async fn list(
    State(state): State<Arc<AppState>>,
    caller: Caller,
) -> Result<Json<Vec<OrganisationEntry>>> {
    let workspace = state.workspace(&caller);
    let entries = match &caller.user {
        Some(user) => workspace.own_organisations(user).await,
        None => workspace.only_organisation(caller.role).await,
    };
    Ok(Json(entries.map_err(|error| to_app_error(&error))?))
}

/// An organisation to create.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Make {
    /// Its name, which must be unique.
    name: String,
}

pub(crate) const MAKE: Operation =
    Operation::new("Create an organisation; its creator becomes the administrator")
        .body::<Make>()
        .gives::<OrganisationEntry>(201);

/// `POST /api/v1/organisations`.
pub(crate) async fn make(
    State(state): State<Arc<AppState>>,
    caller: Caller,
    extract::Json(asked): extract::Json<Make>,
) -> Result<(StatusCode, Json<OrganisationEntry>)> {
    let workspace = state.workspace(&caller);
    let made = workspace.add_organisation(&asked.name, caller.user.as_ref()).await;
    let made = made.map_err(|error| to_app_error(&error))?;
    let entry = OrganisationEntry {
        id: made.id.to_string(),
        name: made.name,
        role: caller.role.to_string(),
        current: false,
    };
    Ok((StatusCode::CREATED, Json(entry)))
}

pub(crate) const DAY_BUDGET: Operation =
    Operation::new("Get today's budget and spending of the organisation").gives::<DayBudget>(200);

/// `GET /api/v1/day-budget`. The operator sets it, no request does.
pub(crate) async fn day_budget(Org(workspace): Org) -> Result<Json<DayBudget>> {
    Ok(Json(workspace.day_budget().await?))
}
