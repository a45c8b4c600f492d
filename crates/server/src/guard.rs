//! What stands around every request: which hosts are ours, who may post, headers, time.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::time;

use crate::auth::is_safe;
use crate::error::{AppError, Result};
use crate::state::AppState;

/// No inline script or style anywhere, nothing from elsewhere, no frame around us.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const HEADERS: [(&str, &str); 7] = [
    // What has another rule, as styles have, says so itself.
    ("cache-control", "no-store"),
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
];

/// Adds what tells a browser to be careful.
pub(crate) async fn headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in HEADERS {
        let name = HeaderName::from_static(name);
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Refuses names that are not ours. A page elsewhere can make its own name point to loopback
/// (DNS rebinding); the browser then sends that name, and nothing else tells us apart.
pub(crate) async fn host(
    State(state): State<Arc<AppState>>,
    request: Request,
    next: Next,
) -> Result<Response> {
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok());
    let hosts = &state.settings.hosts;
    let is_named = |host: &str| hosts.iter().any(|one| one.eq_ignore_ascii_case(name_of(host)));
    let is_ours = |host: &str| is_loopback(host) || is_named(host);
    let is_open = state.settings.is_open();
    // Probes ask by address, and learn nothing that a page elsewhere could use.
    let is_probe = match request.uri().path() {
        "/healthz" | "/readyz" => true,
        "/metrics" => !is_open,
        _ => false,
    };
    let is_checked = (is_open || !hosts.is_empty()) && !is_probe;
    if is_checked && !host.is_some_and(is_ours) {
        let detail = "this server does not accept that host name; on loopback it accepts \
                      localhost, 127.0.0.1 and [::1]";
        return Err(AppError::new(StatusCode::MISDIRECTED_REQUEST, "foreign_host", detail));
    }
    Ok(next.run(request).await)
}

/// A host without its port.
fn name_of(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.chars().all(|digit| digit.is_ascii_digit()) => name,
        _ => host,
    }
}

/// Whether a host, with or without a port, is this machine.
pub(crate) fn is_loopback(host: &str) -> bool {
    let name = name_of(host);
    let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    name.eq_ignore_ascii_case("localhost")
        || address.parse::<Ipv4Addr>().is_ok_and(|address| address.is_loopback())
        || address.parse::<Ipv6Addr>().is_ok_and(|address| IpAddr::V6(address).is_loopback())
}

/// Refuses changes that a page of another site asks a browser to make. Browsers say where a
/// request comes from; programs say nothing and have no cookie that somebody else could use.
pub(crate) async fn same_site(request: Request, next: Next) -> Result<Response> {
    if !is_safe(request.method()) && is_foreign(request.headers()) {
        let detail = "refused: the request comes from another site";
        return Err(AppError::new(StatusCode::FORBIDDEN, "cross_site", detail));
    }
    Ok(next.run(request).await)
}

fn is_foreign(headers: &HeaderMap) -> bool {
    let text = |name: &HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    if headers.contains_key(AUTHORIZATION) {
        // A browser sends a token only for a script that knows it.
        return false;
    }
    if let Some(site) = headers.get("sec-fetch-site") {
        return site != "same-origin" && site != "none";
    }
    match (text(&ORIGIN), text(&HOST)) {
        (None, _) => false,
        (Some(origin), Some(host)) => {
            let (_, of) = origin.split_once("://").unwrap_or_default();
            !of.eq_ignore_ascii_case(host)
        }
        (Some(_), None) => true,
    }
}

/// Gives up a request that takes too long, a body that never comes included.
pub(crate) async fn in_time(
    State(state): State<Arc<AppState>>,
    request: Request,
    next: Next,
) -> Response {
    let limit = state.settings.request_timeout;
    time::timeout(limit, next.run(request)).await.unwrap_or_else(|_| {
        let detail = format!("timed out after {} s", limit.as_secs());
        AppError::new(StatusCode::REQUEST_TIMEOUT, "too_slow", detail).into_response()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_loopback() {
        for host in ["localhost", "LOCALHOST:8080", "127.0.0.1:1", "127.8.0.1", "[::1]:80", "[::1]"]
        {
            assert!(is_loopback(host), "{host}");
        }
        for host in ["", "evil.example", "localhost.evil.example:80", "127.0.0.1.evil.example"] {
            assert!(!is_loopback(host), "{host}");
        }
    }

    #[test]
    fn a_change_from_another_site_is_foreign() {
        let headers = |pairs: &[(&'static str, &'static str)]| {
            let pair = |(name, value): &(&'static str, &'static str)| {
                (HeaderName::from_static(name), HeaderValue::from_static(value))
            };
            pairs.iter().map(pair).collect::<HeaderMap>()
        };
        assert!(!is_foreign(&headers(&[])));
        assert!(is_foreign(&headers(&[("sec-fetch-site", "cross-site")])));
        assert!(is_foreign(&headers(&[("sec-fetch-site", "same-site")])));
        assert!(!is_foreign(&headers(&[("sec-fetch-site", "same-origin")])));
        assert!(is_foreign(&headers(&[("host", "a:1"), ("origin", "http://b:1")])));
        assert!(is_foreign(&headers(&[("host", "a:1"), ("origin", "null")])));
        assert!(!is_foreign(&headers(&[("host", "a:1"), ("origin", "http://a:1")])));
        let with_token = [("authorization", "Bearer x"), ("origin", "http://b")];
        assert!(!is_foreign(&headers(&with_token)));
    }
}
