//! Runs in a list, and one at a glance.

use assize_engine::store::{Instrument, Order, RunFilter, RunState};
use assize_wire::Listing;
use assize_wire::runs::{RunEntry, RunView};
use axum::Json;
use schemars::JsonSchema;
use serde::Deserialize;

use super::named;
use crate::api::describe::Operation;
use crate::api::extract::{self, limit};
use crate::auth::Org;
use crate::error::{AppError, Result};

/// Which runs, and how many.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Which {
    /// Only runs of this instrument.
    instrument: Option<Instrument>,
    /// Only runs in this state.
    state: Option<RunState>,
    /// Only runs with this tag.
    tag: Option<String>,
    /// The `next` value of the previous page.
    cursor: Option<String>,
    /// Page size; defaults to 100.
    #[schemars(range(min = 1, max = 500))]
    limit: Option<u32>,
}

pub(crate) const LIST: Operation =
    Operation::new("List runs, latest first").query::<Which>().gives::<Listing<RunEntry>>(200);

/// `GET /api/v1/runs`.
pub(crate) async fn list(
    Org(workspace): Org,
    extract::Query(which): extract::Query<Which>,
) -> Result<Json<Listing<RunEntry>>> {
    let limit = limit(which.limit)?;
    let before = which.cursor.as_deref().map(str::parse).transpose();
    let before = before.map_err(|_| AppError::bad_input("cursor: not issued by this server"))?;
    let filter = RunFilter {
        instrument: which.instrument,
        state: which.state,
        tag: which.tag,
        before,
        with_archived: false,
    };
    // One more than asked for, to see whether there is a next page.
    let mut runs = workspace.list_runs(&filter, limit + 1).await?;
    let has_more = runs.len() > usize::try_from(limit).unwrap_or_default();
    if has_more {
        runs.pop();
    }
    let next = runs.last().filter(|_| has_more).map(|run| run.number.to_string());
    Ok(Json(Listing { items: workspace.run_entries(&runs).await?, next }))
}

/// Which version of a run to show.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct VersionQuery {
    /// The version of its verdicts; defaults to the current one.
    #[schemars(range(min = 1))]
    version: Option<i64>,
}

pub(crate) const SHOW: Operation = Operation::new("Get a run with its means and first items")
    .query::<VersionQuery>()
    .gives::<RunView>(200);

/// Items that are shown with a run.
const FIRST: i64 = 20;

/// `GET /api/v1/runs/{run}`.
pub(crate) async fn show(
    Org(workspace): Org,
    extract::Path(name): extract::Path<String>,
    extract::Query(shown): extract::Query<VersionQuery>,
) -> Result<Json<RunView>> {
    let run = named(&workspace, &name).await?;
    let order = Order::ByPosition { after: None };
    Ok(Json(workspace.run_view(&run, shown.version, &order, FIRST).await?))
}
