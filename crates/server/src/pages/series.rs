//! Runs over time.

use std::sync::Arc;

use assize_engine::workplace::series::series_table;
use assize_page::app::{Here, series};
use assize_wire::workplace::SeriesView;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use maud::Markup;

use super::context::PageContext;
use super::forms::{self, QueryPairs, value};
use crate::error::Result;
use crate::state::AppState;
use crate::work::offload;

/// `GET /series`.
pub(crate) async fn list(caller_view: PageContext) -> Result<Markup> {
    let workspace = caller_view.workspace.clone();
    let all = offload(move || async move { Ok(workspace.series_list().await?) }).await?;
    Ok(caller_view.page(Here::Series, "Over time", &series::list(&all)))
}

/// `GET /series/{id}`.
pub(crate) async fn show(
    State(state): State<Arc<AppState>>,
    caller_view: PageContext,
    Path(id): Path<String>,
    Query(query): QueryPairs,
) -> Result<Markup> {
    let found = view(&state, &caller_view, id, value(&query, "measure")).await?;
    Ok(caller_view.page(Here::Series, &found.name, &series::content(&found)))
}

/// `GET /series/{id}/table.csv`: the numbers behind the chart.
pub(crate) async fn table(
    State(state): State<Arc<AppState>>,
    caller_view: PageContext,
    Path(id): Path<String>,
    Query(query): QueryPairs,
) -> Result<Response> {
    let found = view(&state, &caller_view, id, value(&query, "measure")).await?;
    Ok(forms::table("series.csv", series_table(&found)?))
}

async fn view(
    state: &AppState,
    caller_view: &PageContext,
    id: String,
    measure: &str,
) -> Result<SeriesView> {
    let (workspace, measure) = (caller_view.workspace.clone(), measure.to_owned());
    let kept = Arc::clone(&state.comparisons);
    offload(move || async move { Ok(workspace.series_view(&id, Some(&measure), &kept).await?) })
        .await
}
