//! Tokens that programs come in with.

use assize_engine::accounts::TokenRequest;
use assize_engine::store::{ApiToken, Scope};
use assize_wire::accounts::{MadeToken, TokenEntry};
use axum::http::StatusCode;
use axum::{Extension, Json};
use schemars::JsonSchema;
use serde::Deserialize;

use super::describe::Operation;
use super::extract;
use crate::auth::Org;
use crate::error::{AppError, Result, to_app_error};
use crate::idempotent::ShownOnce;

pub(crate) const LIST: Operation =
    Operation::new("List tokens, without their secrets").gives::<Vec<TokenEntry>>(200);

/// `GET /api/v1/tokens`.
pub(crate) async fn list(Org(workspace): Org) -> Result<Json<Vec<TokenEntry>>> {
    let all = workspace.tokens().await.map_err(|error| to_app_error(&error))?;
    Ok(Json(all.into_iter().map(entry).collect()))
}

pub(crate) fn entry(token: ApiToken) -> TokenEntry {
    TokenEntry {
        id: token.id.to_string(),
        name: token.name,
        scope: token.scope.to_string(),
        made_by: token.made_by,
        created_at: token.created_at,
        expires_at: token.expires_at,
        revoked_at: token.revoked_at,
        used_at: token.used_at,
    }
}

/// A token to create.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Make {
    /// Its name.
    name: String,
    /// What it can be used for.
    scope: Scope,
    /// For how many days it is valid; defaults to 90.
    #[schemars(range(min = 1, max = 3650))]
    days: Option<u32>,
}

/// A token counts for so long unless somebody says so.
const DAYS: u32 = 90;
/// At most.
pub(crate) const DAYS_MAX: u32 = 3650;

pub(crate) const MAKE: Operation = Operation::new("Create a token; its secret is shown once")
    .body::<Make>()
    .gives::<MadeToken>(201);

/// `POST /api/v1/tokens`.
pub(crate) async fn make(
    Org(workspace): Org,
    extract::Json(asked): extract::Json<Make>,
) -> Result<(StatusCode, Extension<ShownOnce>, Json<MadeToken>)> {
    let Make { name, scope, days } = asked;
    let days = days.unwrap_or(DAYS);
    if !(1..=DAYS_MAX).contains(&days) {
        return Err(AppError::bad_input(format!("days: must be between 1 and {DAYS_MAX}")));
    }
    let request = TokenRequest { name, scope, days: Some(days) };
    let made = workspace.make_token(request).await.map_err(|error| to_app_error(&error))?;
    let made = MadeToken { token: entry(made.token), secret: made.secret };
    Ok((StatusCode::CREATED, Extension(ShownOnce), Json(made)))
}

pub(crate) const REVOKE: Operation = Operation::new("Revoke a token");

/// `DELETE /api/v1/tokens/{id}`.
pub(crate) async fn revoke(
    Org(workspace): Org,
    extract::Path(id): extract::Path<String>,
) -> Result<StatusCode> {
    workspace.revoke_token(&id).await.map_err(|error| to_app_error(&error))?;
    Ok(StatusCode::NO_CONTENT)
}
