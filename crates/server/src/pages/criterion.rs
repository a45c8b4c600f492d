//! A criteria set renamed and archived; its criteria changed, added, moved and deleted.

use assize_engine::store::MoveTo;
use assize_engine::workplace::rubric::CRITERIA_SHOWN;
use assize_engine::workplace::rubric::SaveOutcome;
use assize_page::app::{Here, criteria, criterion};
use assize_wire::workplace::{CriterionDraft, CriterionView};
use axum::extract::{Form, Path};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use maud::Markup;

use super::context::PageContext;
use super::criteria::PATH;
use super::forms::{Pairs, go, value};
use crate::error::{AppError, Result};

/// `GET …/{id}/edit`.
pub(crate) async fn rename_form(
    caller_view: PageContext,
    Path(id): Path<String>,
) -> Result<Markup> {
    let set = caller_view.workspace.set_view(&id, 0).await?.set;
    let content = criteria::rename(&set, &set.name, None);
    Ok(caller_view.page(Here::Criteria, "Rename", &content))
}

/// `POST …/{id}/edit`.
pub(crate) async fn rename(
    caller_view: PageContext,
    Path(id): Path<String>,
    Form(form): Pairs,
) -> Result<Response> {
    let name = value(&form, "name");
    match caller_view.workspace.rename_set(&id, name).await.map_err(AppError::from) {
        Ok(()) => Ok(go(PATH, "renamed").into_response()),
        Err(error) if error.status() == StatusCode::UNPROCESSABLE_ENTITY => {
            let set = caller_view.workspace.set_view(&id, 0).await?.set;
            let content = criteria::rename(&set, name, Some(error.detail()));
            let page = caller_view.page(Here::Criteria, "Rename", &content);
            Ok((error.status(), page).into_response())
        }
        Err(error) => Err(error),
    }
}

/// `POST …/{id}/archive`: leaves a set out of lists, or takes it in again.
pub(crate) async fn archive(
    caller_view: PageContext,
    Path(id): Path<String>,
    Form(form): Pairs,
) -> Result<Redirect> {
    let is_archived = value(&form, "on") != "no";
    caller_view.workspace.archive_set(&id, is_archived).await?;
    Ok(go(PATH, if is_archived { "archived" } else { "unarchived" }))
}

/// `GET …/{id}/criteria/new`.
pub(crate) async fn new_form(caller_view: PageContext, Path(id): Path<String>) -> Result<Markup> {
    let found = caller_view.workspace.criterion_view(&id, None).await?;
    Ok(page(&caller_view, &found, None))
}

/// `POST …/{id}/criteria/new`.
pub(crate) async fn add(
    caller_view: PageContext,
    Path(id): Path<String>,
    Form(form): Pairs,
) -> Result<Response> {
    save(&caller_view, (&id, None), &form).await
}

/// `GET …/{id}/criteria/{item}`.
pub(crate) async fn form(
    caller_view: PageContext,
    Path((id, item)): Path<(String, String)>,
) -> Result<Markup> {
    let found = caller_view.workspace.criterion_view(&id, Some(&item)).await?;
    Ok(page(&caller_view, &found, None))
}

/// `POST …/{id}/criteria/{item}`.
pub(crate) async fn change(
    caller_view: PageContext,
    Path((id, item)): Path<(String, String)>,
    Form(form): Pairs,
) -> Result<Response> {
    save(&caller_view, (&id, Some(&item)), &form).await
}

async fn save(
    caller_view: &PageContext,
    (id, item): (&str, Option<&str>),
    form: &[(String, String)],
) -> Result<Response> {
    let typed = |name: &str| value(form, name).to_owned();
    let mut draft = CriterionDraft {
        id: typed("id"),
        requirement: typed("requirement"),
        description: typed("description"),
        category: typed("category"),
        weight: typed("weight"),
    };
    if item.is_some() {
        // The id is not typed again; the page shows it all the same.
        draft.id = caller_view.workspace.criterion_view(id, item).await?.draft.id;
    }
    let saved =
        caller_view.workspace.save_criterion((id, item), draft, value(form, "etag")).await?;
    let (status, found) = match saved {
        SaveOutcome::Kept => {
            return Ok(go(&format!("{PATH}/{id}"), "saved").into_response());
        }
        SaveOutcome::Conflict(found) => (StatusCode::PRECONDITION_FAILED, found),
        SaveOutcome::Wrong(found) => (StatusCode::UNPROCESSABLE_ENTITY, found),
    };
    Ok((status, page(caller_view, &found, None)).into_response())
}

/// `POST …/{id}/order`: one up, one down, or to a place.
pub(crate) async fn reorder(
    caller_view: PageContext,
    Path(id): Path<String>,
    Form(form): Pairs,
) -> Result<Redirect> {
    let (up, down) = (value(&form, "up"), value(&form, "down"));
    let (item, to) = match (up, down) {
        ("", "") => {
            let place = value(&form, "place").trim().parse::<usize>().ok();
            let place = place.and_then(|place| place.checked_sub(1));
            // A set that is not there is told before what is wrong with the place.
            caller_view.workspace.criteria_set(&id).await?;
            let place = place.ok_or_else(|| {
                AppError::bad_input("the position must be a whole number, starting at 1")
            })?;
            (value(&form, "item"), MoveTo::Place(place))
        }
        ("", item) => (item, MoveTo::Down),
        (item, _) => (item, MoveTo::Up),
    };
    let place = caller_view.workspace.move_criterion(&id, item, to).await?;
    let from = value(&form, "from").parse::<usize>().unwrap_or(0);
    let is_shown = (from..from + CRITERIA_SHOWN).contains(&place);
    let from = if is_shown { from } else { place - place % CRITERIA_SHOWN };
    // The row is where the eye and the keyboard go on.
    Ok(Redirect::to(&format!("{PATH}/{id}?from={from}&told=moved#{item}")))
}

/// `POST …/{id}/criteria/{item}/delete`.
pub(crate) async fn delete(
    caller_view: PageContext,
    Path((id, item)): Path<(String, String)>,
) -> Result<Response> {
    let deleted = caller_view.workspace.delete_criterion(&id, &item).await;
    match deleted.map_err(AppError::from) {
        Ok(()) => Ok(go(&format!("{PATH}/{id}"), "removed").into_response()),
        Err(error) if error.status() == StatusCode::UNPROCESSABLE_ENTITY => {
            let found = caller_view.workspace.criterion_view(&id, Some(&item)).await?;
            let shown = page(&caller_view, &found, Some(error.detail()));
            Ok((error.status(), shown).into_response())
        }
        Err(error) => Err(error),
    }
}

fn page(caller_view: &PageContext, found: &CriterionView, problem: Option<&str>) -> Markup {
    let title = if found.item.is_some() { "Edit criterion" } else { "Add criterion" };
    caller_view.page(Here::Criteria, title, &criterion::content(found, problem))
}
