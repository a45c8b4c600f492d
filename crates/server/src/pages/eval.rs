//! Compliance: runs, lines, matrix, and a result with its decision.

use std::collections::BTreeMap;

use assize_engine::compliance::Configuration;
use assize_engine::runs::decide::DecisionRequest;
use assize_engine::store::views::{LineQuery, LineSort};
use assize_engine::store::{Instrument, ResultOutcome, Run, RunFilter};
use assize_engine::workplace::export::lines_table;
use assize_engine::workplace::{cursor, evaluation as job};
use assize_page::app::lines::LinesQuery;
use assize_page::app::result::Typed;
use assize_page::app::{Here, evaluation, result, runs};
use assize_page::repeats::side_by_side;
use assize_wire::workplace::{Evaluation, Lines};
use axum::extract::{Form, Path, Query};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};

use super::context::PageContext;
use super::forms::{self, Pairs, QueryPairs, go, number, sections, value, values};
use crate::error::{AppError, Result};
use crate::response_cache::Fleeting;

/// Runs on a page.
const PAGE: i64 = 50;

/// `GET /eval`.
pub(crate) async fn list(caller_view: PageContext) -> Result<Markup> {
    let filter = RunFilter { instrument: Some(Instrument::Compliance), ..RunFilter::default() };
    let rows = caller_view.workspace.run_rows(&filter, PAGE).await?;
    Ok(caller_view.page(
        Here::Compliance,
        "Compliance",
        &evaluation::list(&rows, caller_view.can_write()),
    ))
}

/// `GET /eval/{run}`.
pub(crate) async fn show(
    caller_view: PageContext,
    Path(name): Path<String>,
    Query(query): QueryPairs,
) -> Result<Response> {
    let workspace = &caller_view.workspace;
    let (run, configuration) = workspace.evaluation_of(&name).await?;
    let (asked, lines) = lines(&caller_view, &run, &configuration, &query).await?;
    let set = workspace.set_of_documents(&run, &configuration.rubric).await?;
    let found = workspace.evaluation_at_a_glance(&run, &configuration, &set).await?;
    let shown = evaluation::lines(&found, &lines, &asked, caller_view.can_write());
    let content = evaluation::content(&found, &shown, false, caller_view.can_write());
    Ok(answered(&caller_view, &found, &content))
}

/// A page about an evaluation. While it goes on it says how long it will take, by the clock.
fn answered(caller_view: &PageContext, found: &Evaluation, content: &Markup) -> Response {
    let page = caller_view.page(Here::Compliance, &runs::run_title(&found.run), content);
    let mut response = page.into_response();
    if found.seconds_left.is_some() {
        response.extensions_mut().insert(Fleeting);
    }
    response
}

/// `GET /eval/{run}/lines.csv`: what the page with the same query shows.
pub(crate) async fn table(
    caller_view: PageContext,
    Path(name): Path<String>,
    Query(query): QueryPairs,
) -> Result<Response> {
    let (run, configuration) = caller_view.workspace.evaluation_of(&name).await?;
    let (_, lines) = lines(&caller_view, &run, &configuration, &query).await?;
    Ok(forms::table("results.csv", lines_table(&lines)?))
}

async fn lines(
    caller_view: &PageContext,
    run: &Run,
    configuration: &Configuration,
    query: &[(String, String)],
) -> Result<(LinesQuery, Lines)> {
    let asked = LinesQuery {
        q: value(query, "q").to_owned(),
        show: value(query, "show").to_owned(),
        sort: value(query, "sort").to_owned(),
        who: value(query, "who").to_owned(),
    };
    let wanted = LineQuery {
        search: asked.q.clone(),
        filter: job::filter(&asked.show, &configuration.rubric),
        sort: match asked.sort.as_str() {
            "worst" => LineSort::Worst,
            "best" => LineSort::Best,
            "unsure" => LineSort::LeastSure,
            _ => LineSort::Plan,
        },
        assignee: asked.who.clone(),
        after: cursor::read(value(query, "after")),
    };
    let lines = caller_view.workspace.evaluation_lines(run, &configuration.rubric, &wanted).await?;
    Ok((asked, lines))
}

/// `GET /eval/{run}/matrix`.
pub(crate) async fn matrix(
    caller_view: PageContext,
    Path(name): Path<String>,
    Query(query): QueryPairs,
) -> Result<Response> {
    let workspace = &caller_view.workspace;
    let (run, configuration) = workspace.evaluation_of(&name).await?;
    let set = workspace.set_of_documents(&run, &configuration.rubric).await?;
    let found = workspace.evaluation_at_a_glance(&run, &configuration, &set).await?;
    let from = value(&query, "from").parse().unwrap_or(0);
    let documents = found.documents.clone();
    let matrix = job::matrix(&configuration.rubric, &set, documents, from);
    let shown = evaluation::matrix(&found, &matrix, caller_view.can_write());
    let content = evaluation::content(&found, &shown, true, caller_view.can_write());
    Ok(answered(&caller_view, &found, &content))
}

