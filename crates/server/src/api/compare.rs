//! Two runs over the same subjects.

use std::sync::Arc;

use assize_engine::Workspace;
use assize_engine::store::Run;
use assize_wire::runs::Comparison;
use axum::Json;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Deserialize;

use super::describe::Operation;
use super::extract;
use super::runs::named;
use crate::auth::Caller;
use crate::error::Result;
use crate::state::AppState;
use crate::work::offload;

/// Subjects that moved most, for each measure.
const MOVED_MAX: usize = 20;

/// Which two runs.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Which {
    /// The baseline run: its number, name or ID.
    base: String,
    /// The run to compare with it.
    with: String,
    /// The version of the first run; defaults to the current one.
    #[schemars(range(min = 1))]
    base_version: Option<i64>,
    /// The version of the second run; defaults to the current one.
    #[schemars(range(min = 1))]
    with_version: Option<i64>,
}

pub(crate) const COMPARE: Operation =
    Operation::new("Compare two runs with paired tests").query::<Which>().gives::<Comparison>(200);

/// `GET /api/v1/compare`.
pub(crate) async fn compare(
    State(state): State<Arc<AppState>>,
    caller: Caller,
    extract::Query(which): extract::Query<Which>,
) -> Result<Json<Comparison>> {
    let workspace = state.workspace(&caller);
    let base = named(&workspace, &which.base).await?;
    let with = named(&workspace, &which.with).await?;
    let base_version = workspace.version_of(&base, which.base_version)?;
    let with_version = workspace.version_of(&with, which.with_version)?;
    let pair = [(&base, base_version), (&with, with_version)];
    let found = compared(&state, &workspace, pair, MOVED_MAX).await?;
    Ok(Json(Arc::unwrap_or_clone(found)))
}

/// Two runs compared, each in a version; of each measure so many are listed that moved most.
pub(crate) async fn compared(
    state: &AppState,
    workspace: &Workspace,
    pair: [(&Run, i64); 2],
    moved_max: usize,
) -> Result<Arc<Comparison>> {
    let [(first, first_version), (second, second_version)] = pair;
    let (first, second) = (first.clone(), second.clone());
    let (workspace, kept) = (workspace.clone(), Arc::clone(&state.comparisons));
    let job = move || async move {
        let pair = [(&first, first_version), (&second, second_version)];
        Ok(kept.comparison(&workspace, pair, moved_max).await?)
    };
    offload(job).await
}
