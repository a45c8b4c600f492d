//! Where analysts differ: both values side by side, and what counts.

use assize_page::app::{Here, dispute};
use axum::extract::{Form, Query};
use axum::response::{IntoResponse, Redirect, Response};
use maud::Markup;

use super::context::PageContext;
use super::forms::{Pairs, QueryPairs, number, sections, value};
use crate::error::{AppError, Result};

/// What is settled, as the address names it: criteria set and document set, criterion and document.
type DisputeAddress<'a> = ((&'a str, &'a str), (&'a str, &'a str));

fn asked(query: &[(String, String)]) -> DisputeAddress<'_> {
    let named = |name| value(query, name);
    ((named("criteria"), named("documents")), (named("criterion"), named("document")))
}

/// `GET /truth-keys/adjudicate`.
pub(crate) async fn show(caller_view: PageContext, Query(query): QueryPairs) -> Result<Markup> {
    let (sets, pair) = asked(&query);
    let found = caller_view.workspace.dispute_view(sets, pair).await?;
    let content = dispute::content(&found, None, "", caller_view.can_write());
    Ok(caller_view.page(Here::Truth, &found.criteria_id, &content))
}

/// `POST /truth-keys/adjudicate`.
pub(crate) async fn settle(
    caller_view: PageContext,
    Query(query): QueryPairs,
    Form(form): Pairs,
) -> Result<Response> {
    let (sets, pair) = asked(&query);
    let reason = value(&form, "reason");
    let settled = match chosen(&form) {
        Ok(score) => {
            let said = Some(sections(&form)).filter(|sections| !sections.is_empty());
            let done = caller_view.workspace.settle(sets, pair, (score, said), reason).await;
            done.map(|()| score).map_err(AppError::from)
        }
        Err(error) => Err(error),
    };
    match settled {
        Ok(score) => {
            let told = if score.is_some() { "settled" } else { "reopened" };
            let address = dispute::settle_address(sets, pair.0, pair.1);
            Ok(Redirect::to(&format!("{address}&told={told}")).into_response())
        }
        Err(error) => {
            let found = caller_view.workspace.dispute_view(sets, pair).await?;
            let content = dispute::content(&found, Some(error.detail()), reason, true);
            let page = caller_view.page(Here::Truth, &found.criteria_id, &content);
            Ok((error.status(), page).into_response())
        }
    }
}

/// The score that is to count; none opens it again.
fn chosen(form: &[(String, String)]) -> Result<Option<f64>> {
    let typed = number(value(form, "score"), "the score")?;
    match (value(form, "choice"), typed) {
        ("open", _) => Ok(None),
        ("" | "other", Some(score)) => Ok(Some(score)),
        ("" | "other", None) => Err(AppError::bad_input("choose a score or enter a different one")),
        (choice, _) => number(choice, "the score"),
    }
}
