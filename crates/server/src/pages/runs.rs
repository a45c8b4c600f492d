//! Lists of runs, a run at a glance, and what is done with it.

use std::sync::Arc;

use assize_engine::runs::export::ExportFormat;
use assize_engine::store::views::{ItemQuery, ItemSort};
use assize_engine::store::{Instrument, Run, RunFilter};
use assize_engine::workplace::cursor;
use assize_page::app::run::{self as page, ItemsQuery};
use assize_page::app::runs::{RunsQuery, run_address};
use assize_page::app::{Here, council_live, run_edit, runs};
use axum::extract::{Form, Path, Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};

use super::context::PageContext;
use super::forms::{Pairs, QueryPairs, go, value};
use crate::api::runs::export;
use crate::background;
use crate::error::{AppError, Result};
use crate::state::AppState;

/// Runs on a page.
const PAGE: i64 = 50;

/// The instrument of a word.
pub(super) fn instrument(word: &str) -> Option<Instrument> {
    let all =
        [Instrument::Retrieval, Instrument::Summary, Instrument::Compliance, Instrument::Council];
    all.into_iter().find(|one| one.word() == word)
}

/// `GET /runs`.
pub(crate) async fn list(caller_view: PageContext, Query(query): QueryPairs) -> Result<Markup> {
    let asked = RunsQuery {
        instrument: value(&query, "instrument").to_owned(),
        tag: value(&query, "tag").to_owned(),
    };
    let filter = RunFilter {
        instrument: instrument(&asked.instrument),
        tag: Some(asked.tag.clone()).filter(|tag| !tag.is_empty()),
        before: value(&query, "before").parse().ok(),
        ..RunFilter::default()
    };
    let rows = caller_view.workspace.run_rows(&filter, PAGE).await?;
    let is_full = i64::try_from(rows.len()).is_ok_and(|count| count == PAGE);
    let next = rows.last().filter(|row| is_full && row.run.number > 1).map(|row| row.run.number);
    let tally = caller_view.workspace.run_tally().await?;
    let here = match filter.instrument {
        Some(Instrument::Retrieval) => Here::Retrieval,
        Some(Instrument::Summary) => Here::Summaries,
        Some(Instrument::Council) => Here::Councils,
        _ => Here::Runs,
    };
    let content = runs::content(&rows, &tally, &asked, next, caller_view.can_write());
    Ok(caller_view.page(here, "Runs", &content))
}

/// `GET /runs/{run}`.
pub(crate) async fn show(
    caller_view: PageContext,
    Path(name): Path<String>,
    Query(query): QueryPairs,
) -> Result<Response> {
    let mut run = caller_view.workspace.find_run(&name).await?;
    let address = run_address(run.instrument.word(), run.number);
    if !address.starts_with("/runs/") {
        return Ok(Redirect::to(&address).into_response());
    }
    let asked = ItemsQuery {
        q: value(&query, "q").to_owned(),
        show: value(&query, "show").to_owned(),
        sort: value(&query, "sort").to_owned(),
        version: value(&query, "version").to_owned(),
    };
    if let Ok(version) = asked.version.parse() {
        run.version = caller_view.workspace.version_of(&run, Some(version))?;
    }
    let sort = match asked.sort.strip_prefix('-') {
        _ if asked.sort.is_empty() => ItemSort::Position,
        Some(measure) => ItemSort::Measure(measure.to_owned(), true),
        None => ItemSort::Measure(asked.sort.clone(), false),
    };
    let wanted = ItemQuery {
        search: asked.q.clone(),
        only_unscored: asked.show == "unscored",
        sort,
        after: cursor::read(value(&query, "after")),
    };
    let found = caller_view.workspace.run_page(&run, &wanted).await?;
    let here =
        if run.instrument == Instrument::Retrieval { Here::Retrieval } else { Here::Summaries };
    let content = page::content(&found, &asked, caller_view.can_write());
    Ok(caller_view.page(here, &runs::run_title(&found.run), &content).into_response())
}

/// `GET /runs/{run}/progress`: the part of a page that asks for itself while a run goes on.
pub(crate) async fn progress(caller_view: PageContext, Path(name): Path<String>) -> Result<Markup> {
    let run = caller_view.workspace.find_run(&name).await?;
    if run.instrument == Instrument::Council {
        let steps = caller_view.workspace.council_steps(&run).await?;
        let shown = council_live::progress(run.number, &run.state.to_string(), &steps);
        return Ok(ended(&run, shown));
    }
    let left = match run.instrument {
        Instrument::Compliance => assize_engine::workplace::evaluation::seconds_left(&run),
        _ => None,
    };
    let state = run.state.to_string();
    let shown = page::progress(run.number, &state, run.items_done, run.items, left);
    Ok(ended(&run, shown))
}

/// The page is loaded anew when the run has ended.
fn ended(run: &Run, shown: Markup) -> Markup {
    if run.state.is_end() {
        return html! { div id="progress" data-ended {} (shown) };
    }
    shown
}

