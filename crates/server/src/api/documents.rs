//! One document: what a list says of it, its text, and the file as it came.

use assize_engine::store::DocumentId;
use assize_wire::compliance::DocumentEntry;
use axum::Json;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

use super::describe::Operation;
use super::extract::{self, safe_name};
use crate::auth::Org;
use crate::error::{AppError, Result};

pub(crate) const SHOW: Operation =
    Operation::new("Get the metadata of a document").gives::<DocumentEntry>(200);

/// `GET /api/v1/documents/{id}`.
pub(crate) async fn show(
    Org(workspace): Org,
    extract::Path(id): extract::Path<String>,
) -> Result<Json<DocumentEntry>> {
    let document = workspace.document_by_id(&DocumentId::from(id)).await?;
    Ok(Json(assize_engine::compliance::wire::document(document.entry)))
}

pub(crate) const TEXT: Operation =
    Operation::new("Get the text of a document").gives_file("text/plain");

/// `GET /api/v1/documents/{id}/text`.
pub(crate) async fn text(
    Org(workspace): Org,
    extract::Path(id): extract::Path<String>,
) -> Result<Response> {
    let document = workspace.document_by_id(&DocumentId::from(id)).await?;
    let headers = [(CONTENT_TYPE, "text/plain; charset=utf-8")];
    Ok((headers, document.content_text).into_response())
}

pub(crate) const ORIGINAL: Operation = Operation::new("Download the original file of a document")
    .gives_file("application/octet-stream");

/// `GET /api/v1/documents/{id}/original`. Always a download of no particular kind: a browser
/// must not show what somebody uploaded as a page of ours.
pub(crate) async fn original(
    Org(workspace): Org,
    extract::Path(id): extract::Path<String>,
) -> Result<Response> {
    let id = DocumentId::from(id);
    let document = workspace.document_by_id(&id).await?;
    let bytes = workspace.store.documents().original(&workspace.organisation, &id).await?;
    let bytes = bytes.ok_or_else(|| AppError::not_found("the original file was not stored"))?;
    let name = safe_name(&document.entry.name);
    let plain: String =
        name.chars().map(|letter| if letter.is_ascii() { letter } else { '_' }).collect();
    let headers = [
        (CONTENT_TYPE, "application/octet-stream".to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{plain}\"")),
    ];
    Ok((headers, bytes).into_response())
}
