//! Prompt templates and their versions.

use assize_page::app::Here;
use assize_page::app::admin::prompts;
use axum::extract::{Form, Query};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use maud::Markup;

use crate::error::{AppError, Result};
use crate::pages::context::PageContext;
use crate::pages::forms::{Pairs, QueryPairs, value};

const PATH: &str = "/admin/prompts";

fn some(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// `GET /admin/prompts`.
pub(crate) async fn list(caller_view: PageContext, Query(query): QueryPairs) -> Result<Markup> {
    let (show, against) = (some(value(&query, "show")), some(value(&query, "against")));
    let view = caller_view.workspace.prompts_view(show, against).await?;
    let content = prompts::content(&view, caller_view.is_admin());
    Ok(caller_view.page(Here::Prompts, "Prompts", &content))
}

/// `POST /admin/prompts`: keeps a new version, or makes a set use one.
pub(crate) async fn change(caller_view: PageContext, Form(form): Pairs) -> Result<Response> {
    if value(&form, "act") == "choose" {
        let title = value(&form, "template");
        let template = caller_view.workspace.find_template(title).await?;
        let mut set = caller_view.workspace.criteria_set(value(&form, "set")).await?;
        caller_view.workspace.choose_template(&mut set, Some(&template)).await?;
        return Ok(back(title, "chosen").into_response());
    }
    // A browser ends lines with two characters.
    let (name, body) = (value(&form, "name").trim(), value(&form, "body").replace("\r\n", "\n"));
    match caller_view.workspace.add_template(name, &body).await {
        Ok(kept) => Ok(back(&format!("{}@{}", kept.name, kept.version), "version").into_response()),
        Err(error) => {
            let error = AppError::from(error);
            let mut view = caller_view.workspace.prompts_view(None, None).await?;
            view.draft = Some((name.to_owned(), body));
            view.problem = Some(error.detail().to_owned());
            let content = prompts::content(&view, caller_view.is_admin());
            let page = caller_view.page(Here::Prompts, "Prompts", &content);
            Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
        }
    }
}

fn back(title: &str, told: &str) -> Redirect {
    let query = [("show", title), ("told", told)];
    Redirect::to(&assize_page::app::address::address(PATH, &query))
}
