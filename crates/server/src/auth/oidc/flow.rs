//! The two halves of a sign-in: to the provider, and back with its answer.

use std::sync::Arc;
use std::time::Instant;

use assize_engine::Workspace;
use assize_engine::accounts::{AccountError, Browser, Person, secret};
use assize_engine::store::SignInRequest;
use axum::Extension;
use axum::extract::State;
use axum::http::header::{LOCATION, SET_COOKIE, USER_AGENT};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{TimeDelta, Utc};
use ring::digest::{SHA256, digest};
use serde::Deserialize;

use super::provider::Provider;
use super::refusal::Refusal;
use super::settings::RETURN;
use crate::api::extract;
use crate::auth::admit::{cookie_named, session_token};
use crate::auth::sign_in::{is_own_path, session_cookie};
use crate::auth::throttle::Guess;
use crate::error::{AppError, Result, to_app_error};
use crate::pages;
use crate::serve::Client;
use crate::state::AppState;

/// The cookie of a sign-in that has begun.
const COOKIE_NAME: &str = "assize_oidc";
/// How long a sign-in may take.
const COUNTS_FOR: TimeDelta = TimeDelta::minutes(10);
/// The most of a provider's own words that is told.
const WORD_LENGTH_MAX: usize = 50;
/// Whose account it would have been is not known; nobody has this name.
const NO_ACCOUNT: &str = "";

/// Where to go afterwards.
#[derive(Deserialize)]
pub(crate) struct ReturnTo {
    r#return: Option<String>,
}

/// `GET /login/oidc`: begins a sign-in, and sends the browser to the provider.
pub(crate) async fn begin(
    State(state): State<Arc<AppState>>,
    client: Option<Extension<Client>>,
    headers: HeaderMap,
    extract::Query(asked): extract::Query<ReturnTo>,
) -> Result<Response> {
    let entry = Entry::new(&state, client.as_deref(), &headers)?;
    match entry.begun(asked.r#return.as_deref().unwrap_or("/")).await {
        Ok(response) => Ok(response),
        Err(why) => entry.refused(why?).await,
    }
}

/// What comes back from the provider.
#[derive(Deserialize)]
pub(crate) struct Answer {
    code: Option<String>,
    state: Option<String>,
    iss: Option<String>,
    error: Option<String>,
}

/// `GET /login/oidc/return`: ends the sign-in. The session is a new one, as for passwords.
pub(crate) async fn end(
    State(state): State<Arc<AppState>>,
    client: Option<Extension<Client>>,
    headers: HeaderMap,
    extract::Query(answer): extract::Query<Answer>,
) -> Result<Response> {
    let entry = Entry::new(&state, client.as_deref(), &headers)?;
    match entry.ended(&headers, &answer).await {
        Ok(response) => Ok(response),
        Err(why) => entry.refused(why?).await,
    }
}

/// `GET /login/oidc/out`: signs out at the provider too, where it has an address for that.
pub(crate) async fn out(
    State(state): State<Arc<AppState>>,
    client: Option<Extension<Client>>,
    headers: HeaderMap,
) -> Result<Response> {
    let entry = Entry::new(&state, client.as_deref(), &headers)?;
    let Ok(description) = entry.provider.description().await else { return Ok(go("/login")) };
    let Some(address) = &description.end_session_endpoint else { return Ok(go("/login")) };
    let mut url = address.0.clone();
    let settings = &entry.provider.settings;
    let back = format!("{}/login", settings.public_url.as_str().trim_end_matches('/'));
    let pairs =
        [("client_id", settings.client_id.as_str()), ("post_logout_redirect_uri", back.as_str())];
    url.query_pairs_mut().extend_pairs(pairs);
    Ok(go(url.as_str()))
}

/// Why a half went wrong: something of ours, or the sign-in itself.
type Wrong = Result<Refusal>;

fn ours(error: &AccountError) -> Wrong {
    Err(to_app_error(error))
}

