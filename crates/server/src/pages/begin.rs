//! A new run from files and sets, and going on with one that was left.

use std::sync::Arc;

use assize_engine::Workspace;
use assize_engine::store::Run;
use assize_page::app::runs::run_address;
use assize_page::app::{Here, new_council, new_pairs, new_run, new_run_check};
use axum::extract::{Multipart, Query, State};
use axum::response::{IntoResponse, Response};
use maud::Markup;

use super::context::PageContext;
use super::councils::can_be_asked;
use super::forms::{QueryPairs, Upload, go, value};
use super::{councils, pairs, wizard};
use crate::error::AppError;
use crate::state::AppState;
use crate::work::offload;

/// `GET /runs/new`.
pub(crate) async fn form(
    State(state): State<Arc<AppState>>,
    caller_view: PageContext,
    Query(query): QueryPairs,
) -> Result<Markup, AppError> {
    let (instrument, criteria) = (value(&query, "instrument"), value(&query, "criteria"));
    let mut form = empty(&state, &caller_view, (instrument, criteria), None).await?;
    value(&query, "documents").clone_into(&mut form.documents);
    value(&query, "judge").clone_into(&mut form.judge);
    Ok(caller_view.page(Here::Runs, "New run", &new_run::content(&form)))
}

async fn empty(
    state: &AppState,
    caller_view: &PageContext,
    (instrument, criteria): (&str, &str),
    problem: Option<String>,
) -> Result<new_run::NewRun, AppError> {
    let instrument = match instrument {
        known @ ("summary" | "retrieval" | "council") => known,
        _ => "compliance",
    };
    let models = &state.settings.models;
    let grid = caller_view.workspace.truth_grid(None, None, None).await?;
    Ok(new_run::NewRun {
        instrument: instrument.to_owned(),
        criteria: criteria.to_owned(),
        documents: String::new(),
        criteria_sets: grid.criteria_sets,
        document_sets: grid.document_sets,
        judges: judges(state),
        judge: String::new(),
        is_open: models.allowed.is_empty() || models.allowed.iter().any(|name| name.contains('*')),
        council: councils::form(state, None),
        problem,
    })
}

/// Models that may judge, can be asked and have a name of their own, beside the rules.
pub(super) fn judges(state: &AppState) -> Vec<String> {
    let models = &state.settings.models;
    let priced = models.config.to_wire().prices.into_iter().map(|price| price.model);
    let named = models.allowed.iter().cloned().chain(priced);
    // A price is of a model and its dated versions: `openai/gpt-4o-mini*`.
    let mut all: Vec<String> = named.map(|name| name.trim_end_matches('*').to_owned()).collect();
    all.retain(|name| can_be_asked(models, name));
    all.sort_unstable();
    all.dedup();
    all
}

/// `POST /runs/new`: what is wrong with the files is said above the form.
pub(crate) async fn begin(
    State(state): State<Arc<AppState>>,
    caller_view: PageContext,
    form: Multipart,
) -> Result<Response, AppError> {
    let mut upload = Upload::read(form).await?;
    let instrument = value(&upload.fields, "instrument").to_owned();
    let workspace = caller_view.workspace.clone();
    let begun = match instrument.as_str() {
        "summary" if value(&upload.fields, "act") == "start" => {
            pairs::start(workspace, &upload).await
        }
        "summary" => match pairs::check(&upload) {
            Ok(check) => {
                let content = new_pairs::content(&check);
                return Ok(caller_view
                    .page(Here::Runs, "Check and start", &content)
                    .into_response());
            }
            Err(error) => Err(error),
        },
        "retrieval" => retrieval(workspace, &mut upload).await,
        "council" => match value(&upload.fields, "act") {
            "start" => councils::start(&state, workspace, &upload).await,
            "change" => return council_form(&state, &caller_view, &upload, None).await,
            _ => match councils::check(&state, &upload).await {
                Ok(check) => {
                    let content = new_council::check(&check);
                    return Ok(caller_view
                        .page(Here::Runs, "Check and start", &content)
                        .into_response());
                }
                Err(error) => Err(error),
            },
        },
        _ if value(&upload.fields, "act") == "start" => {
            wizard::start(&state, workspace, &upload).await
        }
        _ => match wizard::check(&state, workspace, &mut upload).await {
            Ok(check) => {
                let content = new_run_check::content(&check);
                return Ok(caller_view
                    .page(Here::Runs, "Check and start", &content)
                    .into_response());
            }
            Err(error) => Err(error),
        },
    };
    match begun {
        Ok(run) => {
            Ok(go(&run_address(run.instrument.word(), run.number), "started").into_response())
        }
        Err(error) if instrument == "council" => {
            let detail = Some(error.detail().to_owned());
            let page = council_form(&state, &caller_view, &upload, detail).await?;
            Ok((error.status(), page).into_response())
        }
        Err(error) => {
            let (detail, chosen) = (error.detail().to_owned(), value(&upload.fields, "criteria"));
            let mut form = empty(&state, &caller_view, (&instrument, chosen), Some(detail)).await?;
            value(&upload.fields, "documents").clone_into(&mut form.documents);
            value(&upload.fields, "judge").clone_into(&mut form.judge);
            let page = caller_view.page(Here::Runs, "New run", &new_run::content(&form));
            Ok((error.status(), page).into_response())
        }
    }
}

/// The form of a council with what was chosen in it.
async fn council_form(
    state: &AppState,
    caller_view: &PageContext,
    upload: &Upload,
    problem: Option<String>,
) -> Result<Response, AppError> {
    let mut form = empty(state, caller_view, ("council", ""), problem).await?;
    if let Ok(chosen) = councils::chosen(upload) {
        form.council = councils::form(state, Some(chosen));
    }
    Ok(caller_view.page(Here::Runs, "New run", &new_run::content(&form)).into_response())
}

async fn retrieval(workspace: Workspace, upload: &mut Upload) -> Result<Run, AppError> {
    let (predictions, gold) = (upload.file("predictions"), upload.file("gold"));
    let files = predictions.zip(gold);
    let (predictions, gold) = files
        .ok_or_else(|| AppError::bad_input("choose a predictions file and a gold standard file"))?;
    let name = name(upload, "name");
    let save = move || async move {
        Ok(workspace.save_retrieval(name.as_deref(), &predictions, &gold).await?)
    };
    offload(save).await
}

/// What a run is to be called, if anything.
pub(super) fn name(upload: &Upload, field: &str) -> Option<String> {
    let name = value(&upload.fields, field).trim();
    (!name.is_empty()).then(|| name.to_owned())
}
