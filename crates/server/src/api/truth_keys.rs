//! Truth keys: what analysts would have answered.

use std::sync::Arc;

use assize_engine::compliance::intake::read_truth;
use assize_engine::compliance::truth::TruthFile;
use assize_wire::compliance::{TruthKeyEntry, TruthKeysImported};
use axum::Json;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Deserialize;

use super::describe::Operation;
use super::extract::{self, Files};
use crate::auth::{Caller, Org};
use crate::error::{AppError, Result, to_app_error};
use crate::state::AppState;

/// For which documents and criteria.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Which {
    /// The name of a document set.
    document_set: String,
    /// The name of a criteria set.
    criteria_set: String,
}

pub(crate) const LIST: Operation = Operation::new("List truth keys for documents and criteria")
    .query::<Which>()
    .gives::<Vec<TruthKeyEntry>>(200);

/// `GET /api/v1/truth-keys`.
pub(crate) async fn list(
    Org(workspace): Org,
    extract::Query(which): extract::Query<Which>,
) -> Result<Json<Vec<TruthKeyEntry>>> {
    let documents = workspace.document_set(&which.document_set).await?;
    let criteria = workspace.criteria_set(&which.criteria_set).await?;
    Ok(Json(workspace.truth_entries(&documents, &criteria).await?))
}

pub(crate) const IMPORT: Operation = Operation::new("Import truth keys from CSV, XLSX or JSON")
    .query::<ImportQuery>()
    .files()
    .gives::<TruthKeysImported>(200);

/// Of which documents and criteria they are, and what happens to rows that cannot be used.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ImportQuery {
    /// The name of a document set.
    document_set: String,
    /// The name of a criteria set.
    criteria_set: String,
    /// Whether rows that cannot be used are left out and listed in `problems`. Without it such a
    /// file is refused.
    #[serde(default)]
    skip_unusable: bool,
}

/// `POST /api/v1/truth-keys`.
pub(crate) async fn import(
    State(state): State<Arc<AppState>>,
    caller: Caller,
    extract::Query(which): extract::Query<ImportQuery>,
    Files(files): Files,
) -> Result<Json<TruthKeysImported>> {
    let workspace = state.workspace(&caller);
    let documents = workspace.document_set(&which.document_set).await?;
    let criteria = workspace.criteria_set(&which.criteria_set).await?;
    let mut all = TruthKeysImported::default();
    for file in files {
        let read = read_truth(&file.bytes, &file.name);
        let read = read.map_err(|error| AppError::bad_input(to_app_error(&error).detail()))?;
        let sets = (&documents, &criteria);
        let file = TruthFile { name: &file.name, read: &read, skip_unusable: which.skip_unusable };
        let imported = workspace.import_truth_file(sets, &file, Some(&caller.who)).await?;
        all.kept += imported.kept;
        all.without_number += imported.without_number;
        all.not_judged += imported.not_judged;
        all.problems.extend(imported.problems);
    }
    Ok(Json(all))
}
