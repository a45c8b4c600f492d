//! Small data sets as tables: pairs of a run, criteria of a set.

use std::sync::Arc;

use assize_engine::store::Run;
use assize_engine::workplace::data::{DataRow, ROWS_MAX};
use assize_page::app::Here;
use assize_page::app::data::{self, DataTable};
use assize_page::app::runs::{run_address, run_title};
use axum::extract::{Form, Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::Markup;

use super::context::PageContext;
use super::criteria::PATH;
use super::forms::{Pairs, go, value, values};
use crate::api::runs::create;
use crate::error::{AppError, Result};
use crate::state::AppState;

const PAIRS: [(&str, &str); 3] = [("id", "ID"), ("article", "Article"), ("summary", "Summary")];
const CRITERIA: [(&str, &str); 3] =
    [("id", "ID"), ("requirement", "Requirement"), ("description", "Description")];

/// The rows of a form; one without any text is left out.
fn rows(form: &[(String, String)], columns: [(&str, &str); 3]) -> Vec<DataRow> {
    let [first, second, third] = columns.map(|(field, _)| values(form, field));
    let rows =
        first.into_iter().zip(second).zip(third).map(|((one, two), three)| [one, two, three]);
    let rows = rows.map(|row| row.map(|cell| cell.replace("\r\n", "\n")));
    rows.filter(|row| row.iter().any(|cell| !cell.trim().is_empty())).collect()
}

/// `GET /runs/{run}/data`: the pairs of a run of summaries.
pub(crate) async fn pairs(caller_view: PageContext, Path(name): Path<String>) -> Result<Markup> {
    let run = caller_view.workspace.find_run(&name).await?;
    let rows = caller_view.workspace.pairs_table(&run).await?;
    let next = caller_view.workspace.next_name(&run).await?;
    Ok(caller_view.page(
        Here::Runs,
        "Edit pairs",
        &pairs_content(&caller_view, &run, (rows, next), None).await?,
    ))
}

async fn pairs_content(
    caller_view: &PageContext,
    run: &Run,
    (rows, name): (Vec<DataRow>, String),
    problem: Option<String>,
) -> Result<Markup> {
    let entry = caller_view.workspace.run_entry(run).await?;
    let address = run_address(run.instrument.word(), run.number);
    Ok(data::content(&DataTable {
        title: "Edit pairs and run again".to_owned(),
        about: "Judged with the same settings as a new run; this one stays as it is.",
        above: vec![("Runs".to_owned(), "/runs".to_owned()), (run_title(&entry), address)],
        action: format!("/runs/{}/data", run.number),
        columns: PAIRS,
        rows,
        etag: String::new(),
        name: Some(name),
        button: "Run again",
        problem,
    }))
}

/// `POST /runs/{run}/data`: adds a row, or judges the pairs as a new run.
pub(crate) async fn run_pairs(
    State(state): State<Arc<AppState>>,
    caller_view: PageContext,
    Path(name): Path<String>,
    Form(form): Pairs,
) -> Result<Response> {
    let run = caller_view.workspace.find_run(&name).await?;
    let (mut rows, name) = (rows(&form, PAIRS), value(&form, "name").trim().to_owned());
    let problem = if value(&form, "act") == "add" {
        rows.push(DataRow::default());
        None
    } else {
        match again(&state, &caller_view, &run, (&rows, &name)).await {
            Ok(made) => {
                let address = run_address(made.instrument.word(), made.number);
                return Ok(go(&address, "started").into_response());
            }
            Err(error) => Some(error),
        }
    };
    let status = problem.as_ref().map_or(StatusCode::OK, AppError::status);
    let problem = problem.map(|error| error.detail().to_owned());
    let content = pairs_content(&caller_view, &run, (rows, name), problem).await?;
    Ok((status, caller_view.page(Here::Runs, "Edit pairs", &content)).into_response())
}

async fn again(
    state: &Arc<AppState>,
    caller_view: &PageContext,
    run: &Run,
    (rows, name): (&[DataRow], &str),
) -> Result<Run> {
    let is_whole =
        |[_, article, summary]: &DataRow| !article.trim().is_empty() && !summary.trim().is_empty();
    if let Some(place) = rows.iter().position(|row| !is_whole(row)) {
        return Err(AppError::bad_input(format!(
            "row {} needs an article and a summary",
            place + 1
        )));
    }
    if rows.is_empty() || rows.len() > ROWS_MAX {
        return Err(AppError::bad_input(format!("1 to {ROWS_MAX} pairs can be judged here")));
    }
    create::judge_again(state, &caller_view.workspace, run, (name, rows)).await
}

/// `GET …/{id}/table`: the criteria of a set.
pub(crate) async fn criteria(caller_view: PageContext, Path(id): Path<String>) -> Result<Markup> {
    let (name, rows, etag) = caller_view.workspace.criteria_table(&id).await?;
    let content = criteria_content(&id, &name, (rows, etag), None);
    Ok(caller_view.page(Here::Criteria, "Edit criteria", &content))
}

fn criteria_content(
    id: &str,
    name: &str,
    (rows, etag): (Vec<DataRow>, String),
    problem: Option<String>,
) -> Markup {
    data::content(&DataTable {
        title: "Edit criteria".to_owned(),
        about: "New runs use them; finished runs keep the criteria they were judged against.",
        above: vec![
            ("Criteria sets".to_owned(), PATH.to_owned()),
            (name.to_owned(), format!("{PATH}/{id}")),
        ],
        action: format!("{PATH}/{id}/table"),
        columns: CRITERIA,
        rows,
        etag,
        name: None,
        button: "Save and run again",
        problem,
    })
}

/// `POST …/{id}/table`: adds a row, or saves and goes on to a new run with the set.
pub(crate) async fn save_criteria(
    caller_view: PageContext,
    Path(id): Path<String>,
    Form(form): Pairs,
) -> Result<Response> {
    let mut rows = rows(&form, CRITERIA);
    let etag = value(&form, "etag").to_owned();
    let set = caller_view.workspace.criteria_set(&id).await?;
    let problem = if value(&form, "act") == "add" {
        rows.push(DataRow::default());
        None
    } else {
        match caller_view.workspace.save_criteria_table(&id, &rows, &etag).await {
            Ok(()) => {
                let query = [
                    ("instrument", "compliance"),
                    ("criteria", set.name.as_str()),
                    ("told", "saved"),
                ];
                let address = assize_page::app::address::address("/runs/new", &query);
                return Ok(axum::response::Redirect::to(&address).into_response());
            }
            Err(error) => Some(AppError::from(error)),
        }
    };
    let status = problem.as_ref().map_or(StatusCode::OK, AppError::status);
    let problem = problem.map(|error| error.detail().to_owned());
    let content = criteria_content(&id, &set.name, (rows, etag), problem);
    Ok((status, caller_view.page(Here::Criteria, "Edit criteria", &content)).into_response())
}