/// Somebody at the door.
struct Entry<'a> {
    state: &'a AppState,
    provider: &'a Provider,
    workspace: Workspace,
    address: String,
}

impl<'a> Entry<'a> {
    fn new(state: &'a AppState, client: Option<&Client>, headers: &HeaderMap) -> Result<Self> {
        // A picture on somebody else's page must not use up the tries of who looks at it.
        if headers.get("sec-fetch-dest").is_some_and(|to| to != "document") {
            return Err(AppError::refused(
                "the sign-in page must be opened on its own, not inside another page",
            ));
        }
        let missing =
            || AppError::not_found("sign-in with an identity provider is off on this server");
        let provider = state.oidc.as_ref().ok_or_else(missing)?;
        let address = client.map(|client| client.0.ip().to_string()).unwrap_or_default();
        state.throttle.allow(&Guess::new(NO_ACCOUNT, Some(&address)))?;
        if !provider.rate.takes(&address, Instant::now()) {
            return Err(AppError::too_many("too many requests: wait a second and try again"));
        }
        let from = Some(address.clone()).filter(|address| !address.is_empty());
        let workspace = Workspace { address: from, ..state.everything() };
        Ok(Self { state, provider, workspace, address })
    }

    async fn begun(&self, return_path: &str) -> Result<Response, Wrong> {
        if !is_own_path(return_path) {
            return Err(Ok(Refusal::ReturnPath));
        }
        let description = self.provider.description().await.map_err(Ok)?;
        let random = || secret::random().map_err(|error| ours(&error));
        let (browser, state) = (random()?, random()?);
        let request = SignInRequest {
            state_hash: secret::hashed(&state),
            browser_hash: secret::hashed(&browser),
            return_path: return_path.to_owned(),
            expires_at: Utc::now() + COUNTS_FOR,
        };
        self.workspace.begin_sign_in(&request).await.map_err(|error| ours(&error))?;
        let settings = &self.provider.settings;
        let (back, nonce) = (settings.return_address(), nonce_of(&browser));
        let challenge = challenge_of(&verifier_of(&browser));
        let mut url = description.authorization_endpoint.0.clone();
        url.query_pairs_mut().extend_pairs([
            ("response_type", "code"),
            ("client_id", settings.client_id.as_str()),
            ("redirect_uri", back.as_str()),
            ("scope", settings.scopes.as_str()),
            ("state", state.as_str()),
            ("nonce", nonce.as_str()),
            ("code_challenge", challenge.as_str()),
            ("code_challenge_method", "S256"),
        ]);
        let seconds = COUNTS_FOR.num_seconds();
        Ok(with_cookies(go(url.as_str()), &[self.cookie(&browser, seconds)]))
    }

    async fn ended(&self, headers: &HeaderMap, answer: &Answer) -> Result<Response, Wrong> {
        let browser = cookie_named(headers, COOKIE_NAME).ok_or(Ok(Refusal::NoCookie))?;
        let state = answer.state.as_deref().ok_or(Ok(Refusal::Lacks("the state")))?;
        let hashes = (secret::hashed(state), secret::hashed(&browser));
        let ended = self.workspace.end_sign_in((&hashes.0, &hashes.1), Utc::now()).await;
        let return_path = ended.map_err(|error| ours(&error))?.ok_or(Ok(Refusal::NotBegun))?;
        let person = self.person(&browser, answer).await.map_err(Ok)?;
        let agent = headers.get(USER_AGENT).and_then(|agent| agent.to_str().ok());
        let browser = Browser { address: &self.address, agent: agent.unwrap_or_default() };
        let welcome = &self.provider.settings.welcome;
        let signed_in = self.workspace.sign_in_person(&person, welcome, browser).await;
        let (token, _) = signed_in.map_err(|error| match error {
            AccountError::Store(_) | AccountError::Random(_) => ours(&error),
            other => Ok(Refusal::NotLetIn(other.to_string())),
        })?;
        if let Some(old) = session_token(headers) {
            self.workspace.sign_out(&old).await.map_err(|error| ours(&error))?;
        }
        let cookies = [session_cookie(self.state, &token), self.cookie("", 0)];
        Ok(with_cookies(go(&return_path), &cookies))
    }

