//! Signing in and out, and the first person's way in.

use std::sync::Arc;
use std::time::Instant;

use assize_engine::accounts::{AccountError, SignIn};
use axum::extract::State;
use axum::http::header::{LOCATION, SET_COOKIE, USER_AGENT};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Form as PlainForm};
use maud::Markup;
use serde::Deserialize;

use super::MaybeCaller;
use super::admit::session_token;
use crate::api::take;
use crate::error::{AppError, told};
use crate::pages;
use crate::serve::Client;
use crate::state::AppState;
use crate::work::apart;

/// The cookie of a session.
pub(crate) const COOKIE_NAME: &str = "assize_session";

/// `GET /login`.
pub(crate) async fn page() -> Markup {
    pages::account::login(None)
}

/// What somebody signs in with.
#[derive(Deserialize)]
pub(crate) struct Login {
    name: String,
    password: String,
}

/// `POST /login`. The session is a new one whatever the browser sent: nobody can prepare a
/// session and have somebody else sign in to it.
pub(crate) async fn login(
    State(state): State<Arc<AppState>>,
    client: Option<Extension<Client>>,
    headers: HeaderMap,
    PlainForm(login): PlainForm<Login>,
) -> Result<Response, AppError> {
    let address = client.map(|client| client.0.0.ip().to_string()).unwrap_or_default();
    let name_key = format!("name {}", login.name);
    let keys = [name_key.clone(), format!("address {address}")];
    if state.throttle.blocks(&keys, Instant::now()) {
        let detail = "too many tries that went wrong: wait five minutes";
        return Err(AppError::too_many(detail));
    }
    if let Some(old) = session_token(&headers) {
        state.everything().sign_out(&old).await.map_err(|error| told(&error))?;
    }
    let agent = headers.get(USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
    let (registry, agent, from) = (state.everything(), agent.to_owned(), address.clone());
    // Hashing keeps a core busy for a while.
    let signed_in = apart(move || async move {
        let Login { name, password } = &login;
        let with = SignIn { name, password, address: &from, agent: &agent };
        Ok(registry.sign_in(with).await)
    })
    .await?;
    match signed_in {
        Ok((token, _)) => {
            state.throttle.succeeded(&name_key);
            Ok(redirect("/", Some(&cookie(&state, &token))))
        }
        Err(AccountError::Wrong) => {
            state.throttle.failed(&keys, Instant::now());
            let page = pages::account::login(Some("The name or the password is wrong."));
            Ok((StatusCode::UNAUTHORIZED, page).into_response())
        }
        Err(error) => Err(told(&error)),
    }
}

/// `POST /logout`.
pub(crate) async fn logout(
    State(state): State<Arc<AppState>>,
    headers: HeaderMap,
) -> Result<Response, AppError> {
    if let Some(token) = session_token(&headers) {
        state.everything().sign_out(&token).await.map_err(|error| told(&error))?;
    }
    let ended = format!("{COOKIE_NAME}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
    Ok(redirect("/login", Some(&ended)))
}

/// Which link was followed.
#[derive(Deserialize)]
pub(crate) struct Link {
    link: String,
}

/// `GET /setup`.
pub(crate) async fn setup_page(take::Query(link): take::Query<Link>) -> Markup {
    pages::account::setup(&link.link, None)
}

/// The first person.
#[derive(Deserialize)]
pub(crate) struct First {
    link: String,
    name: String,
    password: String,
}

/// `POST /setup`.
pub(crate) async fn setup(
    State(state): State<Arc<AppState>>,
    MaybeCaller(_): MaybeCaller,
    PlainForm(first): PlainForm<First>,
) -> Result<Response, AppError> {
    let First { link, name, password } = first;
    let (registry, again) = (state.everything(), link.clone());
    let made = apart(move || async move { Ok(registry.set_up(&link, &name, &password).await) });
    match made.await? {
        Ok(_) => Ok(redirect("/login", None)),
        Err(error) => {
            let error = told(&error);
            let page = pages::account::setup(&again, Some(error.detail()));
            Ok((error.status(), page).into_response())
        }
    }
}

fn cookie(state: &AppState, token: &str) -> String {
    let secure = if state.settings.is_behind_tls { "; Secure" } else { "" };
    format!("{COOKIE_NAME}={token}; Path=/; HttpOnly; SameSite=Lax{secure}")
}

fn redirect(to: &str, cookie: Option<&str>) -> Response {
    let mut response = (StatusCode::SEE_OTHER, [(LOCATION, to)]).into_response();
    if let Some(cookie) = cookie.and_then(|cookie| cookie.parse().ok()) {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    response
}
