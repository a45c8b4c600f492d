//! The door before every route.

use std::sync::Arc;

use assize_engine::accounts::SignedIn;
use assize_engine::store::{ApiToken, OrganisationId, Role, Scope, origin};
use assize_page::app::address::address;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::header::{AUTHORIZATION, COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use chrono::Utc;

use super::proxy::{self, ProxyMark};
use super::sign_in::{COOKIE_NAME, is_own_path, redirect};
use super::{Access, Caller, csrf_of};
use crate::error::{AppError, Result, accepts_html, to_app_error};
use crate::serve::Client;
use crate::state::AppState;

/// Finds out who asks, and refuses those whom the route does not let in.
pub(crate) async fn admit(
    State((state, access)): State<(Arc<AppState>, Access)>,
    mut request: Request,
    next: Next,
) -> Result<Response> {
    let address = request.extensions().get::<Client>().map(|client| client.0.ip().to_string());
    let is_proxied = request.extensions().get::<ProxyMark>().is_some();
    let caller = match access {
        Access::Probe => None,
        _ => caller(&state, (request.headers(), is_proxied), access).await?,
    };
    let caller = caller.map(|caller| Caller { address: address.clone(), ..caller });
    match (access, &caller) {
        (Access::To(..) | Access::Operator, None) => return to_sign_in(&state, &request),
        (Access::Operator, Some(caller)) if !caller.is_operator() => {
            let detail = "this requires an operator: an administrator of the built-in organisation";
            return Err(AppError::new(StatusCode::FORBIDDEN, "forbidden", detail));
        }
        (Access::To(role, _), Some(caller)) if caller.role < role => {
            return Err(AppError::forbidden(role));
        }
        (Access::To(_, scope), Some(caller)) if caller.scope.is_some_and(|own| own < scope) => {
            let detail = format!("this requires a token with the scope {scope}");
            return Err(AppError::new(StatusCode::FORBIDDEN, "forbidden", detail));
        }
        (Access::Probe | Access::Public, _) | (Access::To(..) | Access::Operator, Some(_)) => {}
    }
    if let Some(caller) = caller {
        if !state.rate.allows(&caller) {
            return Err(AppError::too_many("too many requests: wait a second and try again"));
        }
        request.extensions_mut().insert(caller);
    }
    Ok(origin::coming_from(address, next.run(request)).await)
}

/// Who asks, if anybody knows them.
pub(crate) async fn caller_of(state: &AppState, parts: &Parts) -> Option<Caller> {
    let is_proxied = parts.extensions.get::<ProxyMark>().is_some();
    caller(state, (&parts.headers, is_proxied), Access::Public).await.ok().flatten()
}

/// How somebody came in, to see later whether they still may: an answer may go on for hours.
#[derive(Debug)]
pub(crate) struct Door {
    headers: HeaderMap,
    is_proxied: bool,
    organisation: OrganisationId,
}

impl Door {
    /// Whether whoever came in by it would come in now, to the same organisation.
    pub(crate) async fn is_open(&self, state: &AppState) -> Result<bool> {
        match caller(state, (&self.headers, self.is_proxied), Access::READ).await {
            Ok(found) => Ok(found.is_some_and(|now| now.organisation == self.organisation)),
            Err(error) if error.status() == StatusCode::UNAUTHORIZED => Ok(false),
            Err(error) => Err(error),
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Door {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let Caller { organisation, .. } = Caller::from_request_parts(parts, state).await?;
        let is_proxied = parts.extensions.get::<ProxyMark>().is_some();
        Ok(Self { headers: parts.headers.clone(), is_proxied, organisation })
    }
}

/// Whoever looks at a page is asked to sign in and comes back to it; programs are told.
fn to_sign_in(state: &AppState, request: &Request) -> Result<Response> {
    let settings = &state.settings;
    let path = request.uri().path();
    let is_looking = request.method() == Method::GET
        && !path.starts_with("/api/")
        && accepts_html(request.headers());
    // A proxy that signs people in has a page of its own.
    let has_page = settings.takes_passwords() || settings.identity_provider().is_some();
    if !is_looking || !has_page {
        return Err(AppError::not_signed_in());
    }
    let wanted = request.uri().path_and_query().map(ToString::to_string).unwrap_or_default();
    let login = match wanted.as_str() {
        "/" => "/login".to_owned(),
        own if is_own_path(own) => address("/login", &[("return", own)]),
        _ => "/login".to_owned(),
    };
    Ok(redirect(&login, None))
}

async fn caller(
    state: &AppState,
    connection: (&HeaderMap, bool),
    access: Access,
) -> Result<Option<Caller>> {
    let mut found = signed_in(state, connection, access).await?;
    if let Some(caller) = found.as_mut().filter(|_| state.settings.is_read_only) {
        caller.role = Role::Viewer;
    }
    Ok(found)
}

async fn signed_in(
    state: &AppState,
    (headers, is_proxied): (&HeaderMap, bool),
    access: Access,
) -> Result<Option<Caller>> {
    if let Some(secret) = bearer(headers) {
        let found = state.everything().token_of(secret, Utc::now()).await;
        let found = found.map_err(|error| to_app_error(&error))?;
        // A token that counts no more is told, and not taken for nobody.
        return found.map(of_token).map(Some).ok_or_else(AppError::not_signed_in);
    }
    if state.settings.is_open() {
        return Ok(Some(Caller::local(&state.secret)));
    }
    let settings = &state.settings;
    if settings.proxy.user_header.is_some() {
        let name = proxy::vouched(&settings.proxy, headers).filter(|_| is_proxied);
        let Some(name) = name else { return Ok(None) };
        let found = state.everything().vouched(name, settings.newcomers).await;
        // There is no session: what forms carry follows from the server's secret and the name.
        let secret = format!("{} {name}", state.secret);
        return match found {
            Ok(found) => Ok(found.map(|signed_in| of_session(signed_in, &secret))),
            Err(_) if access == Access::Public => Ok(None),
            Err(error) => Err(to_app_error(&error)),
        };
    }
    let Some(token) = session_token(headers) else { return Ok(None) };
    match state.everything().signed_in(&token, Utc::now()).await {
        Ok(found) => Ok(found.map(|signed_in| of_session(signed_in, &token))),
        // Sign-in answers even when the database does not.
        Err(_) if access == Access::Public => Ok(None),
        Err(error) => Err(to_app_error(&error)),
    }
}

fn of_token(token: ApiToken) -> Caller {
    let role = match token.scope {
        Scope::Read => Role::Viewer,
        Scope::Write => Role::Analyst,
        Scope::Admin => Role::Admin,
    };
    Caller {
        organisation: token.organisation_id,
        who: format!("token {}", token.name),
        role,
        scope: Some(token.scope),
        token: Some(token.id),
        user: None,
        address: None,
        csrf: String::new(),
    }
}

fn of_session(signed_in: SignedIn, token: &str) -> Caller {
    let SignedIn { user, organisation, role } = signed_in;
    Caller {
        organisation,
        who: user.name,
        role,
        scope: None,
        token: None,
        user: Some(user.id),
        address: None,
        csrf: csrf_of(token),
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (kind, secret) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    kind.eq_ignore_ascii_case("bearer").then(|| secret.trim())
}

/// The secret of a session in the cookies of a request.
pub(crate) fn session_token(headers: &HeaderMap) -> Option<String> {
    cookie_named(headers, COOKIE_NAME)
}

/// A cookie of a request.
pub(crate) fn cookie_named(headers: &HeaderMap, wanted: &str) -> Option<String> {
    let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|text| text.split(';')).filter_map(|one| one.split_once('='));
    pairs.find(|(name, _)| name.trim() == wanted).map(|(_, value)| value.trim().to_owned())
}
