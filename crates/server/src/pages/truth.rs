//! Truth keys, accuracy, and the reviewer's queue.

use assize_engine::compliance::criteria::structure;
use assize_engine::compliance::intake::{read_truth, truth_template};
use assize_engine::compliance::truth::TruthFile;
use assize_engine::store::views::LineQuery;
use assize_engine::store::{Instrument, RunFilter};
use assize_page::app::{Here, review, truth};
use assize_wire::runs::RunEntry;
use assize_wire::workplace::KeysLeftOut;
use axum::extract::{Form, Multipart, Query};
use axum::response::{IntoResponse, Redirect, Response};
use maud::Markup;

use super::context::PageContext;
use super::forms::{self, Pairs, QueryPairs, Upload, number, sections, value};
use crate::error::{AppError, Result};
use crate::work::offload;

/// Runs that can be chosen.
const CHOICES: i64 = 100;

fn some(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// `GET /truth-keys`.
pub(crate) async fn list(caller_view: PageContext, Query(query): QueryPairs) -> Result<Markup> {
    let (criteria, documents) = (some(value(&query, "criteria")), some(value(&query, "documents")));
    let analyst = some(value(&query, "analyst"));
    let grid = caller_view.workspace.truth_grid(criteria, documents, analyst).await?;
    Ok(caller_view.page(
        Here::Truth,
        "Truth keys",
        &truth::content(&grid, &[], caller_view.can_write()),
    ))
}

/// `POST /truth-keys`: enters one.
pub(crate) async fn enter(caller_view: PageContext, Form(form): Pairs) -> Result<Response> {
    let sets = (value(&form, "criteria"), value(&form, "documents"));
    let pair = (value(&form, "criterion"), value(&form, "document"));
    let score = number(value(&form, "score"), "the score")?;
    let score = score.ok_or_else(|| AppError::bad_input("a truth key needs a score"))?;
    let done = caller_view.workspace.enter_truth(sets, pair, score, sections(&form)).await?;
    shown(&caller_view, sets, &done.problems).await
}

/// `POST /truth-keys/delete`: takes one away.
pub(crate) async fn delete(caller_view: PageContext, Form(form): Pairs) -> Result<Response> {
    let sets = (value(&form, "criteria"), value(&form, "documents"));
    caller_view.workspace.remove_truth(sets, value(&form, "key")).await?;
    shown(&caller_view, sets, &[]).await
}

/// `POST /truth-keys/import`.
pub(crate) async fn import(caller_view: PageContext, form: Multipart) -> Result<Response> {
    let mut upload = Upload::read(form).await?;
    let file = upload.file("file").ok_or_else(|| AppError::bad_input("choose a file"))?;
    let sets = (value(&upload.fields, "criteria"), value(&upload.fields, "documents"));
    let read = read_truth(&file.bytes, &file.name);
    let read = read.map_err(|error| AppError::bad_input(format!("{}: {error}", file.name)))?;
    let set = caller_view.workspace.criteria_set(sets.0).await?;
    let documents = caller_view.workspace.document_set(sets.1).await?;
    let who = caller_view.workspace.who.clone();
    let skip_unusable = value(&upload.fields, "skip_unusable") == "yes";
    let file = TruthFile { name: &file.name, read: &read, skip_unusable };
    let done =
        caller_view.workspace.import_truth_file((&documents, &set), &file, Some(&who)).await?;
    shown(&caller_view, sets, &done.problems).await
}

async fn shown(
    caller_view: &PageContext,
    (criteria, documents): (&str, &str),
    problems: &[String],
) -> Result<Response> {
    if problems.is_empty() {
        let query = [("criteria", criteria), ("documents", documents)];
        let address = assize_page::app::address::address("/truth-keys", &query);
        return Ok(Redirect::to(&address).into_response());
    }
    let grid = caller_view.workspace.truth_grid(some(criteria), some(documents), None).await?;
    let content = truth::content(&grid, problems, caller_view.can_write());
    Ok(caller_view.page(Here::Truth, "Truth keys", &content).into_response())
}

/// `GET /truth-keys/template`.
pub(crate) async fn template(
    caller_view: PageContext,
    Query(query): QueryPairs,
) -> Result<Response> {
    let set = caller_view.workspace.criteria_set(value(&query, "criteria")).await?;
    let files = caller_view.workspace.document_set(value(&query, "documents")).await?;
    let entries = caller_view.workspace.current_documents(&files).await?;
    let names: Vec<String> = entries.into_iter().map(|entry| entry.name).collect();
    let items = caller_view.workspace.criteria(&set).await?;
    let structure = structure(&set)?;
    let ids: Vec<String> = structure.sections().iter().map(|one| one.id.clone()).collect();
    let bytes = truth_template(&names, &items, &ids, "truth-keys.csv");
    Ok(forms::table("truth-keys.csv", bytes))
}

/// The compliance runs that can be chosen.
async fn choices(caller_view: &PageContext) -> Result<Vec<RunEntry>> {
    let filter = RunFilter { instrument: Some(Instrument::Compliance), ..RunFilter::default() };
    let runs = caller_view.workspace.list_runs(&filter, CHOICES).await?;
    Ok(caller_view.workspace.run_entries(&runs).await?)
}

/// `GET /accuracy`.
pub(crate) async fn accuracy(caller_view: PageContext, Query(query): QueryPairs) -> Result<Markup> {
    let runs = choices(&caller_view).await?;
    let asked = value(&query, "run");
    let chosen = match some(asked) {
        Some(name) => Some(caller_view.workspace.evaluation_of(name).await?.0.number),
        None => runs.first().map(|run| run.number),
    };
    let entry = runs.iter().find(|run| Some(run.number) == chosen);
    let Some(entry) = entry else {
        return Ok(caller_view.page(
            Here::Accuracy,
            "Accuracy",
            &truth::accuracy(&runs, None, &truth::Places::new(), KeysLeftOut::default()),
        ));
    };
    let (workspace, name) = (caller_view.workspace.clone(), entry.number.to_string());
    let (report, rest, places) = offload(move || async move {
        let (run, configuration) = workspace.evaluation_of(&name).await?;
        let (report, rest) = workspace.accuracy_and_rest(&run).await?;
        let mut places = truth::Places::new();
        for one in report.iter().flat_map(|report| &report.worst) {
            let query = LineQuery { search: one.criterion.clone(), ..LineQuery::default() };
            let found = workspace.evaluation_lines(&run, &configuration.rubric, &query).await?;
            let lines = found.lines.into_iter();
            places.extend(lines.map(|line| ((line.criteria_id, line.document), line.number)));
        }
        Ok((report, rest, places))
    })
    .await?;
    let found = Some((entry, report.as_ref()));
    let content = truth::accuracy(&runs, found, &places, rest);
    Ok(caller_view.page(Here::Accuracy, "Accuracy", &content))
}

/// `GET /review`.
pub(crate) async fn queue(caller_view: PageContext, Query(query): QueryPairs) -> Result<Markup> {
    let Some(name) = some(value(&query, "run")) else {
        let runs = choices(&caller_view).await?;
        let assigned = caller_view.workspace.assigned_runs().await?;
        let content = review::choose(&runs, &assigned, &caller_view.workspace.who);
        return Ok(caller_view.page(Here::Review, "Review queue", &content));
    };
    let is_blind = value(&query, "open") != "yes";
    let after = value(&query, "after").parse().ok();
    let mut found = caller_view.workspace.review_queue(name, is_blind, after).await?;
    let mut skipped = after;
    if found.item.is_none() && skipped.take().is_some() {
        // What was skipped comes back at the end.
        found = caller_view.workspace.review_queue(name, is_blind, None).await?;
    }
    Ok(caller_view.page(Here::Review, "Review queue", &review::content(&found, skipped)))
}

/// `POST /review`: keeps a rating, and shows the next.
pub(crate) async fn rate(caller_view: PageContext, Form(form): Pairs) -> Result<Redirect> {
    let run = value(&form, "run");
    let at: i64 = value(&form, "number")
        .parse()
        .map_err(|_| AppError::bad_input("the number of the result is missing"))?;
    let tier = value(&form, "tier").parse().ok();
    let score = number(value(&form, "score"), "the score")?.filter(|_| tier.is_none());
    caller_view.workspace.rate(run, at, score, tier).await?;
    let query = [("run", run), ("open", value(&form, "open")), ("after", value(&form, "after"))];
    Ok(Redirect::to(&assize_page::app::address::address("/review", &query)))
}
