//! Who changed what, when.

use std::sync::Arc;

use assize_engine::accounts::audit::AuditFormat;
use assize_wire::Listing;
use assize_wire::audit::{AuditChain, AuditEntry};
use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use schemars::JsonSchema;
use serde::Deserialize;

use super::describe::Operation;
use super::extract::{self, limit};
use crate::auth::{Caller, Org};
use crate::error::{AppError, Result, to_app_error};
use crate::state::AppState;

/// Which entries.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Which {
    /// The `next` value of the previous page.
    cursor: Option<String>,
    /// Page size; defaults to 100.
    #[schemars(range(min = 1, max = 500))]
    limit: Option<u32>,
}

pub(crate) const LIST: Operation =
    Operation::new("Audit log, latest first").query::<Which>().gives::<Listing<AuditEntry>>(200);

/// `GET /api/v1/audit`.
pub(crate) async fn list(
    Org(workspace): Org,
    extract::Query(which): extract::Query<Which>,
) -> Result<Json<Listing<AuditEntry>>> {
    let before = which.cursor.as_deref().map(str::parse).transpose();
    let before = before.map_err(|_| AppError::bad_input("cursor: not issued by this server"))?;
    Ok(Json(workspace.audit_page(before, limit(which.limit)?).await?))
}

pub(crate) const VERIFY: Operation =
    Operation::new("Verify the audit log").gives::<AuditChain>(200);

/// `GET /api/v1/audit/verify`.
pub(crate) async fn verify(Org(workspace): Org) -> Result<Json<AuditChain>> {
    Ok(Json(workspace.audit_chain().await.map_err(|error| to_app_error(&error))?))
}

/// How the audit is written.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct How {
    /// The format; defaults to `jsonl`.
    #[serde(default)]
    format: AuditFormat,
}

pub(crate) const EXPORT: Operation =
    Operation::new("Export the whole audit log, oldest first").query::<How>().gives_file("*/*");

/// `GET /api/v1/audit/export`. Read and sent piece by piece.
pub(crate) async fn export(
    State(state): State<Arc<AppState>>,
    caller: Caller,
    extract::Query(how): extract::Query<How>,
) -> Response {
    let format = how.format;
    let (ending, media_type) = match format {
        AuditFormat::Jsonl => ("jsonl", "application/jsonl"),
        AuditFormat::Csv => ("csv", "text/csv; charset=utf-8"),
    };
    let pieces =
        stream::try_unfold((state.workspace(&caller), 0), move |(workspace, after)| async move {
            let piece =
                workspace.audit_piece(after, format).await.map_err(std::io::Error::other)?;
            Ok::<_, std::io::Error>(piece.map(|(text, last)| (text, (workspace, last))))
        });
    let attachment = format!("attachment; filename=\"audit.{ending}\"");
    let headers = [(CONTENT_TYPE, media_type.to_owned()), (CONTENT_DISPOSITION, attachment)];
    // Compression looks once more after the end.
    (headers, Body::from_stream(pieces.fuse())).into_response()
}
