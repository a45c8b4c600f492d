//! A new run from files and sets, and going on with one that was left.

use std::sync::Arc;

use assize_engine::asking::JudgeName;
use assize_engine::compliance::Registry;
use assize_engine::compliance::context::TOKENS_MAX;
use assize_engine::compliance::evaluate::{Evaluation, NamedFile};
use assize_engine::store::AnyRun;
use assize_page::app::runs::run_address;
use assize_page::app::{Here, new_run};
use axum::extract::{Multipart, Query, State};
use axum::response::{IntoResponse, Response};
use maud::Markup;

use super::context::PageContext;
use super::forms::{QueryPairs, Upload, go, value};
use crate::error::AppError;
use crate::jobs;
use crate::state::AppState;
use crate::work::apart;

/// What documents are kept as when nobody says.
const DOCUMENTS: &str = "documents";

/// `GET /runs/new`.
pub(crate) async fn form(
    caller_view: PageContext,
    Query(query): QueryPairs,
) -> Result<Markup, AppError> {
    let (instrument, criteria) = (value(&query, "instrument"), value(&query, "criteria"));
    let form = empty(&caller_view, instrument, criteria, None).await?;
    Ok(caller_view.page(Here::Runs, "New run", &new_run::content(&form)))
}

async fn empty(
    caller_view: &PageContext,
    instrument: &str,
    criteria: &str,
    problem: Option<String>,
) -> Result<new_run::NewRun, AppError> {
    let instrument = match instrument {
        known @ ("summary" | "retrieval") => known,
        _ => "compliance",
    };
    let grid = caller_view.registry.truth_grid(None, None).await?;
    Ok(new_run::NewRun {
        instrument: instrument.to_owned(),
        criteria: criteria.to_owned(),
        criteria_sets: grid.criteria_sets,
        document_sets: grid.document_sets,
        judges: Vec::new(),
        problem,
    })
}

/// `POST /runs/new`: what is wrong with the files is said above the form.
pub(crate) async fn begin(
    State(state): State<Arc<AppState>>,
    caller_view: PageContext,
    form: Multipart,
) -> Result<Response, AppError> {
    let mut upload = Upload::read(form).await?;
    let instrument = value(&upload.fields, "instrument").to_owned();
    let registry = caller_view.registry.clone();
    let begun = match instrument.as_str() {
        "summary" => summaries(registry, &mut upload).await,
        "retrieval" => retrieval(registry, &mut upload).await,
        _ => evaluation(&state, registry, &mut upload).await,
    };
    match begun {
        Ok(run) => {
            Ok(go(&run_address(run.instrument.word(), run.number), "started").into_response())
        }
        Err(error) => {
            let form =
                empty(&caller_view, &instrument, "", Some(error.detail().to_owned())).await?;
            let page = caller_view.page(Here::Runs, "New run", &new_run::content(&form));
            Ok((error.status(), page).into_response())
        }
    }
}

async fn summaries(registry: Registry, upload: &mut Upload) -> Result<AnyRun, AppError> {
    let pairs =
        upload.file("files").ok_or_else(|| AppError::bad_input("choose a file of pairs"))?;
    let name = name(upload, "name");
    apart(move || async move { Ok(registry.save_summaries(name.as_deref(), &pairs).await?) }).await
}

async fn retrieval(registry: Registry, upload: &mut Upload) -> Result<AnyRun, AppError> {
    let (predictions, gold) = (upload.file("predictions"), upload.file("gold"));
    let files = predictions.zip(gold);
    let (predictions, gold) =
        files.ok_or_else(|| AppError::bad_input("choose predictions and gold"))?;
    let name = name(upload, "name");
    let save = move || async move {
        Ok(registry.save_retrieval(name.as_deref(), &predictions, &gold).await?)
    };
    apart(save).await
}

async fn evaluation(
    state: &Arc<AppState>,
    registry: Registry,
    upload: &mut Upload,
) -> Result<AnyRun, AppError> {
    let document_files = upload.files("files");
    let mut criteria = value(&upload.fields, "criteria").to_owned();
    let mut criteria_file = upload.file("criteria_file");
    if let Some(file) = &mut criteria_file {
        // The set is called after its file, so the file is called as the set is to be.
        if let Some(name) = name(upload, "criteria_name") {
            let ending = file.name.rsplit_once('.').map_or("csv", |(_, ending)| ending);
            file.name = format!("{name}.{ending}");
        }
        criteria = stem(file).to_owned();
    }
    if criteria.is_empty() {
        return Err(AppError::bad_input("choose a criteria set, or a list of criteria to import"));
    }
    let documents = name(upload, "documents").unwrap_or_else(|| DOCUMENTS.to_owned());
    let judge = match value(&upload.fields, "judge") {
        "" => JudgeName::Rules,
        judge => {
            state.settings.models.allows(judge)?;
            judge.parse().map_err(|_| AppError::bad_input("there is no such judge"))?
        }
    };
    let evaluation = Evaluation {
        criteria,
        criteria_file,
        documents,
        document_files,
        judge,
        template: None,
        context_tokens: TOKENS_MAX,
        masks_identifiers: false,
    };
    let planning = registry.clone();
    let run = apart(move || async move {
        let (run, _) = planning.begin_evaluation(evaluation).await?;
        Ok(planning.any_run(run.id.as_str()).await?)
    });
    let run = run.await?;
    jobs::start(state, registry, run.clone())?;
    Ok(run)
}

fn name(upload: &Upload, field: &str) -> Option<String> {
    let name = value(&upload.fields, field).trim();
    (!name.is_empty()).then(|| name.to_owned())
}

fn stem(file: &NamedFile) -> &str {
    file.name.rsplit_once('.').map_or(file.name.as_str(), |(stem, _)| stem)
}
