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

#[cfg(test)]
mod tests {
    use assize_engine::runs::decide::DecisionRequest;
    use assize_engine::store::{Instrument, OrganisationId};

    use super::*;
    use crate::Settings;

    #[tokio::test]
    async fn a_comparison_outlives_the_writes_of_strangers_and_no_decision() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("assize.db").to_str().unwrap().into();
        let settings = Settings::new("127.0.0.1:0".parse().unwrap(), place);
        let state = AppState::open(settings).await.unwrap();
        let workspace = Workspace {
            store: Arc::clone(&state.store),
            organisation: OrganisationId::default_organisation(),
            who: "ann".to_owned(),
            address: None,
            token: None,
        };
        for _ in 0..3 {
            workspace.make_sample(Instrument::Compliance).await.unwrap();
        }
        let look = async || {
            let [base, with] = ["1", "2"].map(async |name| workspace.find_run(name).await.unwrap());
            let (base, with) = (base.await, with.await);
            compared(&state, &workspace, [(&base, 1), (&with, 1)], 20).await.unwrap()
        };
        let decide = async |run: &str| {
            let request = DecisionRequest {
                score: Some(12.0),
                reason: "seen by somebody".to_owned(),
                ..DecisionRequest::default()
            };
            let run = workspace.find_run(run).await.unwrap();
            workspace.decide(&run, 0, &request).await.unwrap();
        };
        let first = look().await;
        assert!(Arc::ptr_eq(&first, &look().await), "it was not kept");
        // A comment on one of the two, a new set, a decision in a third run.
        let run = workspace.find_run("1").await.unwrap();
        workspace.comment(&run, 1, "I was there.").await.unwrap();
        workspace.make_document_set("others").await.unwrap();
        decide("3").await;
        assert!(Arc::ptr_eq(&first, &look().await), "a stranger's write ended it");
        decide("2").await;
        let second = look().await;
        assert!(!Arc::ptr_eq(&first, &second), "a decision did not end it");
        let said = |comparison: &Comparison| serde_json::to_value(comparison).unwrap();
        assert_ne!(said(&first), said(&second));
    }
}