    async fn person(&self, browser: &str, answer: &Answer) -> Result<Person, Refusal> {
        let description = self.provider.description().await?;
        let is_same = match &answer.iss {
            Some(issuer) => *issuer == self.provider.settings.issuer,
            None => !description.authorization_response_iss_parameter_supported,
        };
        if !is_same {
            return Err(Refusal::OtherIssuer);
        }
        if let Some(error) = &answer.error {
            return Err(Refusal::Denied(word(error)));
        }
        let code = answer.code.as_deref().ok_or(Refusal::Lacks("the code"))?;
        self.provider.person(code, &verifier_of(browser), &nonce_of(browser)).await
    }

    /// Tells why, on the page to sign in, and notes it.
    async fn refused(&self, why: Refusal) -> Result<Response> {
        let words = why.to_string();
        if why.is_of_caller() {
            let guess = Guess::new(NO_ACCOUNT, Some(&self.address));
            self.state.throttle.failed(&guess, Instant::now());
        }
        tracing::warn!(client = self.address, why = words, "a sign-in was refused");
        let issuer = &self.provider.settings.issuer;
        let noted = self.workspace.audit_refusal(issuer, &words).await;
        noted.map_err(|error| to_app_error(&error))?;
        let page =
            pages::account::login(&self.state.settings, (Some(&sentence(&words)), None), None);
        Ok(with_cookies((why.status(), page).into_response(), &[self.cookie("", 0)]))
    }

    fn cookie(&self, value: &str, seconds: i64) -> String {
        let is_secure = self.provider.settings.is_secure() || self.state.settings.is_behind_tls;
        let secure = if is_secure { "; Secure" } else { "" };
        let path = RETURN.trim_end_matches("/return");
        format!(
            "{COOKIE_NAME}={value}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"
        )
    }
}

/// The nonce and the verifier follow from what is in the browser and do not lead back to it: the
/// server need not keep them, and who reads its database cannot use them.
fn nonce_of(browser: &str) -> String {
    secret::hashed(&format!("oidc nonce {browser}"))
}

fn verifier_of(browser: &str) -> String {
    secret::hashed(&format!("oidc verifier {browser}"))
}

/// S256 of RFC 7636.
fn challenge_of(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(digest(&SHA256, verifier.as_bytes()))
}

/// A provider's own word for what went wrong; anybody can write one into an address.
fn word(error: &str) -> String {
    let is_plain = |letter: &char| letter.is_ascii_alphanumeric() || *letter == '_';
    error.chars().filter(is_plain).take(WORD_LENGTH_MAX).collect()
}

fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str())
}

fn go(to: &str) -> Response {
    (StatusCode::SEE_OTHER, [(LOCATION, to)]).into_response()
}

fn with_cookies(mut response: Response, cookies: &[String]) -> Response {
    for cookie in cookies.iter().filter_map(|cookie| HeaderValue::from_str(cookie).ok()) {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 7636, appendix B.
    #[test]
    fn the_challenge_is_that_of_the_standard() {
        let challenge = challenge_of("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");
        assert_eq!(challenge, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    }

    #[test]
    fn nonce_and_verifier_differ_and_fit_the_standard() {
        let (nonce, verifier) = (nonce_of("b"), verifier_of("b"));
        assert_ne!(nonce, verifier);
        assert!((43..=128).contains(&verifier.len()));
        assert_ne!(nonce_of("c"), nonce);
    }

    #[test]
    fn a_providers_words_are_cut_to_harmless_ones() {
        assert_eq!(word("access_denied"), "access_denied");
        assert_eq!(word("<b>x</b>\r\n\u{202e}"), "bxb");
        assert_eq!(sentence("it is so"), "It is so.");
    }
}
