//! Changing a run: its name, tags, baseline; working on it, stopping and removing it.

use std::sync::Arc;

use assize_engine::store::RetryFilter;
use assize_wire::runs::{Retried, RunEntry};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::Deserialize;

use super::named;
use crate::api::describe::Operation;
use crate::api::extract;
use crate::auth::Org;
use crate::background;
use crate::error::Result;
use crate::state::AppState;

/// What to change; fields that are left out stay as they are.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Edit {
    /// The name, which must be unique.
    name: Option<String>,
    /// Tags to add.
    #[serde(default)]
    add_tags: Vec<String>,
    /// Tags to remove.
    #[serde(default)]
    remove_tags: Vec<String>,
    /// Whether it is the baseline for its instrument.
    baseline: Option<bool>,
}

pub(crate) const EDIT: Operation = Operation::new("Rename or tag a run, or set it as the baseline")
    .body::<Edit>()
    .gives::<RunEntry>(200);

/// `PATCH /api/v1/runs/{run}`.
pub(crate) async fn edit(
    Org(workspace): Org,
    extract::Path(name): extract::Path<String>,
    extract::Json(edit): extract::Json<Edit>,
) -> Result<Json<RunEntry>> {
    let run = named(&workspace, &name).await?;
    if !edit.add_tags.is_empty() || !edit.remove_tags.is_empty() {
        workspace.tag_run(&run, &edit.add_tags, &edit.remove_tags).await?;
    }
    if let Some(is_baseline) = edit.baseline {
        workspace.set_baseline(&run, is_baseline).await?;
    }
    if let Some(name) = &edit.name {
        workspace.rename_run(&run, name).await?;
    }
    let run = named(&workspace, run.id.as_str()).await?;
    Ok(Json(workspace.run_entry(&run).await?))
}

pub(crate) const DELETE: Operation = Operation::new("Delete a run and its results");

/// `DELETE /api/v1/runs/{run}`.
pub(crate) async fn delete(
    Org(workspace): Org,
    extract::Path(name): extract::Path<String>,
) -> Result<StatusCode> {
    let run = named(&workspace, &name).await?;
    workspace.delete_run(&run).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(crate) const START: Operation = Operation::new("Start or resume a run").gives::<RunEntry>(202);

/// `POST /api/v1/runs/{run}/start`.
pub(crate) async fn start(
    State(state): State<Arc<AppState>>,
    Org(workspace): Org,
    extract::Path(name): extract::Path<String>,
) -> Result<(StatusCode, Json<RunEntry>)> {
    let run = named(&workspace, &name).await?;
    background::start(&state, &workspace, &run).await?;
    Ok((StatusCode::ACCEPTED, Json(workspace.run_entry(&run).await?)))
}

pub(crate) const RESUME: Operation = Operation::new("Resume a stopped run").gives::<RunEntry>(202);

/// Which items to retry.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Retry {
    /// Only items that the judge gave no answer for; otherwise all items without a score.
    #[serde(default)]
    only_failed: bool,
    /// Only items whose reason contains this text.
    because: Option<String>,
}

pub(crate) const RETRY: Operation = Operation::new("Retry the items of a run that have no score")
    .body::<Retry>()
    .gives::<Retried>(202);

/// `POST /api/v1/runs/{run}/retry-unscored`. Where nothing is open again, nothing is started.
pub(crate) async fn retry(
    State(state): State<Arc<AppState>>,
    Org(workspace): Org,
    extract::Path(name): extract::Path<String>,
    extract::Json(asked): extract::Json<Retry>,
) -> Result<(StatusCode, Json<Retried>)> {
    let run = named(&workspace, &name).await?;
    // Nothing is opened again that nobody can be asked about.
    background::check_judge_of(&state, &run).await?;
    let Retry { only_failed, because } = asked;
    let reopened = workspace.retry_run(&run, &RetryFilter { only_failed, because }).await?;
    let run = named(&workspace, run.id.as_str()).await?;
    if reopened.items > 0 {
        background::start(&state, &workspace, &run).await?;
    }
    let run = workspace.run_entry(&run).await?;
    Ok((StatusCode::ACCEPTED, Json(Retried { items: reopened.items, kept: reopened.kept, run })))
}

pub(crate) const STOP: Operation =
    Operation::new("Stop a run; finished results are kept").gives::<RunEntry>(200);

/// `POST /api/v1/runs/{run}/stop`.
pub(crate) async fn stop(
    Org(workspace): Org,
    extract::Path(name): extract::Path<String>,
) -> Result<Json<RunEntry>> {
    let run = named(&workspace, &name).await?;
    workspace.stop_run(&run).await?;
    let run = named(&workspace, run.id.as_str()).await?;
    Ok(Json(workspace.run_entry(&run).await?))
}
