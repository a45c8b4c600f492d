//! One's own account.

use std::sync::Arc;

use assize_engine::accounts::codes;
use assize_engine::store::{OrganisationId, UserId};
use assize_page::app::Here;
use assize_page::app::own::{self, OwnAccount};
use assize_wire::accounts::{MadeToken, Me};
use axum::Extension;
use axum::extract::{Form, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use maud::Markup;

use super::admin::tokens::{request, shape};
use super::context::PageContext;
use super::forms::{Pairs, go, value};
use crate::api::sessions::{change_password, with_password};
use crate::api::tokens::entry;
use crate::auth::{Caller, session_token};
use crate::error::{AppError, Result, to_app_error};
use crate::idempotent::ShownOnce;
use crate::state::AppState;

const PATH: &str = "/account";

/// `GET /account`.
pub(crate) async fn show(
    caller_view: PageContext,
    caller: Caller,
    headers: HeaderMap,
) -> Result<Markup> {
    shown(&caller_view, (&caller, &headers), None, None).await
}

async fn shown(
    caller_view: &PageContext,
    (caller, headers): (&Caller, &HeaderMap),
    made: Option<&MadeToken>,
    wrong: Option<&str>,
) -> Result<Markup> {
    let (workspace, told) = (&caller_view.workspace, |error| to_app_error(&error));
    let mut tokens = workspace.tokens().await.map_err(told)?;
    tokens.retain(|token| token.made_by == caller.who);
    let (mut organisations, mut sessions) = (Vec::new(), Vec::new());
    let mut code_secret = None;
    if let Some(user) = &caller.user {
        let current = session_token(headers).unwrap_or_default();
        organisations = workspace.own_organisations(user).await.map_err(told)?;
        sessions = workspace.own_sessions(user, &current).await.map_err(told)?;
        if workspace.user(&caller.who).await.map_err(told)?.user.code_secret.is_none() {
            code_secret = Some(codes::secret().map_err(told)?);
        }
    }
    let account = OwnAccount {
        me: Me {
            name: caller.who.clone(),
            organisation: caller_view.organisation().to_owned(),
            role: caller.role.to_string(),
            scope: None,
        },
        organisations,
        sessions,
        tokens: tokens.into_iter().map(entry).collect(),
        has_password: caller.user.is_some(),
        code_secret,
    };
    Ok(caller_view.page(Here::Account, "Your account", &own::content(&account, made, wrong)))
}

/// `POST /account/password`.
pub(crate) async fn password(
    State(state): State<Arc<AppState>>,
    caller_view: PageContext,
    caller: Caller,
    headers: HeaderMap,
    Form(form): Pairs,
) -> Result<Response> {
    person(&caller)?;
    let (old, new) = (value(&form, "old").to_owned(), value(&form, "new").to_owned());
    match change_password(&state, &caller, old, new).await {
        Ok(()) => Ok(Redirect::to("/login").into_response()),
        Err(error) => {
            let page = shown(&caller_view, (&caller, &headers), None, Some(error.detail())).await?;
            Ok((error.status(), page).into_response())
        }
    }
}

/// `POST /account/codes`: has one-time codes needed from now on, or no more.
pub(crate) async fn codes(
    State(state): State<Arc<AppState>>,
    caller_view: PageContext,
    caller: Caller,
    headers: HeaderMap,
    Form(form): Pairs,
) -> Result<Response> {
    person(&caller)?;
    let typed = |name: &str| value(&form, name).to_owned();
    let (old, secret, code) = (typed("old"), typed("secret"), typed("code"));
    let with = (!secret.is_empty()).then_some((secret, code));
    let changed = with_password(&state, &caller, move |workspace, name| async move {
        workspace.set_codes(&name, &old, with).await
    });
    match changed.await {
        Ok(()) => Ok(Redirect::to("/login").into_response()),
        Err(error) => {
            let page = shown(&caller_view, (&caller, &headers), None, Some(error.detail())).await?;
            Ok((error.status(), page).into_response())
        }
    }
}

/// `POST /account/sessions`: signs out in another browser.
pub(crate) async fn end_session(
    caller_view: PageContext,
    caller: Caller,
    Form(form): Pairs,
) -> Result<Redirect> {
    let ended = caller_view.workspace.end_session(person(&caller)?, value(&form, "session")).await;
    ended.map_err(|error| to_app_error(&error))?;
    Ok(go(PATH, "signed-out"))
}

/// `POST /account/organisation`: works in another one from now on.
pub(crate) async fn turn_to(
    State(state): State<Arc<AppState>>,
    caller: Caller,
    headers: HeaderMap,
    Form(form): Pairs,
) -> Result<Redirect> {
    let session = session_token(&headers).unwrap_or_default();
    let wanted = OrganisationId::from(value(&form, "organisation"));
    let turned = state.everything().turn_to(person(&caller)?, &session, &wanted).await;
    turned.map_err(|error| to_app_error(&error))?;
    Ok(Redirect::to("/"))
}

/// `POST /account/tokens`: makes one, and shows its secret once.
pub(crate) async fn make_token(
    caller_view: PageContext,
    caller: Caller,
    headers: HeaderMap,
    Form(form): Pairs,
) -> Result<Response> {
    // It would outlive the one it was made with.
    if caller.scope.is_some() {
        return Err(AppError::refused("a token cannot be used to create another token"));
    }
    let made = async {
        let made = caller_view.workspace.make_own_token(caller.role, request(&form)?).await;
        made.map_err(|error| to_app_error(&error))
    };
    let who = (&caller, &headers);
    match made.await {
        Ok(made) => {
            let page = shown(&caller_view, who, Some(&shape(made)), None).await?;
            Ok((Extension(ShownOnce), page).into_response())
        }
        Err(error) => {
            let page = shown(&caller_view, who, None, Some(error.detail())).await?;
            Ok((error.status(), page).into_response())
        }
    }
}

/// `POST /account/tokens/revoke`.
pub(crate) async fn revoke_token(caller_view: PageContext, Form(form): Pairs) -> Result<Redirect> {
    let revoked = caller_view.workspace.revoke_own_token(value(&form, "token")).await;
    revoked.map_err(|error| to_app_error(&error))?;
    Ok(go(PATH, "revoked"))
}

fn person(caller: &Caller) -> Result<&UserId> {
    caller.user.as_ref().ok_or_else(|| AppError::refused("you have no account on this server"))
}
