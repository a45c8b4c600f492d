//! Signing in and out, and the first person's way in.

use std::sync::Arc;
use std::time::Instant;

use assize_engine::accounts::{AccountError, SignIn};
use assize_page::app::account::FirstAccount;
use axum::extract::{Query, State};
use axum::http::header::{LOCATION, REFERER, SET_COOKIE, USER_AGENT};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Form as PlainForm};
use maud::Markup;
use serde::Deserialize;

use super::admit::session_token;
use super::throttle::Guess;
use crate::api::extract;
use crate::error::{AppError, Result, to_app_error};
use crate::pages;
use crate::serve::{Client, way_in};
use crate::state::AppState;
use crate::work::offload;

/// The cookie of a session.
pub(crate) const COOKIE_NAME: &str = "assize_session";
/// Longer addresses are nobody's bookmark.
const RETURN_LENGTH_MAX: usize = 500;

/// Where to go afterwards.
#[derive(Deserialize)]
pub(crate) struct Asked {
    r#return: Option<String>,
    out: Option<String>,
}

/// `GET /login`.
pub(crate) async fn page(
    State(state): State<Arc<AppState>>,
    extract::Query(asked): extract::Query<Asked>,
) -> Result<Markup> {
    if asked.out.is_some() {
        return Ok(pages::account::signed_out(&state.settings));
    }
    let return_path = asked.r#return.filter(|path| is_own_path(path));
    // Sign-in answers even when the database does not.
    let is_fresh = state.store.accounts().is_empty().await.unwrap_or(false);
    let link = if is_fresh && state.settings.is_open() {
        Some(way_in(&state).await.map_err(|error| to_app_error(&error))?)
    } else {
        None
    };
    let first = match link.as_deref() {
        Some(link) => Some(FirstAccount::Link(link)),
        None => (is_fresh && state.settings.takes_passwords()).then_some(FirstAccount::InTerminal),
    };
    Ok(pages::account::login(&state.settings, (None, return_path.as_deref()), first))
}

/// What somebody signs in with.
#[derive(Deserialize)]
pub(crate) struct Login {
    name: String,
    password: String,
    #[serde(default)]
    code: String,
}

/// `POST /login`. The session is a new one whatever the browser sent: nobody can prepare a
/// session and have somebody else sign in to it.
pub(crate) async fn login(
    State(state): State<Arc<AppState>>,
    client: Option<Extension<Client>>,
    headers: HeaderMap,
    PlainForm(login): PlainForm<Login>,
) -> Result<Response> {
    if !state.settings.takes_passwords() && state.settings.identity_provider().is_some() {
        return Err(AppError::refused("sign-in with a password is off on this server"));
    }
    let address = client.map(|client| client.0.0.ip().to_string()).unwrap_or_default();
    let guess = Guess::new(&login.name, Some(&address));
    state.throttle.allow(&guess)?;
    if let Some(old) = session_token(&headers) {
        state.everything().sign_out(&old).await.map_err(|error| to_app_error(&error))?;
    }
    let agent = headers.get(USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
    let (workspace, agent, from) = (state.everything(), agent.to_owned(), address.clone());
    // Hashing keeps a core busy for a while.
    let signed_in = offload(move || async move {
        let Login { name, password, code } = &login;
        let with = SignIn { name, password, code, address: &from, agent: &agent };
        Ok(workspace.sign_in(with).await)
    })
    .await?;
    match signed_in {
        Ok((token, _)) => {
            state.throttle.succeeded(&guess);
            let to = wanted(&headers).unwrap_or_else(|| "/".to_owned());
            Ok(redirect(&to, Some(&session_cookie(&state, &token))))
        }
        Err(AccountError::Wrong) => {
            state.throttle.failed(&guess, Instant::now());
            let wrong = Some("Incorrect name, password or one-time code.");
            let page = pages::account::login(&state.settings, (wrong, None), None);
            Ok((StatusCode::UNAUTHORIZED, page).into_response())
        }
        Err(error) => Err(to_app_error(&error)),
    }
}

/// Where somebody wanted to go, as the address of the page says on which they sign in.
fn wanted(headers: &HeaderMap) -> Option<String> {
    let page: Uri = headers.get(REFERER)?.to_str().ok()?.parse().ok()?;
    let Query(asked) = Query::<Asked>::try_from_uri(&page).ok()?;
    asked.r#return.filter(|path| page.path() == "/login" && is_own_path(path))
}

/// `POST /logout`.
pub(crate) async fn logout(
    State(state): State<Arc<AppState>>,
    headers: HeaderMap,
) -> Result<Response> {
    if let Some(token) = session_token(&headers) {
        state.everything().sign_out(&token).await.map_err(|error| to_app_error(&error))?;
    }
    let ended = format!("{COOKIE_NAME}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
    let is_elsewhere_too = state.settings.identity_provider().is_some();
    Ok(redirect(if is_elsewhere_too { "/login?out=1" } else { "/login" }, Some(&ended)))
}

/// Which link was followed.
#[derive(Deserialize)]
pub(crate) struct Link {
    link: String,
}

/// `GET /setup`. Once there is somebody, the link has done its work.
pub(crate) async fn setup_page(
    State(state): State<Arc<AppState>>,
    extract::Query(link): extract::Query<Link>,
) -> Result<Markup> {
    if !state.store.accounts().is_empty().await? {
        let detail = "the setup link was already used: sign in, or ask an administrator";
        return Err(AppError::refused(detail));
    }
    Ok(pages::account::setup(&link.link, None))
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
    PlainForm(first): PlainForm<First>,
) -> Result<Response> {
    let First { link, name, password } = first;
    let (workspace, again) = (state.everything(), link.clone());
    let made = offload(move || async move { Ok(workspace.set_up(&link, &name, &password).await) });
    match made.await? {
        Ok(_) => Ok(redirect("/login", None)),
        Err(error) => {
            let error = to_app_error(&error);
            let page = pages::account::setup(&again, Some(error.detail()));
            Ok((error.status(), page).into_response())
        }
    }
}

/// Whether a path leads to a page of ours, whoever wrote it.
pub(crate) fn is_own_path(path: &str) -> bool {
    let is_plain = |letter: char| !letter.is_control() && letter != '\\';
    // Two slashes begin a host, and browsers take a backslash for a slash.
    path.starts_with('/')
        && !path.starts_with("//")
        && path.len() <= RETURN_LENGTH_MAX
        && path.chars().all(is_plain)
        && path.is_ascii()
}

/// What a browser is told to keep of a session.
pub(crate) fn session_cookie(state: &AppState, token: &str) -> String {
    let secure = if state.settings.is_behind_tls { "; Secure" } else { "" };
    format!("{COOKIE_NAME}={token}; Path=/; HttpOnly; SameSite=Lax{secure}")
}

pub(crate) fn redirect(to: &str, cookie: Option<&str>) -> Response {
    let mut response = (StatusCode::SEE_OTHER, [(LOCATION, to)]).into_response();
    if let Some(cookie) = cookie.and_then(|cookie| cookie.parse().ok()) {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_path_of_this_server_is_its_own() {
        for path in ["/", "/runs/3?sort=worst#x", "/eval/1"] {
            assert!(is_own_path(path), "{path}");
        }
        let long = format!("/{}", "x".repeat(500));
        for path in [
            "",
            "runs",
            "//evil.example",
            "/\\evil.example",
            "\\\\evil.example",
            "https://evil.example",
            "javascript:alert(1)",
            "/a\r\nSet-Cookie: x",
            "/\t/evil.example",
            "/é",
            &long,
        ] {
            assert!(!is_own_path(path), "{path}");
        }
    }
}
