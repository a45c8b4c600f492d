//! Tokens of programs.

use assize_engine::accounts::{MadeToken, TokenRequest};
use assize_engine::store::Scope;
use assize_page::app::Here;
use assize_page::app::admin::tokens;
use assize_wire::accounts::MadeToken as Shape;
use axum::Extension;
use axum::extract::Form;
use axum::response::{IntoResponse, Redirect, Response};
use maud::Markup;

use crate::api::tokens::{DAYS_MAX, entry};
use crate::error::{AppError, Result, to_app_error};
use crate::idempotent::ShownOnce;
use crate::pages::context::PageContext;
use crate::pages::forms::{Pairs, go, value};

/// `GET /admin/tokens`.
pub(crate) async fn list(caller_view: PageContext) -> Result<Markup> {
    shown(&caller_view, None, None).await
}

async fn shown(
    caller_view: &PageContext,
    made: Option<&Shape>,
    wrong: Option<&str>,
) -> Result<Markup> {
    let all = caller_view.workspace.tokens().await.map_err(|error| to_app_error(&error))?;
    let all: Vec<_> = all.into_iter().map(entry).collect();
    Ok(caller_view.page(Here::Tokens, "Tokens", &tokens::content(&all, made, wrong)))
}

/// `POST /admin/tokens`: makes one, and shows its secret once.
pub(crate) async fn make(caller_view: PageContext, Form(form): Pairs) -> Result<Response> {
    let made = async {
        let made = caller_view.workspace.make_token(request(&form)?).await;
        made.map_err(|error| to_app_error(&error))
    };
    match made.await {
        Ok(made) => {
            let page = shown(&caller_view, Some(&shape(made)), None).await?;
            Ok((Extension(ShownOnce), page).into_response())
        }
        Err(error) => {
            let page = shown(&caller_view, None, Some(error.detail())).await?;
            Ok((error.status(), page).into_response())
        }
    }
}

/// `POST /admin/tokens/revoke`.
pub(crate) async fn revoke(caller_view: PageContext, Form(form): Pairs) -> Result<Redirect> {
    let revoked = caller_view.workspace.revoke_token(value(&form, "token")).await;
    revoked.map_err(|error| to_app_error(&error))?;
    Ok(go("/admin/tokens", "revoked"))
}

/// A token that was made, in the shape that is shown.
pub(crate) fn shape(made: MadeToken) -> Shape {
    Shape { token: entry(made.token), secret: made.secret }
}

/// The token that a form asks for.
pub(crate) fn request(form: &[(String, String)]) -> Result<TokenRequest> {
    let scope = match value(form, "scope") {
        "read" => Scope::Read,
        "write" => Scope::Write,
        "admin" => Scope::Admin,
        other => return Err(AppError::bad_input(format!("unknown scope `{other}`"))),
    };
    let days = value(form, "days").parse().ok().filter(|days| (1..=DAYS_MAX).contains(days));
    let days =
        days.ok_or_else(|| AppError::bad_input(format!("days: must be between 1 and {DAYS_MAX}")))?;
    Ok(TokenRequest { name: value(form, "name").trim().to_owned(), scope, days: Some(days) })
}
