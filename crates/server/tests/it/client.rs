//! A server in this process with a database of its own, and requests to it.

use std::sync::Arc;

use assize_engine::Workspace;
use assize_engine::store::OrganisationId;
use assize_server::background::start_worker;
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
    folder: Arc<TempDir>,
}

impl Drop for TestServer {
    fn drop(&mut self) {
        // A panic in a task that nobody waits for would otherwise pass.
        assert!(std::thread::panicking() || assize_server::panics() == 0, "a task panicked");
    }
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
        Self::with(address, |_| ()).await
    }

    /// The same with other settings.
    pub(crate) async fn with(address: &str, change: impl FnOnce(&mut Settings)) -> Self {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        Self::in_folder(folder, address, change).await
    }

    /// Another server over the database of one, bound elsewhere.
    pub(crate) async fn over(other: &Self, address: &str) -> Self {
        Self::in_folder(Arc::clone(&other.folder), address, |_| ()).await
    }

    async fn in_folder(
        folder: Arc<TempDir>,
        address: &str,
        change: impl FnOnce(&mut Settings),
    ) -> Self {
        let place = folder.path().join("assize.db").to_str().unwrap().into();
        let mut settings = Settings::new(address.parse().unwrap(), place);
        // A test asks more often than anybody clicks.
        settings.requests_per_second = 1e6;
        change(&mut settings);
        let state = AppState::open(settings).await.unwrap();
        start_worker(&state).await.unwrap();
        Self { state, folder }
    }

    /// Everything of an organisation, as an operator's command line has it.
    pub(crate) fn workspace(&self, organisation: &OrganisationId) -> Workspace {
        Workspace {
            store: Arc::clone(&self.state.store),
            organisation: organisation.clone(),
            who: "operator".to_owned(),
            address: None,
            token: None,
        }
    }

    /// Everything that the database wrote to the disk, by file.
    pub(crate) fn files(&self) -> Vec<(String, Vec<u8>)> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap().map(Result::unwrap);
        entries
            .map(|entry| {
                let bytes = std::fs::read(entry.path()).unwrap();
                (entry.file_name().to_string_lossy().into_owned(), bytes)
            })
            .collect()
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        let response = router(Arc::clone(&self.state)).oneshot(request).await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let bytes = to_bytes(response.into_body(), 1 << 30).await.unwrap();
        Answer { status, headers, text: String::from_utf8_lossy(&bytes).into_owned() }
    }

    pub(crate) async fn send_json(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &Value,
    ) -> Answer {
        let mut all = vec![("content-type", "application/json")];
        all.extend_from_slice(headers);
        self.send(request(method, path, &all, Body::from(body.to_string()))).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send_json("POST", path, &[], body).await
    }

    /// One file in a form, under whatever name.
    pub(crate) async fn upload(&self, path: &str, name: &str, bytes: &[u8]) -> Answer {
        let mut body = format!(
            "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n"
        )
        .into_bytes();
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n--x--\r\n");
        let form = [("content-type", "multipart/form-data; boundary=x")];
        self.send(request("POST", path, &form, Body::from(body))).await
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

/// What forms of a session carry.
pub(crate) fn csrf_of(session: &str) -> String {
    blake3::hash(format!("form {session}").as_bytes()).to_hex().to_string()
}
