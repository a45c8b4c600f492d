//! What failed tried again, a run scored another way, and labels corrected.

use std::sync::Arc;

use assize_engine::runs::correct::LabelsKept;
use assize_engine::runs::{RescoreRequest, RetrievalChange};
use assize_engine::store::RetryFilter;
use assize_engine::summary::Framework;
use assize_page::app::runs::run_address;
use assize_page::app::{Here, again};
use axum::extract::{Form, Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use maud::Markup;

use super::context::PageContext;
use super::forms::{Pairs, go, value, values};
use super::items;
use crate::background;
use crate::error::{AppError, Result};
use crate::state::AppState;
use crate::work::offload;

/// `POST /runs/{run}/retry`: asks anew about what has no score.
pub(crate) async fn retry(
    State(state): State<Arc<AppState>>,
    caller_view: PageContext,
    Path(name): Path<String>,
) -> Result<Redirect> {
    let workspace = caller_view.workspace;
    let run = workspace.find_run(&name).await?;
    // Nothing is opened again that nobody can be asked about.
    background::check_judge_of(&state, &run).await?;
    let reopened = workspace.retry_run(&run, &RetryFilter::default()).await?;
    let address = run_address(run.instrument.word(), run.number);
    if reopened.items == 0 {
        return Ok(go(&address, "nothing-retried"));
    }
    // It is open again; as it was read it is done.
    let run = workspace.find_run(run.id.as_str()).await?;
    background::start(&state, &workspace, &run).await?;
    Ok(go(&address, "retried"))
}

/// `GET /runs/{run}/rescore`.
pub(crate) async fn rescore_form(
    caller_view: PageContext,
    Path(name): Path<String>,
) -> Result<Markup> {
    let run = caller_view.workspace.find_run(&name).await?;
    let found = caller_view.workspace.rescore_view(&run).await?;
    Ok(caller_view.page(Here::Runs, "Score again", &again::rescore(&found, "", None)))
}

/// `POST /runs/{run}/rescore`.
pub(crate) async fn rescore(
    caller_view: PageContext,
    Path(name): Path<String>,
    Form(form): Pairs,
) -> Result<Response> {
    let run = caller_view.workspace.find_run(&name).await?;
    let done = match requested(&form) {
        Ok(request) => {
            let (workspace, asked) = (caller_view.workspace.clone(), run.clone());
            offload(move || async move { Ok(workspace.rescore_on_page(&asked, request).await?) })
                .await
        }
        Err(refused) => Err(refused),
    };
    match done {
        Ok(_) => {
            let address = run_address(run.instrument.word(), run.number);
            Ok(go(&address, "rescored").into_response())
        }
        Err(error) if error.status().is_client_error() => {
            let mut found = caller_view.workspace.rescore_view(&run).await?;
            if let Some(settings) = &mut found.retrieval {
                settings.typed = RETRIEVAL.map(|field| value(&form, field).to_owned());
            }
            let content = again::rescore(&found, value(&form, "reason"), Some(error.detail()));
            let page = caller_view.page(Here::Runs, "Score again", &content);
            Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
        }
        Err(error) => Err(error),
    }
}

/// The fields of a retrieval run, as the form names them.
const RETRIEVAL: [&str; 3] = ["measures", "k", "level"];

/// The request that a form makes; what is left empty stays.
fn requested(form: &[(String, String)]) -> Result<RescoreRequest> {
    let given = |field| Some(value(form, field).trim()).filter(|text| !text.is_empty());
    let refused = |field: &str, problem: &dyn ToString| {
        AppError::refused(format!("{field}: {}", problem.to_string()))
    };
    let framework = given("framework").map(|name| {
        let other = "choose a framework other than the current one";
        Framework::named(name).ok_or_else(|| AppError::refused(other))
    });
    let k = given("k").map(|text| text.parse().map_err(|error: String| refused("k", &error)));
    let level = given("level").map(|text| {
        text.parse().map_err(|_| refused("level", &format!("`{text}` is not a whole number")))
    });
    let measures = given("measures").unwrap_or_default().split([',', ' ']);
    let retrieval = RetrievalChange {
        measures: measures.filter(|name| !name.is_empty()).map(ToOwned::to_owned).collect(),
        k: k.transpose()?,
        relevance_level: level.transpose()?,
    };
    let framework = framework.transpose()?;
    let reason = given("reason").map(ToOwned::to_owned);
    Ok(RescoreRequest { reason, framework, retrieval, ..RescoreRequest::default() })
}

/// `POST /runs/{run}/items/{number}/labels`: shows what other labels would give, or keeps them.
pub(crate) async fn labels(
    caller_view: PageContext,
    Path((name, number)): Path<(String, i64)>,
    Form(form): Pairs,
) -> Result<Response> {
    let run = caller_view.workspace.find_run(&name).await?;
    let (chosen, reason) = (values(&form, "label"), value(&form, "reason"));
    if value(&form, "act") != "keep" {
        let shown = caller_view.workspace.labels_view(&run, number, &chosen).await?;
        let mut shown =
            shown.ok_or_else(|| AppError::refused("this item has no claims with saved labels"))?;
        reason.clone_into(&mut shown.reason);
        return items::summary_page(&caller_view, &run, number, Some(shown)).await;
    }
    let seen = value(&form, "version").parse::<i64>().unwrap_or(0);
    let (workspace, asked, why) = (caller_view.workspace.clone(), run.clone(), reason.to_owned());
    let kept = offload(move || async move {
        Ok(workspace.correct_labels(&asked, number, (&chosen, &why), seen).await?)
    });
    let (status, mut shown) = match kept.await? {
        LabelsKept::Version(_) => {
            let address = format!("/runs/{}/items/{number}", run.number);
            return Ok(Redirect::to(&format!("{address}?told=corrected#labels")).into_response());
        }
        LabelsKept::Refused(shown) => (StatusCode::UNPROCESSABLE_ENTITY, shown),
        LabelsKept::Conflict(mut shown) => {
            let words = "someone else scored this run again while you were editing: the current labels \
                are shown and yours are not saved yet; save them again if they still apply";
            shown.problem = Some(words.to_owned());
            (StatusCode::PRECONDITION_FAILED, shown)
        }
    };
    if shown.problem.is_none() {
        shown.problem = Some("it was not saved".to_owned());
    }
    let page = items::summary_page(&caller_view, &run, number, Some(*shown)).await?;
    Ok((status, page).into_response())
}
