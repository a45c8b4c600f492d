//! The bundled samples.

use assize_wire::runs::RunEntry;
use axum::Json;
use axum::http::StatusCode;

use super::describe::Operation;
use crate::auth::Org;
use crate::demo::samples;
use crate::error::Result;

pub(crate) const MAKE: Operation =
    Operation::new("Create the bundled samples of all four instruments")
        .gives::<Vec<RunEntry>>(201);

/// `POST /api/v1/demo`. Nothing is fetched and no model is asked.
pub(crate) async fn make(Org(workspace): Org) -> Result<(StatusCode, Json<Vec<RunEntry>>)> {
    let runs = samples(workspace.clone()).await?;
    Ok((StatusCode::CREATED, Json(workspace.run_entries(&runs).await?)))
}