/// `POST /runs/{run}/stop`.
pub(crate) async fn stop(caller_view: PageContext, Path(name): Path<String>) -> Result<Redirect> {
    let run = caller_view.workspace.find_run(&name).await?;
    caller_view.workspace.stop_run(&run).await?;
    Ok(back(&run, "stopped"))
}

/// `POST /runs/{run}/resume`.
pub(crate) async fn resume(
    State(state): State<Arc<AppState>>,
    caller_view: PageContext,
    Path(name): Path<String>,
) -> Result<Redirect> {
    let run = caller_view.workspace.find_run(&name).await?;
    let told = back(&run, "resumed");
    background::start(&state, &caller_view.workspace, &run).await?;
    Ok(told)
}

/// `POST /runs/{run}/baseline`.
pub(crate) async fn baseline(
    caller_view: PageContext,
    Path(name): Path<String>,
    Form(form): Pairs,
) -> Result<Redirect> {
    let run = caller_view.workspace.find_run(&name).await?;
    let is_baseline = value(&form, "on") == "yes";
    caller_view.workspace.set_baseline(&run, is_baseline).await?;
    Ok(if is_baseline { back(&run, "baseline") } else { back(&run, "") })
}

/// `POST /runs/{run}/approve`: approves, or takes it back.
pub(crate) async fn approve(
    caller_view: PageContext,
    Path(name): Path<String>,
    Form(form): Pairs,
) -> Result<Redirect> {
    let workspace = &caller_view.workspace;
    let run = workspace.find_run(&name).await?;
    let note = value(&form, "note");
    if value(&form, "act") == "withdraw" {
        workspace.withdraw_approval(&run, &workspace.who, note).await?;
        return Ok(back(&run, "withdrawn"));
    }
    workspace.approve_run(&run, &workspace.who, note).await?;
    Ok(back(&run, "approved"))
}

/// `GET /runs/{run}/edit`.
pub(crate) async fn edit_form(
    caller_view: PageContext,
    Path(name): Path<String>,
) -> Result<Markup> {
    let run = caller_view.workspace.find_run(&name).await?;
    let entry = caller_view.workspace.run_entry(&run).await?;
    Ok(caller_view.page(Here::Runs, "Rename or tag", &run_edit::edit(&entry, None)))
}

/// `POST /runs/{run}/edit`.
pub(crate) async fn edit(
    caller_view: PageContext,
    Path(name): Path<String>,
    Form(form): Pairs,
) -> Result<Response> {
    let run = caller_view.workspace.find_run(&name).await?;
    let wanted = value(&form, "name").trim();
    let renamed = if !wanted.is_empty() && run.name.as_deref() != Some(wanted) {
        caller_view.workspace.rename_run(&run, wanted).await
    } else {
        Ok(())
    };
    let entry = caller_view.workspace.run_entry(&run).await?;
    if let Err(error) = renamed {
        let content = run_edit::edit(&entry, Some(&error.to_string()));
        return Ok(caller_view.page(Here::Runs, "Rename or tag", &content).into_response());
    }
    let tags: Vec<String> = value(&form, "tags")
        .split(',')
        .map(|tag| tag.trim().to_owned())
        .filter(|tag| !tag.is_empty())
        .collect();
    let gone: Vec<String> = entry.tags.iter().filter(|tag| !tags.contains(tag)).cloned().collect();
    caller_view.workspace.tag_run(&run, &tags, &gone).await?;
    Ok(back(&run, "renamed").into_response())
}

/// `GET /runs/{run}/delete`.
pub(crate) async fn delete_form(
    caller_view: PageContext,
    Path(name): Path<String>,
) -> Result<Markup> {
    let run = caller_view.workspace.find_run(&name).await?;
    let entry = caller_view.workspace.run_entry(&run).await?;
    Ok(caller_view.page(Here::Runs, "Delete", &run_edit::delete(&entry, None)))
}

/// `POST /runs/{run}/delete`.
pub(crate) async fn delete(caller_view: PageContext, Path(name): Path<String>) -> Result<Response> {
    let run = caller_view.workspace.find_run(&name).await?;
    match caller_view.workspace.delete_run(&run).await.map_err(AppError::from) {
        Ok(()) => Ok(go("/runs", "deleted").into_response()),
        Err(error) if error.status().is_client_error() => {
            let entry = caller_view.workspace.run_entry(&run).await?;
            let content = run_edit::delete(&entry, Some(error.detail()));
            let page = caller_view.page(Here::Runs, "Delete", &content);
            Ok((error.status(), page).into_response())
        }
        Err(error) => Err(error),
    }
}

/// `GET /runs/{run}/export`.
pub(crate) async fn download(
    caller_view: PageContext,
    Path(name): Path<String>,
    Query(query): QueryPairs,
) -> Result<Response> {
    let run = caller_view.workspace.find_run(&name).await?;
    let format = value(&query, "format").parse::<ExportFormat>();
    let format = format.map_err(|error| AppError::bad_input(error.to_string()))?;
    export::file(caller_view.workspace.clone(), run, None, format)
}

/// Back to a run, which tells a word.
fn back(run: &Run, told: &str) -> Redirect {
    go(&run_address(run.instrument.word(), run.number), told)
}
