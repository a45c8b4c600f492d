//! Searches for a better prompt, rubric or judge.

use std::sync::Arc;

use assize_engine::compliance::criteria::rubric;
use assize_page::app::{Here, optimise};
use axum::extract::{Form, Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::Markup;

use super::begin::judges;
use super::context::PageContext;
use super::forms::{Pairs, go, number, value, values};
use crate::api::optimisations::{Create, plan};
use crate::background;
use crate::error::AppError;
use crate::state::AppState;

const TITLE: &str = "Optimisation";

/// `GET /optimise`.
pub(crate) async fn list(
    State(state): State<Arc<AppState>>,
    caller_view: PageContext,
) -> Result<Markup, AppError> {
    listed(&state, &caller_view, None).await
}

async fn listed(
    state: &AppState,
    caller_view: &PageContext,
    problem: Option<&str>,
) -> Result<Markup, AppError> {
    let searches = caller_view.workspace.search_rows().await?;
    let choices = caller_view.workspace.search_choices(judges(state)).await?;
    let content = optimise::list(&searches, &choices, problem, caller_view.can_write());
    Ok(caller_view.page(Here::Optimise, TITLE, &content))
}

/// `POST /optimise`: what is wrong with it is said above the list.
pub(crate) async fn begin(
    State(state): State<Arc<AppState>>,
    caller_view: PageContext,
    Form(form): Pairs,
) -> Result<Response, AppError> {
    match begun(&state, &caller_view, &form).await {
        Ok(id) => Ok(go(&format!("/optimise/{id}"), "searching").into_response()),
        Err(error) => {
            let page = listed(&state, &caller_view, Some(error.detail())).await?;
            Ok((error.status(), page).into_response())
        }
    }
}

async fn begun(
    state: &Arc<AppState>,
    caller_view: &PageContext,
    form: &[(String, String)],
) -> Result<String, AppError> {
    let workspace = caller_view.workspace.clone();
    let others = value(form, "judges").lines().map(str::trim).filter(|line| !line.is_empty());
    let judges = values(form, "judge").into_iter().chain(others.map(ToOwned::to_owned));
    let mut rubrics = Vec::new();
    for name in values(form, "rubric") {
        let set = workspace.criteria_set(&name).await?;
        rubrics.push(assize_wire::text::tree(&rubric(&set)?));
    }
    let proposals = number(value(form, "proposals"), "the number of proposals")?;
    let asked = Create {
        document_set: value(form, "documents").to_owned(),
        criteria_set: value(form, "criteria").to_owned(),
        judges: judges.collect(),
        templates: values(form, "template"),
        rubrics,
        hold_out: number(value(form, "hold_out"), "the share held out")?,
        seed: None,
        proposer: Some(value(form, "proposer").trim().to_owned()).filter(|who| !who.is_empty()),
        proposals: proposals.map(whole).transpose()?,
        promote: Some(value(form, "promote") == "yes"),
    };
    let run = plan(&workspace, &state.settings.models, asked).await?;
    let id = run.id.to_string();
    background::search(state, workspace, run)?;
    Ok(id)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a whole number from 0 to 1000"
)]
fn whole(number: f64) -> Result<usize, AppError> {
    if number.fract() == 0.0 && (0.0..=1000.0).contains(&number) {
        return Ok(number as usize);
    }
    Err(AppError::bad_input("the number of proposals must be a whole number"))
}

/// `GET /optimise/{id}`.
pub(crate) async fn show(
    caller_view: PageContext,
    Path(id): Path<String>,
) -> Result<Markup, AppError> {
    let found = caller_view.workspace.search_page(&id).await?;
    let content = optimise::content(&found, caller_view.can_write(), caller_view.is_admin());
    Ok(caller_view.page(Here::Optimise, &found.search.criteria_set, &content))
}

/// `POST /optimise/{id}/resume`.
pub(crate) async fn resume(
    State(state): State<Arc<AppState>>,
    caller_view: PageContext,
    Path(id): Path<String>,
) -> Result<Redirect, AppError> {
    let run = caller_view.workspace.find_search(&id).await?;
    background::search(&state, caller_view.workspace.clone(), run)?;
    Ok(go(&format!("/optimise/{id}"), "resumed"))
}

/// `POST /optimise/{id}/promote`.
pub(crate) async fn promote(
    caller_view: PageContext,
    Path(id): Path<String>,
) -> Result<Redirect, AppError> {
    let run = caller_view.workspace.find_search(&id).await?;
    caller_view.workspace.promote_winner(run).await?;
    Ok(go(&format!("/optimise/{id}"), "promoted"))
}
