//! Truth keys, accuracy, and the reviewer's queue.

use assize_engine::compliance::intake::{read_truth, truth_template};
use assize_engine::store::{Instrument, RunFilter};
use assize_page::app::{Here, review, truth};
use assize_wire::runs::RunEntry;
use axum::extract::{Form, Multipart, Query};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Redirect, Response};
use maud::Markup;

use super::desk::Desk;
use super::forms::{Pairs, QueryPairs, Upload, number, value};
use crate::error::AppError;
use crate::work::apart;

/// Runs that can be chosen.
const CHOICES: i64 = 100;

fn some(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// `GET /truth-keys`.
pub(crate) async fn list(desk: Desk, Query(query): QueryPairs) -> Result<Markup, AppError> {
    let (criteria, documents) = (some(value(&query, "criteria")), some(value(&query, "documents")));
    let grid = desk.registry.truth_grid(criteria, documents).await?;
    Ok(desk.page(Here::Truth, "Truth keys", &truth::content(&grid, &[], desk.can_write())))
}

/// `POST /truth-keys`: enters one.
pub(crate) async fn enter(desk: Desk, Form(form): Pairs) -> Result<Response, AppError> {
    let sets = (value(&form, "criteria"), value(&form, "documents"));
    let pair = (value(&form, "criterion"), value(&form, "document"));
    let score = number(value(&form, "score"), "the score")?;
    let score = score.ok_or_else(|| AppError::bad_input("a truth key needs a score"))?;
    let done = desk.registry.enter_truth(sets, pair, score).await?;
    shown(&desk, sets, &done.problems).await
}

/// `POST /truth-keys/import`.
pub(crate) async fn import(desk: Desk, form: Multipart) -> Result<Response, AppError> {
    let mut upload = Upload::read(form).await?;
    let file = upload.file("file").ok_or_else(|| AppError::bad_input("choose a file"))?;
    let sets = (value(&upload.fields, "criteria"), value(&upload.fields, "documents"));
    let read = read_truth(&file.bytes, &file.name);
    let read = read.map_err(|error| AppError::bad_input(format!("{}: {error}", file.name)))?;
    let set = desk.registry.criteria_set(sets.0).await?;
    let documents = desk.registry.document_set(sets.1).await?;
    let who = desk.registry.who.clone();
    let done = desk.registry.import_truth((&documents, &set), &read.items, Some(&who)).await?;
    let problems = [read.problems, done.problems].concat();
    shown(&desk, sets, &problems).await
}

async fn shown(
    desk: &Desk,
    (criteria, documents): (&str, &str),
    problems: &[String],
) -> Result<Response, AppError> {
    if problems.is_empty() {
        let query = [("criteria", criteria), ("documents", documents)];
        let address = assize_page::app::address::address("/truth-keys", &query);
        return Ok(Redirect::to(&address).into_response());
    }
    let grid = desk.registry.truth_grid(some(criteria), some(documents)).await?;
    let content = truth::content(&grid, problems, desk.can_write());
    Ok(desk.page(Here::Truth, "Truth keys", &content).into_response())
}

/// `GET /truth-keys/template`.
pub(crate) async fn template(desk: Desk, Query(query): QueryPairs) -> Result<Response, AppError> {
    let set = desk.registry.criteria_set(value(&query, "criteria")).await?;
    let files = desk.registry.document_set(value(&query, "documents")).await?;
    let entries = desk.registry.current_documents(&files).await?;
    let names: Vec<String> = entries.into_iter().map(|entry| entry.name).collect();
    let items = desk.registry.criteria(&set).await?;
    let bytes = truth_template(&names, &items, &[], "truth-keys.csv");
    let headers = [
        (CONTENT_TYPE, "text/csv; charset=utf-8"),
        (CONTENT_DISPOSITION, "attachment; filename=\"truth-keys.csv\""),
    ];
    Ok((headers, bytes).into_response())
}

/// The compliance runs that can be chosen.
async fn choices(desk: &Desk) -> Result<Vec<RunEntry>, AppError> {
    let filter = RunFilter { instrument: Some(Instrument::Compliance), ..RunFilter::default() };
    let mut entries = Vec::new();
    for run in desk.registry.list_runs(&filter, CHOICES).await? {
        entries.push(desk.registry.run_entry(&run).await?);
    }
    Ok(entries)
}

/// `GET /accuracy`.
pub(crate) async fn accuracy(desk: Desk, Query(query): QueryPairs) -> Result<Markup, AppError> {
    let runs = choices(&desk).await?;
    let asked = value(&query, "run");
    let chosen = match some(asked) {
        Some(name) => Some(desk.registry.evaluation_of(name).await?.0.number),
        None => runs.first().map(|run| run.number),
    };
    let entry = runs.iter().find(|run| Some(run.number) == chosen);
    let Some(entry) = entry else {
        return Ok(desk.page(Here::Accuracy, "Accuracy", &truth::accuracy(&runs, None, None)));
    };
    let (registry, name) = (desk.registry.clone(), entry.number.to_string());
    let (report, ceiling) = apart(move || async move {
        let (_, run, _) = registry.evaluation_of(&name).await?;
        let ceiling = registry.review_queue(&name, true, None).await?.agreement.between;
        Ok((registry.accuracy(&run).await?, ceiling))
    })
    .await?;
    let content = truth::accuracy(&runs, Some((entry, report.as_ref())), ceiling);
    Ok(desk.page(Here::Accuracy, "Accuracy", &content))
}

/// `GET /review`.
pub(crate) async fn queue(desk: Desk, Query(query): QueryPairs) -> Result<Markup, AppError> {
    let Some(name) = some(value(&query, "run")) else {
        let runs = choices(&desk).await?;
        return Ok(desk.page(Here::Review, "Review queue", &review::choose(&runs)));
    };
    let is_blind = value(&query, "open") != "yes";
    let after = value(&query, "after").parse().ok();
    let found = desk.registry.review_queue(name, is_blind, after).await?;
    Ok(desk.page(Here::Review, "Review queue", &review::content(&found)))
}

/// `POST /review`: keeps a rating, and shows the next.
pub(crate) async fn rate(desk: Desk, Form(form): Pairs) -> Result<Redirect, AppError> {
    let run = value(&form, "run");
    let at: i64 = value(&form, "number").parse().map_err(|_| AppError::bad_input("which one?"))?;
    let tier = value(&form, "tier").parse().ok();
    let score = number(value(&form, "score"), "the score")?.filter(|_| tier.is_none());
    desk.registry.rate(run, at, score, tier).await?;
    let query = [("run", run), ("open", value(&form, "open"))];
    Ok(Redirect::to(&assize_page::app::address::address("/review", &query)))
}