/// `POST /eval/{run}/assign`: gives the chosen criteria to somebody, or to nobody.
pub(crate) async fn assign(
    caller_view: PageContext,
    Path(name): Path<String>,
    Form(form): Pairs,
) -> Result<Redirect> {
    let to = Some(value(&form, "to")).filter(|to| !to.is_empty());
    let view = if value(&form, "view") == "matrix" { "/matrix" } else { "" };
    let criteria = values(&form, "criterion");
    if criteria.is_empty() {
        caller_view.workspace.find_run(&name).await?;
        return Ok(go(&format!("/eval/{name}{view}"), "unticked"));
    }
    caller_view.workspace.assign(&name, &criteria, to).await?;
    Ok(go(&format!("/eval/{name}{view}"), "assigned"))
}

/// `GET /eval/{run}/results/{number}`.
pub(crate) async fn show_result(
    caller_view: PageContext,
    Path((name, number)): Path<(String, i64)>,
) -> Result<Markup> {
    let found = caller_view.workspace.result_view(&name, number).await?;
    let run = caller_view.workspace.find_run(&name).await?;
    let repeats = caller_view.workspace.repeats_of(&run, number).await?;
    let content = result::content(&found, None, caller_view.can_write());
    let content = html! { (content) (side_by_side(&repeats)) };
    Ok(caller_view.page(Here::Compliance, &found.criteria_id, &content))
}

/// `POST /eval/{run}/results/{number}/decide`.
pub(crate) async fn decide(
    caller_view: PageContext,
    Path((name, at)): Path<(String, i64)>,
    Form(form): Pairs,
) -> Result<Response> {
    let typed = typed(&form);
    let here = format!("/eval/{name}/results/{at}");
    if let Err(error) = kept(&caller_view, (&name, at), &typed).await {
        let found = caller_view.workspace.result_view(&name, at).await?;
        let content = result::content(&found, Some((error.detail(), &typed)), true);
        let page = caller_view.page(Here::Compliance, &found.criteria_id, &content);
        return Ok((error.status(), page).into_response());
    }
    let next = if value(&form, "next") == "yes" {
        caller_view.workspace.result_view(&name, at).await?.around[1].clone()
    } else {
        None
    };
    let address = next.map_or(here, |next| format!("/eval/{name}/results/{}", next.number));
    Ok(go(&address, "decided").into_response())
}

/// A decision as it stands in its form.
fn typed(form: &[(String, String)]) -> Typed {
    Typed {
        score: value(form, "score").to_owned(),
        outcome: value(form, "outcome").to_owned(),
        sections: sections(form).into_iter().collect(),
        reason: value(form, "reason").to_owned(),
    }
}

async fn kept(caller_view: &PageContext, (name, at): (&str, i64), typed: &Typed) -> Result<()> {
    let outcome = match typed.outcome.as_str() {
        "" => None,
        word => {
            let outcome = ResultOutcome::from_word(word);
            Some(outcome.map_err(|_| AppError::refused(format!("unknown decision `{word}`")))?)
        }
    };
    let request = DecisionRequest {
        score: number(&typed.score, "the score")?,
        outcome,
        sections: typed.sections.iter().cloned().collect::<BTreeMap<_, _>>(),
        reason: typed.reason.clone(),
        ..DecisionRequest::default()
    };
    let (run, _) = caller_view.workspace.evaluation_of(name).await?;
    caller_view.workspace.decide(&run, at - 1, &request).await?;
    Ok(())
}

/// `POST /eval/{run}/results/{number}/revert`.
pub(crate) async fn revert(
    caller_view: PageContext,
    Path((name, number)): Path<(String, i64)>,
    Form(form): Pairs,
) -> Result<Redirect> {
    let (run, _) = caller_view.workspace.evaluation_of(&name).await?;
    let request = DecisionRequest {
        is_withdrawal: true,
        reason: value(&form, "reason").to_owned(),
        ..DecisionRequest::default()
    };
    caller_view.workspace.decide(&run, number - 1, &request).await?;
    Ok(go(&format!("/eval/{name}/results/{number}"), "reverted"))
}

/// `POST /eval/{run}/results/{number}/truth`.
pub(crate) async fn make_truth(
    caller_view: PageContext,
    Path((name, number)): Path<(String, i64)>,
) -> Result<Redirect> {
    let (run, _) = caller_view.workspace.evaluation_of(&name).await?;
    caller_view.workspace.make_truth(&run, number - 1).await?;
    Ok(go(&format!("/eval/{name}/results/{number}"), "truth"))
}

/// `GET /eval/{run}/results/{number}/original`: the bytes of the document, never shown in place.
pub(crate) async fn original(
    caller_view: PageContext,
    Path((name, number)): Path<(String, i64)>,
) -> Result<Response> {
    let (run, _) = caller_view.workspace.evaluation_of(&name).await?;
    let result = caller_view.workspace.result_at(&run, number).await?;
    let result = result.ok_or_else(|| AppError::not_found("not judged yet"))?;
    let documents = caller_view.workspace.store.documents();
    let document = caller_view.workspace.document_by_id(&result.document_id).await?.entry;
    let bytes = documents.original(&caller_view.workspace.organisation, &document.id).await?;
    let bytes = bytes.ok_or_else(|| AppError::not_found("the original file was not stored"))?;
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '_');
    let safe: String =
        document.name.chars().map(|letter| if plain(letter) { letter } else { '_' }).collect();
    let headers = [
        (CONTENT_TYPE, "application/octet-stream".to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{safe}\"")),
    ];
    Ok((headers, bytes).into_response())
}
