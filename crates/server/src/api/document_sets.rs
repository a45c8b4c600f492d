//! Document sets and the documents in them.

use assize_engine::compliance::evaluate::NamedFile;
use assize_wire::compliance::{DocumentEntry, DocumentSetEntry};
use assize_wire::workplace::UploadReport;
use axum::Json;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::Deserialize;

use super::describe::Operation;
use super::extract::{self, Files};
use crate::auth::Org;
use crate::error::{AppError, Result};
use crate::work::offload;

pub(crate) const LIST: Operation =
    Operation::new("List document sets").gives::<Vec<DocumentSetEntry>>(200);

/// `GET /api/v1/document-sets`.
pub(crate) async fn list(Org(workspace): Org) -> Result<Json<Vec<DocumentSetEntry>>> {
    Ok(Json(workspace.document_set_entries().await?))
}

/// A document set to create.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Make {
    /// Its name; an existing set is left unchanged.
    name: String,
}

pub(crate) const MAKE: Operation =
    Operation::new("Create a document set").body::<Make>().gives::<DocumentSetEntry>(201);

/// `POST /api/v1/document-sets`.
pub(crate) async fn make(
    Org(workspace): Org,
    extract::Json(asked): extract::Json<Make>,
) -> Result<(StatusCode, Json<DocumentSetEntry>)> {
    if asked.name.trim() != asked.name || asked.name.is_empty() {
        return Err(AppError::bad_input("name: must not be empty or begin or end with a space"));
    }
    let set = workspace.make_document_set(&asked.name).await?;
    Ok((StatusCode::CREATED, Json(workspace.document_set_entry(set).await?)))
}

pub(crate) const SHOW: Operation =
    Operation::new("List the documents of a set, each in its latest version")
        .gives::<Vec<DocumentEntry>>(200);

/// `GET /api/v1/document-sets/{name}`.
pub(crate) async fn show(
    Org(workspace): Org,
    extract::Path(name): extract::Path<String>,
) -> Result<Json<Vec<DocumentEntry>>> {
    let set = workspace.document_set(&name).await?;
    Ok(Json(workspace.document_entries(&set).await?))
}

pub(crate) const UPLOAD: Operation =
    Operation::new("Add documents to a set; files that cannot be read are named and left out")
        .files()
        .gives::<UploadReport>(201);

/// `POST /api/v1/document-sets/{name}/documents`. Refused as a whole only if no file can be read.
pub(crate) async fn upload(
    Org(workspace): Org,
    extract::Path(name): extract::Path<String>,
    Files(files): Files,
) -> Result<(StatusCode, Json<UploadReport>)> {
    let set = workspace.document_set(&name).await?;
    let files = files.into_iter().map(|file| NamedFile { name: file.name, bytes: file.bytes });
    let files: Vec<NamedFile> = files.collect();
    let report =
        offload(move || async move { Ok(workspace.upload_documents(&set, files).await?) }).await?;
    if report.documents.is_empty() && !report.refused.is_empty() {
        let lines = report.refused.iter().map(|file| format!("{}: {}", file.name, file.reason));
        return Err(AppError::bad_input(lines.collect::<Vec<_>>().join("; ")));
    }
    Ok((StatusCode::CREATED, Json(report)))
}
