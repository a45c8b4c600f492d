//! Browsers in which somebody is signed in, and their password.

use std::sync::Arc;
use std::time::Instant;

use assize_engine::Workspace;
use assize_engine::accounts::AccountError;
use assize_engine::store::UserId;
use assize_wire::accounts::SessionEntry;
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use schemars::JsonSchema;
use serde::Deserialize;

use super::describe::Operation;
use super::extract;
use crate::auth::throttle::Guess;
use crate::auth::{Caller, session_token};
use crate::error::{AppError, Result, to_app_error};
use crate::state::AppState;
use crate::work::offload;

pub(crate) const LIST: Operation =
    Operation::new("List the caller's active sessions").gives::<Vec<SessionEntry>>(200);

/// `GET /api/v1/me/sessions`.
pub(crate) async fn list(
    State(state): State<Arc<AppState>>,
    caller: Caller,
    headers: HeaderMap,
) -> Result<Json<Vec<SessionEntry>>> {
    let workspace = state.workspace(&caller);
    let Some(user) = &caller.user else { return Ok(Json(Vec::new())) };
    let current = session_token(&headers).unwrap_or_default();
    let all = workspace.own_sessions(user, &current).await;
    Ok(Json(all.map_err(|error| to_app_error(&error))?))
}

pub(crate) const END: Operation = Operation::new("End a session");

/// `DELETE /api/v1/me/sessions/{id}`.
pub(crate) async fn end(
    State(state): State<Arc<AppState>>,
    caller: Caller,
    extract::Path(id): extract::Path<String>,
) -> Result<StatusCode> {
    let workspace = state.workspace(&caller);
    let missing = || AppError::not_found("session not found");
    let user = caller.user.as_ref().ok_or_else(missing)?;
    workspace.end_session(user, &id).await.map_err(|error| to_app_error(&error))?;
    Ok(StatusCode::NO_CONTENT)
}

/// A password change.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Change {
    /// The current password.
    old: String,
    /// The new password: at least 12 characters, and hard to guess.
    new: String,
}

pub(crate) const PASSWORD: Operation =
    Operation::new("Change the caller's password and end all sessions").body::<Change>();

/// `PUT /api/v1/me/password`.
pub(crate) async fn password(
    State(state): State<Arc<AppState>>,
    caller: Caller,
    extract::Json(asked): extract::Json<Change>,
) -> Result<StatusCode> {
    let _: &UserId = caller
        .user
        .as_ref()
        .ok_or_else(|| AppError::refused("only a person with an account can change a password"))?;
    change_password(&state, &caller, asked.old, asked.new).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Gives the caller another password.
pub(crate) async fn change_password(
    state: &AppState,
    caller: &Caller,
    old: String,
    new: String,
) -> Result<()> {
    let change = move |workspace: Workspace, name: String| async move {
        workspace.change_password(&name, &old, &new).await
    };
    with_password(state, caller, change).await
}

/// Does something for which the caller shows the password they have. It is guessed no more often
/// than at sign-in.
pub(crate) async fn with_password<Doing: Future<Output = Result<(), AccountError>>>(
    state: &AppState,
    caller: &Caller,
    work: impl FnOnce(Workspace, String) -> Doing + Send + 'static,
) -> Result<()> {
    let guess = Guess::new(&caller.who, caller.address.as_deref());
    state.throttle.allow(&guess)?;
    let (workspace, name) = (state.workspace(caller), caller.who.clone());
    // Hashing keeps a core busy for a while.
    let done = offload(move || async move { Ok(work(workspace, name).await) }).await?;
    if matches!(done, Err(AccountError::Wrong)) {
        state.throttle.failed(&guess, Instant::now());
    }
    done.map_err(|error| to_app_error(&error))
}
