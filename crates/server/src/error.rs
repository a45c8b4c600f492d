//! How an error is told: a status and problem+json (RFC 9457), or a page for people.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use assize_engine::store::Role;
use assize_engine::{EngineError, ErrorKind};
use axum::extract::multipart::MultipartError;
use axum::extract::rejection::{FormRejection, JsonRejection, PathRejection, QueryRejection};
use axum::extract::{Request, State};
use axum::http::header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::auth::is_safe;
use crate::pages;
use crate::state::AppState;

/// An error as a client sees it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Problem {
    /// Where the code is explained.
    #[serde(rename = "type")]
    pub kind: String,
    /// A short summary of the status.
    pub title: String,
    /// The status of the response.
    pub status: u16,
    /// A stable name for programs.
    pub code: Cow<'static, str>,
    /// What happened.
    pub detail: String,
    /// How to fix it, if the detail does not say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The current version, if someone else changed it in the meantime.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current: Option<Value>,
    /// The version that was submitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wanted: Option<Value>,
}

/// A result with this error, unless another is named.
pub(crate) type Result<T, E = AppError> = std::result::Result<T, E>;

/// Why a request was not answered as it was asked.
#[derive(Debug)]
pub struct AppError {
    status: StatusCode,
    code: &'static str,
    detail: String,
    hint: Option<&'static str>,
    versions: Option<Box<(Value, Value)>>,
}

impl AppError {
    /// With a status, a stable code and what happened.
    pub fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Self {
        Self { status, code, detail: detail.into(), hint: None, versions: None }
    }

    /// What the request says cannot be used.
    pub fn bad_input(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_input", detail)
    }

    /// There is nothing of that name, or not in the caller's organisation: which of the two is
    /// not told.
    pub(crate) fn not_found(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", detail)
    }

    /// Nobody knows who asks.
    pub(crate) fn not_signed_in() -> Self {
        let error = Self::new(StatusCode::UNAUTHORIZED, "not_signed_in", "not signed in");
        Self { hint: Some("sign in, or send an API token as `Authorization: Bearer …`"), ..error }
    }

    /// Whoever asks may not.
    pub(crate) fn forbidden(role: Role) -> Self {
        let detail = format!("this requires the role {role} in the organisation");
        Self::new(StatusCode::FORBIDDEN, "forbidden", detail)
    }

    /// What is asked for is understood and makes no sense.
    pub fn refused(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "refused", detail)
    }

    /// Whoever asks has to wait.
    pub(crate) fn too_many(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", detail)
    }

    /// The body is of another kind than this address takes.
    pub(crate) fn unsupported(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", detail)
    }

    /// Something of ours broke.
    pub(crate) fn our_fault() -> Self {
        let detail = "internal server error; see the server log for this request id";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", detail)
    }

    /// Somebody else saved meanwhile: both versions are shown, and neither is lost.
    pub(crate) fn changed_meanwhile(current: &Value, wanted: &Value) -> Self {
        let detail =
            "it was changed by someone else in the meantime; compare `current` and `wanted`";
        let error = Self::new(StatusCode::PRECONDITION_FAILED, "changed_meanwhile", detail);
        Self { versions: Some(Box::new((current.clone(), wanted.clone()))), ..error }
    }

    pub(crate) fn from_multipart(error: &MultipartError) -> Self {
        match error.status() {
            StatusCode::PAYLOAD_TOO_LARGE => {
                Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", error.body_text())
            }
            _ => Self::bad_input(error.body_text()),
        }
    }

    /// What happened.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// The status of the response.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    fn problem(self) -> Problem {
        let Self { status, code, detail, hint, versions } = self;
        let (current, wanted) =
            versions.map(|both| (Some(both.0), Some(both.1))).unwrap_or_default();
        Problem {
            kind: format!("/api/docs/#error-{code}"),
            title: status.canonical_reason().unwrap_or("Error").to_owned(),
            status: status.as_u16(),
            code: code.into(),
            detail,
            hint: hint.map(ToOwned::to_owned),
            current,
            wanted,
        }
    }
}

