//! How close an evaluation comes to what analysts say.

use assize_wire::text::tree;
use axum::Json;
use serde_json::Value;

use super::describe::Operation;
use super::extract;
use crate::auth::Org;
use crate::error::{AppError, Result};

pub(crate) const SHOW: Operation =
    Operation::new("Accuracy of a compliance run against truth keys").gives::<Value>(200);

/// `GET /api/v1/runs/{run}/accuracy`.
pub(crate) async fn show(
    Org(workspace): Org,
    extract::Path(name): extract::Path<String>,
) -> Result<Json<Value>> {
    let run = workspace.find_compliance_run(&name).await?;
    let report = workspace.accuracy(&run).await?;
    let report =
        report.ok_or_else(|| AppError::not_found("there are no truth keys for this run"))?;
    Ok(Json(tree(&report)))
}
