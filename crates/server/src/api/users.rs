//! People of the organisation, and who is asking.

use std::sync::Arc;

use assize_engine::store::{Membership, Role};
use assize_wire::accounts::{Me, UserEntry};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::describe::Operation;
use super::extract;
use crate::auth::{Caller, Org};
use crate::error::{AppError, Result, to_app_error};
use crate::state::AppState;
use crate::work::offload;

pub(crate) const ME: Operation = Operation::new("Get the caller's account").gives::<Me>(200);

/// `GET /api/v1/me`.
pub(crate) async fn me(caller: Caller) -> Json<Me> {
    Json(Me {
        name: caller.who,
        organisation: caller.organisation.to_string(),
        role: caller.role.to_string(),
        scope: caller.scope.map(|scope| scope.to_string()),
    })
}

pub(crate) const LIST: Operation =
    Operation::new("List the people in the organisation").gives::<Vec<UserEntry>>(200);

/// `GET /api/v1/users`.
pub(crate) async fn list(Org(workspace): Org) -> Result<Json<Vec<UserEntry>>> {
    let all = workspace.users().await.map_err(|error| to_app_error(&error))?;
    Ok(Json(all.into_iter().map(entry).collect()))
}

pub(crate) fn entry(member: Membership) -> UserEntry {
    UserEntry {
        name: member.user.name,
        role: member.role.to_string(),
        disabled: member.user.is_disabled,
        one_time_codes: member.user.code_secret.is_some(),
        created_at: member.user.created_at,
    }
}

/// A person to add.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Add {
    /// The name they sign in with.
    name: String,
    /// Their password: at least 12 characters, and hard to guess.
    password: String,
    /// Their role.
    role: Role,
}

pub(crate) const ADD: Operation =
    Operation::new("Add a person").body::<Add>().gives::<UserEntry>(201);

/// `POST /api/v1/users`.
pub(crate) async fn add(
    Org(workspace): Org,
    extract::Json(asked): extract::Json<Add>,
) -> Result<(StatusCode, Json<UserEntry>)> {
    // Hashing keeps a core busy for a while.
    offload(move || async move {
        let Add { name, password, role } = asked;
        let made = workspace.add_user(&name, &password, role).await;
        made.map_err(|error| to_app_error(&error))?;
        let member = workspace.user(&name).await.map_err(|error| to_app_error(&error))?;
        Ok((StatusCode::CREATED, Json(entry(member))))
    })
    .await
}

/// What to change; fields that are left out stay as they are.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Edit {
    /// Their role.
    role: Option<Role>,
    /// Whether the account is disabled.
    disabled: Option<bool>,
    /// A new password.
    password: Option<String>,
    /// `false` has them need one-time codes no more; only they themselves can turn them on.
    one_time_codes: Option<bool>,
}

pub(crate) const EDIT: Operation = Operation::new("Change a person's role, password or access")
    .body::<Edit>()
    .gives::<UserEntry>(200);

/// `PATCH /api/v1/users/{name}`.
pub(crate) async fn edit(
    State(state): State<Arc<AppState>>,
    caller: Caller,
    extract::Path(name): extract::Path<String>,
    extract::Json(asked): extract::Json<Edit>,
) -> Result<Json<UserEntry>> {
    let workspace = state.workspace(&caller);
    offload(move || async move {
        let told = |error| to_app_error(&error);
        // Only people of the caller's organisation are there at all.
        let member = workspace.user(&name).await.map_err(told)?;
        if asked.one_time_codes == Some(true) {
            let detail = "only the user can turn on one-time codes";
            return Err(AppError::refused(detail));
        }
        let is_of_account = asked.password.is_some() || asked.disabled.is_some();
        if is_of_account || asked.one_time_codes.is_some() {
            workspace.belongs_only_here(&member.user).await.map_err(told)?;
        }
        if let Some(role) = asked.role {
            workspace.set_role(&name, role).await.map_err(told)?;
        }
        if let Some(password) = &asked.password {
            workspace.set_password(&name, password).await.map_err(told)?;
        }
        if asked.one_time_codes.is_some() {
            workspace.forget_codes(&name).await.map_err(told)?;
        }
        if let Some(is_disabled) = asked.disabled {
            workspace.set_disabled(&name, is_disabled).await.map_err(told)?;
        }
        Ok(Json(entry(workspace.user(&name).await.map_err(told)?)))
    })
    .await
}

pub(crate) const REMOVE: Operation = Operation::new(
    "Remove a person from the organisation; what they did stays under the name that is returned",
)
.gives::<Removed>(200);

/// A person who was removed.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Removed {
    /// The name under which their decisions, ratings and runs stay.
    former_name: String,
}

/// `DELETE /api/v1/users/{name}`.
pub(crate) async fn remove(
    Org(workspace): Org,
    extract::Path(name): extract::Path<String>,
) -> Result<Json<Removed>> {
    let removed = workspace.remove_user(&name).await;
    Ok(Json(Removed { former_name: removed.map_err(|error| to_app_error(&error))? }))
}

pub(crate) const SIGN_OUT: Operation = Operation::new("End all sessions of a person");

/// `DELETE /api/v1/users/{name}/sessions`.
pub(crate) async fn sign_out(
    Org(workspace): Org,
    extract::Path(name): extract::Path<String>,
) -> Result<StatusCode> {
    workspace.end_sessions_of(&name).await.map_err(|error| to_app_error(&error))?;
    Ok(StatusCode::NO_CONTENT)
}
