//! Two to eight runs compared.

use std::collections::BTreeSet;
use std::sync::Arc;

use assize_engine::store::{Run, RunFilter};
use assize_engine::workplace::compared::moved_table;
use assize_engine::workplace::series::changes;
use assize_page::app::Here;
use assize_page::app::compare::{self, CompareQuery};
use assize_page::app::compared;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::Markup;

use super::context::PageContext;
use super::forms::{self, QueryPairs, value, values};
use crate::api::compare::compared as pair_compared;
use crate::error::{AppError, Result};
use crate::state::AppState;
use crate::work::offload;

/// The most runs that are compared at once.
const RUNS_MAX: usize = 8;
/// Items that are shown of those that moved, for each measure.
const MOVED: usize = 25;
/// The same of its file.
const MOVED_IN_FILE: usize = 100_000;
/// Runs that can be chosen.
const CHOICES: i64 = 100;

/// Why a run is not compared with itself.
const SAME: &str = "both runs are the same: choose two different ones";

/// `GET /compare`: what `base` names is the baseline; else the run that is marked as one, or else
/// the oldest. What cannot be compared is told where other runs can be chosen.
pub(crate) async fn show(
    State(state): State<Arc<AppState>>,
    caller_view: PageContext,
    Query(query): QueryPairs,
) -> Result<Response> {
    let mut names = values(&query, "base");
    names.truncate(1);
    names.extend(values(&query, "with"));
    names.extend(values(&query, "run"));
    names.retain(|name| !name.is_empty());
    if names.len() > RUNS_MAX {
        return Err(AppError::bad_input(format!(
            "at most {RUNS_MAX} runs can be compared at once"
        )));
    }
    let asked = CompareQuery { show: value(&query, "show").to_owned() };
    let workspace = &caller_view.workspace;
    let mut runs = Vec::with_capacity(names.len());
    for name in &names {
        runs.push(workspace.find_run(name).await?);
    }
    if value(&query, "base").is_empty() {
        baseline_first(&mut runs);
    }
    let chosen = runs.first().map(|run| run.number);
    let count = runs.len();
    let mut seen = BTreeSet::new();
    runs.retain(|run| seen.insert(run.number));
    if runs.len() < 2 && count > 1 {
        let page = choose(&caller_view, chosen, Some(SAME)).await?;
        return Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response());
    }
    if runs.len() < 2 {
        return Ok(choose(&caller_view, chosen, None).await?.into_response());
    }
    match compared(&state, &caller_view, &runs, &asked).await {
        Ok(page) => Ok(page.into_response()),
        Err(error) if error.status() == StatusCode::UNPROCESSABLE_ENTITY => {
            let page = choose(&caller_view, chosen, Some(error.detail())).await?;
            Ok((error.status(), page).into_response())
        }
        Err(error) => Err(error),
    }
}

/// What is marked as the baseline comes first, the others from the oldest on.
fn baseline_first(runs: &mut [Run]) {
    runs.sort_by_key(|run| (!run.is_baseline, run.number));
}

/// The page of runs that can be compared; the first is the baseline.
async fn compared(
    state: &AppState,
    caller_view: &PageContext,
    runs: &[Run],
    asked: &CompareQuery,
) -> Result<Markup> {
    let workspace = &caller_view.workspace;
    let mut entries = workspace.run_entries(runs).await?.into_iter();
    let entry = entries.next().ok_or_else(AppError::our_fault)?;
    let (first, mut others) = (&runs[0], Vec::new());
    for (second, run) in runs.iter().skip(1).zip(entries) {
        let pair = [(first, first.version), (second, second.version)];
        let found = pair_compared(state, workspace, pair, MOVED).await?;
        let found = Arc::unwrap_or_clone(found);
        let subjects: BTreeSet<String> = compare::moved_rows(&run.instrument, &found, asked)
            .iter()
            .map(|row| row.subject.to_owned())
            .collect();
        let subjects: Vec<String> = subjects.into_iter().collect();
        let (workspace, pair) = (workspace.clone(), [first.clone(), second.clone()]);
        let reasons = offload(move || async move {
            Ok(workspace.change_reasons([&pair[0], &pair[1]], &subjects).await?)
        });
        others.push(compare::Compared {
            run,
            found,
            reasons: reasons.await?,
            changes: changes(first, second),
        });
    }
    let board = if others.len() > 1 { workspace.leaderboard(runs).await? } else { Vec::new() };
    let title = compare::title(&entry, &others);
    let content = compare::content(&entry, &others, &board, asked);
    Ok(caller_view.page(Here::Compare, &title, &content))
}

/// `GET /compare/moved.csv`: every item that moved between two runs, not only those that are shown.
pub(crate) async fn moved(
    State(state): State<Arc<AppState>>,
    caller_view: PageContext,
    Query(query): QueryPairs,
) -> Result<Response> {
    let workspace = &caller_view.workspace;
    let first = workspace.find_run(value(&query, "base")).await?;
    let second = workspace.find_run(value(&query, "with")).await?;
    let pair = [(&first, first.version), (&second, second.version)];
    let found = pair_compared(&state, workspace, pair, MOVED_IN_FILE).await?;
    Ok(forms::table("moved.csv", moved_table(&found)?))
}

/// `GET /compare/item`: one subject in two runs.
pub(crate) async fn item(caller_view: PageContext, Query(query): QueryPairs) -> Result<Markup> {
    let first = caller_view.workspace.find_run(value(&query, "base")).await?;
    let second = caller_view.workspace.find_run(value(&query, "with")).await?;
    let (workspace, subject) = (caller_view.workspace.clone(), value(&query, "item").to_owned());
    let found =
        offload(
            move || async move { Ok(workspace.compared_item([&first, &second], &subject).await?) },
        );
    let found = found.await?;
    Ok(caller_view.page(Here::Compare, &found.subject, &compared::content(&found)))
}

async fn choose(
    caller_view: &PageContext,
    chosen: Option<i64>,
    problem: Option<&str>,
) -> Result<Markup> {
    let runs = caller_view.workspace.list_runs(&RunFilter::default(), CHOICES).await?;
    let entries = caller_view.workspace.run_entries(&runs).await?;
    let pairs = caller_view.workspace.proposed_pairs(&runs, chosen).await?;
    let content = compare::choose(&entries, &pairs, chosen, problem);
    Ok(caller_view.page(Here::Compare, "Compare", &content))
}