impl fmt::Display for AppError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.detail)
    }
}

impl Error for AppError {}

impl From<EngineError> for AppError {
    fn from(error: EngineError) -> Self {
        let status = match (error.kind, error.code) {
            (ErrorKind::BadInput, _) => StatusCode::BAD_REQUEST,
            (ErrorKind::NotFound, _) => StatusCode::NOT_FOUND,
            (ErrorKind::Conflict, _) => StatusCode::CONFLICT,
            (ErrorKind::Refused, _) => StatusCode::UNPROCESSABLE_ENTITY,
            (ErrorKind::Provider, _) => StatusCode::BAD_GATEWAY,
            (ErrorKind::Store, "store_failed") => StatusCode::INTERNAL_SERVER_ERROR,
            (ErrorKind::Store | ErrorKind::Interrupted, _) => StatusCode::SERVICE_UNAVAILABLE,
        };
        Self { status, code: error.code, detail: error.message, hint: error.hint, versions: None }
    }
}

macro_rules! from_typed {
    ($($error:ty),+ $(,)?) => {$(
        impl From<$error> for AppError {
            fn from(error: $error) -> Self {
                to_app_error(&error)
            }
        }
    )+};
}

from_typed!(
    assize_engine::compliance::ComplianceError,
    assize_engine::runs::RunError,
    assize_engine::store::StoreError,
);

/// An error of the engine with its code.
pub(crate) fn to_app_error(error: &(dyn Error + 'static)) -> AppError {
    EngineError::of(error).into()
}

macro_rules! from_rejection {
    ($($rejection:ty),+ $(,)?) => {$(
        impl From<$rejection> for AppError {
            fn from(rejection: $rejection) -> Self {
                let status = rejection.status();
                let code = match status {
                    StatusCode::PAYLOAD_TOO_LARGE => "too_large",
                    StatusCode::UNSUPPORTED_MEDIA_TYPE => "unsupported_media_type",
                    _ => return Self::bad_input(rejection.body_text()),
                };
                Self::new(status, code, rejection.body_text())
            }
        }
    )+};
}

from_rejection!(JsonRejection, QueryRejection, PathRejection, FormRejection);

impl IntoResponse for AppError {
    fn into_response(self) -> Response {
        let status = self.status;
        let problem = self.problem();
        let body = serde_json::to_string(&problem).unwrap_or_default();
        let headers = [(CONTENT_TYPE, "application/problem+json"), (CACHE_CONTROL, "no-store")];
        let mut response = (status, headers, body).into_response();
        if status == StatusCode::UNAUTHORIZED {
            let challenge = HeaderValue::from_static("Bearer");
            response.headers_mut().insert("www-authenticate", challenge);
        }
        response.extensions_mut().insert(problem);
        response
    }
}

/// Shows a problem as a page to whoever asked for one outside the API.
pub(crate) async fn as_page(
    State(state): State<Arc<AppState>>,
    request: Request,
    next: Next,
) -> Response {
    let wants_page = !request.uri().path().starts_with("/api/") && accepts_html(request.headers());
    // Only what was looked at can be gone back to.
    let is_safe = is_safe(request.method());
    let wanted = request.uri().path_and_query().filter(|_| is_safe).map(ToString::to_string);
    let (parts, body) = request.into_parts();
    let asked = wants_page.then(|| parts.clone());
    let response = next.run(Request::from_parts(parts, body)).await;
    match (response.extensions().get::<Problem>(), asked) {
        (Some(problem), Some(asked)) => {
            let wanted = wanted.unwrap_or_default();
            let mut page = pages::problem(&state, asked, problem, &wanted).await.into_response();
            *page.status_mut() = response.status();
            page
        }
        _ => response,
    }
}

/// Whether a client prefers a page: browsers name `text/html`, programs hardly ever do.
pub(crate) fn accepts_html(headers: &HeaderMap) -> bool {
    let accepted = headers.get(ACCEPT).and_then(|value| value.to_str().ok());
    accepted.is_some_and(|accepted| accepted.contains("text/html"))
}
