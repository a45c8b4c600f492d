//! A server in this process with a database of its own, and requests to it.

use std::sync::Arc;

use assize_server::router::router;
use assize_server::{AppState, Settings};
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use serde_json::Value;
use tempfile::TempDir;
use tower::ServiceExt;

/// A server without a socket.
pub(crate) struct TestServer {
    pub(crate) state: Arc<AppState>,
    _folder: TempDir,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("not JSON: {}", self.text))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

impl TestServer {
    /// Bound to loopback: one person, no accounts.
    pub(crate) async fn open() -> Self {
        Self::bound("127.0.0.1:0").await
    }

    /// Bound to that address, though nothing listens.
    pub(crate) async fn bound(address: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("assize.db").to_str().unwrap().into();
        let state = AppState::open(Settings::new(address.parse().unwrap(), place)).await.unwrap();
        Self { state, _folder: folder }
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        let response = router(Arc::clone(&self.state)).oneshot(request).await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let bytes = to_bytes(response.into_body(), 64 << 20).await.unwrap();
        Answer { status, headers, text: String::from_utf8_lossy(&bytes).into_owned() }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(request("GET", path, &[], Body::empty())).await
    }
}

/// A request as curl would send it.
pub(crate) fn request(
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: Body,
) -> Request<Body> {
    let mut request = Request::builder().method(method).uri(path).header("host", "localhost");
    for (name, value) in headers {
        if *name == "host" {
            request.headers_mut().unwrap().remove("host");
        }
        request = request.header(*name, *value);
    }
    request.body(body).unwrap()
}
