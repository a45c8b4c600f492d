//! What people say about an item.

use assize_wire::runs::CommentEntry;
use axum::Json;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::Deserialize;

use super::named;
use crate::api::describe::Operation;
use crate::api::extract;
use crate::auth::Org;
use crate::error::Result;

pub(crate) const LIST: Operation =
    Operation::new("List comments on an item, oldest first").gives::<Vec<CommentEntry>>(200);

/// `GET /api/v1/runs/{run}/items/{position}/comments`.
pub(crate) async fn list(
    Org(workspace): Org,
    extract::Path((name, position)): extract::Path<(String, u32)>,
) -> Result<Json<Vec<CommentEntry>>> {
    let run = named(&workspace, &name).await?;
    Ok(Json(workspace.comments_on(&run, i64::from(position)).await?))
}

/// A comment to add.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Comment {
    /// The text of the comment.
    #[schemars(length(min = 1))]
    text: String,
}

pub(crate) const ADD: Operation =
    Operation::new("Add a comment to an item").body::<Comment>().gives::<Vec<CommentEntry>>(201);

/// `POST /api/v1/runs/{run}/items/{position}/comments`.
pub(crate) async fn add(
    Org(workspace): Org,
    extract::Path((name, position)): extract::Path<(String, u32)>,
    extract::Json(asked): extract::Json<Comment>,
) -> Result<(StatusCode, Json<Vec<CommentEntry>>)> {
    let run = named(&workspace, &name).await?;
    let position = i64::from(position);
    workspace.comment(&run, position + 1, &asked.text).await?;
    Ok((StatusCode::CREATED, Json(workspace.comments_on(&run, position).await?)))
}
