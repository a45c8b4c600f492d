//! Every request gets an id, a line in the log and a place in the figures.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;

use crate::auth::proxy;
use crate::serve::Client;
use crate::state::AppState;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Longer ids of a proxy are not taken over: they would fill the log.
const ID_LENGTH_MAX: usize = 64;

/// Stands outermost.
pub(crate) async fn observe(
    State(state): State<Arc<AppState>>,
    mut request: Request,
    next: Next,
) -> Response {
    let begun = Instant::now();
    proxy::arrive(&state.settings.proxy, &mut request);
    let id = given(&request).unwrap_or_else(|| state.metrics.next_request_id());
    let client = request.extensions().get::<Client>().map(|client| client.0.ip().to_string());
    let client = client.unwrap_or_default();
    let method = request.method().clone();
    let path = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    // Paths that match nothing are as many as somebody likes to invent.
    let path = path.unwrap_or_else(|| "unmatched".to_owned());
    let mut response = next.run(request).await;
    let (status, took) = (response.status().as_u16(), begun.elapsed());
    state.metrics.request(method.as_str(), &path, status, took);
    let milliseconds = took.as_secs_f64() * 1e3;
    tracing::info!(request_id = %id, %method, path, status, milliseconds, client, "request");
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    response
}

/// The id that a proxy gave, if it is a plain word.
fn given(request: &Request) -> Option<String> {
    let id = request.headers().get(REQUEST_ID)?.to_str().ok()?;
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    let is_usable = !id.is_empty() && id.len() <= ID_LENGTH_MAX && id.chars().all(is_plain);
    is_usable.then(|| id.to_owned())
}
