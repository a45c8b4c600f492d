//! The same request twice is done once: `Idempotency-Key` on POST.

use std::sync::Arc;

use assize_engine::accounts::secret;
use assize_engine::store::Kept;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_TYPE, LOCATION};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use chrono::{TimeDelta, Utc};

use crate::auth::Caller;
use crate::error::{AppError, Result};
use crate::state::AppState;

/// How long an answer is kept.
const KEPT: TimeDelta = TimeDelta::days(1);
/// A request under way for longer died with its process.
const KEY_LENGTH_MAX: usize = 255;
/// Larger answers are not kept; no POST of ours has one.
const ANSWER_BYTES_MAX: usize = 8 << 20;

/// Answers a request that was done already with what it was answered then.
pub(crate) async fn once(
    State(state): State<Arc<AppState>>,
    request: Request,
    next: Next,
) -> Result<Response> {
    let key = request.headers().get("idempotency-key").cloned();
    let caller = request.extensions().get::<Caller>().cloned();
    let (Some(key), Some(caller), &Method::POST) = (key, caller, request.method()) else {
        return Ok(next.run(request).await);
    };
    let key = key.to_str().ok().filter(|key| !key.is_empty() && key.len() <= KEY_LENGTH_MAX);
    let key = key.ok_or_else(|| {
        AppError::bad_input("Idempotency-Key: must have 1 to 255 ASCII characters")
    })?;
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, state.settings.body_bytes_max).await.map_err(|_| {
        AppError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", "the body is too large")
    })?;
    let asked = format!("{} {} {}", parts.uri, caller.who, blake3::hash(&body));
    let place = (&caller.organisation, key);
    let now = Utc::now();
    let kept =
        state.store.idempotency().begin(place, &secret::hashed(&asked), now, now - KEPT).await?;
    match kept {
        Kept::New => {}
        Kept::Other => {
            let detail = "this Idempotency-Key was already used for a different request";
            return Err(AppError::new(StatusCode::UNPROCESSABLE_ENTITY, "key_reused", detail));
        }
        Kept::UnderWay => {
            let detail = "the same request is still in progress; retry to get its response";
            return Err(AppError::new(StatusCode::CONFLICT, "under_way", detail));
        }
        Kept::Done { status, media_type, body } => {
            return Ok(again(status, &media_type, body));
        }
    }
    let response = next.run(Request::from_parts(parts, Body::from(body))).await;
    keep(&state, place, response).await
}

/// Put beside an answer that holds a secret: it is not kept, or whoever reads the database or a
/// backup could use it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ShownOnce;

/// Keeps what a request was answered. A failure of ours is forgotten: it may be tried again.
async fn keep(
    state: &AppState,
    place: (&assize_engine::store::OrganisationId, &str),
    response: Response,
) -> Result<Response> {
    if response.extensions().get::<ShownOnce>().is_some() {
        let detail = "this request was already done, and its response contained a secret that is \
                      shown only once: revoke it and create another with a new Idempotency-Key";
        let instead = AppError::new(StatusCode::CONFLICT, "shown_once", detail).into_response();
        keep_plain(state, place, instead).await?;
        return Ok(response);
    }
    keep_plain(state, place, response).await
}

async fn keep_plain(
    state: &AppState,
    place: (&assize_engine::store::OrganisationId, &str),
    response: Response,
) -> Result<Response> {
    let (parts, body) = response.into_parts();
    let is_failure = parts.status.is_server_error();
    let body = to_bytes(body, ANSWER_BYTES_MAX).await.unwrap_or_else(|_| Bytes::new());
    if is_failure {
        state.store.idempotency().forget(place).await?;
    } else {
        let media_type = parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let location = parts.headers.get(LOCATION).and_then(|value| value.to_str().ok());
        // One column holds both: what kind of body, and where the new thing is.
        let kind = format!("{}\n{}", media_type.unwrap_or_default(), location.unwrap_or_default());
        let status = i64::from(parts.status.as_u16());
        state.store.idempotency().end(place, status, &kind, &body).await?;
    }
    Ok(Response::from_parts(parts, Body::from(body)))
}

fn again(status: i64, kind: &str, body: Vec<u8>) -> Response {
    let status = u16::try_from(status).ok().and_then(|status| StatusCode::from_u16(status).ok());
    let mut response = (status.unwrap_or(StatusCode::OK), body).into_response();
    let (media_type, location) = kind.split_once('\n').unwrap_or((kind, ""));
    for (name, value) in [(CONTENT_TYPE, media_type), (LOCATION, location)] {
        if let (false, Ok(value)) = (value.is_empty(), HeaderValue::from_str(value)) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}
