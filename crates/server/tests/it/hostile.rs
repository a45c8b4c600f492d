//! Input that means no good: slow, too much, made to break out.

use std::io::Write as _;
use std::time::Duration;

use assize_engine::store::Place;
use assize_server::router::router;
use assize_server::{AppState, Settings};
use assize_testbed::Postgres;
use axum::body::{Body, to_bytes};
use axum::http::StatusCode;
use futures_util::stream;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::client::{TestServer, request};

#[tokio::test]
async fn a_body_that_never_ends_is_given_up_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("assize.db").to_str().unwrap().into();
    let mut settings = Settings::new("127.0.0.1:0".parse().unwrap(), place);
    settings.request_timeout = Duration::from_millis(300);
    let state = AppState::open(settings).await.unwrap();
    let half = stream::once(async { Ok::<_, std::io::Error>("{\"name\": ") });
    let never = futures_util::StreamExt::chain(half, stream::pending());
    let headers = [("content-type", "application/json")];
    let slow = request("POST", "/api/v1/document-sets", &headers, Body::from_stream(never));
    let answer = router(state.clone()).oneshot(slow).await.unwrap();
    assert_eq!(answer.status(), StatusCode::REQUEST_TIMEOUT);
    let body = to_bytes(answer.into_body(), 1 << 20).await.unwrap();
    let problem: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(problem["code"], "too_slow");
    let list = request("GET", "/api/v1/document-sets", &[], Body::empty());
    let body = router(state).oneshot(list).await.unwrap().into_body();
    assert_eq!(to_bytes(body, 1 << 20).await.unwrap().as_ref(), b"[]");
}

#[tokio::test]
async fn no_path_leads_out() {
    let server = TestServer::open().await;
    for path in [
        "/assets/..%2f..%2fetc%2fpasswd",
        "/assets/../../etc/passwd",
        "/assets/%2e%2e%2fCargo.toml",
        "/api/v1/documents/..%2f..%2fetc%2fpasswd/original",
        "/api/v1/runs/..%2f1",
        "/api/v1/runs/%00",
        "/api/v1/document-sets/%ff",
        "//etc/passwd",
    ] {
        let answer = server.get(path).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}: {}", answer.text);
        assert_eq!(answer.header("content-type"), "application/problem+json", "{path}");
        assert!(!answer.text.contains("root:"), "{path}");
    }
}

#[tokio::test]
async fn a_hostile_file_name_is_reduced_or_refused() {
    let server = TestServer::open().await;
    server.post("/api/v1/document-sets", &json!({"name": "s"})).await;
    let upload = async |name: &str| {
        server.upload("/api/v1/document-sets/s/documents", name, b"Doors are locked.").await
    };
    let added = upload("../../etc/<script>alert(1)</script>.txt").await;
    assert_eq!(added.status, StatusCode::CREATED, "{}", added.text);
    assert_eq!(
        added.json()["documents"][0]["name"],
        "script>.txt".replace('>', ""),
        "{}",
        added.text
    );
    for name in ["", "..", "/", "..\\"] {
        let refused = upload(name).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{name}: {}", refused.text);
    }
    let long = upload(&format!("{}.txt", "a".repeat(5_000))).await;
    assert!(long.status.is_client_error() || long.status == StatusCode::CREATED, "{}", long.text);
    let all = server.get("/api/v1/document-sets/s").await.json();
    let names = all.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().len());
    assert!(names.max().unwrap() <= 200, "{all}");
}

/// A DOCX whose text is zeros: 64 MiB from some 64 kB.
fn bomb() -> Vec<u8> {
    let mut file = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    file.start_file("word/document.xml", options).unwrap();
    let zeros = vec![b' '; 1 << 20];
    for _ in 0..64 {
        file.write_all(&zeros).unwrap();
    }
    file.finish().unwrap().into_inner()
}

#[tokio::test]
async fn a_file_that_unpacks_to_a_thousand_times_its_size_is_refused() {
    let server = TestServer::open().await;
    server.post("/api/v1/document-sets", &json!({"name": "s"})).await;
    let bomb = bomb();
    assert!(bomb.len() < 1 << 20, "{}", bomb.len());
    let refused = server.upload("/api/v1/document-sets/s/documents", "a.docx", &bomb).await;
    assert!(refused.status.is_client_error(), "{} {}", refused.status, refused.text);
    assert_eq!(server.get("/api/v1/document-sets/s").await.json(), json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_goes_away_is_told_and_comes_back() {
    let database = Postgres::start();
    let settings = Settings::new("127.0.0.1:0".parse().unwrap(), database.database().into());
    let state = AppState::open(settings).await.unwrap();
    let ask = async |method: &str, path: &str| {
        let headers = [("content-type", "application/json")];
        let asked = request(method, path, &headers, Body::from("{\"name\": \"s\"}"));
        let answer = router(state.clone()).oneshot(asked).await.unwrap();
        let status = answer.status();
        let body = to_bytes(answer.into_body(), 1 << 20).await.unwrap();
        (status, String::from_utf8(body.to_vec()).unwrap())
    };
    assert_eq!(ask("POST", "/api/v1/document-sets").await.0, StatusCode::CREATED);
    // PostgreSQL keeps no NUL in a text: that is the request's fault, and not ours.
    let (status, body) = ask("GET", "/api/v1/runs/%00").await;
    assert!(status.is_client_error(), "{status} {body}");
    database.stop();
    for (method, path) in [("GET", "/api/v1/runs"), ("POST", "/api/v1/document-sets")] {
        let (status, body) = ask(method, path).await;
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{path}: {body}");
        let problem: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(problem["code"], "store_unreachable", "{body}");
        assert!(!body.contains("assize@"), "the address is nobody's business: {body}");
    }
    let (status, body) = ask("GET", "/readyz").await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    let Place::Postgres(url) = state.store.place().clone() else { panic!("not PostgreSQL") };
    let (_, at) = url.split_once('@').unwrap();
    let at = at.split(['/', '?', ':']).next().unwrap();
    assert!(!body.contains("postgres") && (at.is_empty() || !body.contains(at)), "{body}");
    assert_eq!(ask("GET", "/healthz").await.0, StatusCode::OK);
    // Nobody asks the database who looks after a server.
    let bearer = [("authorization", "Bearer assize_0"), ("cookie", "assize_session=guess")];
    for (path, expected) in [("/healthz", "\"ok\""), ("/readyz", "\"not_ready\"")] {
        let asked = request("GET", path, &bearer, Body::empty());
        let answer = router(state.clone()).oneshot(asked).await.unwrap();
        let body = to_bytes(answer.into_body(), 1 << 20).await.unwrap();
        let body = String::from_utf8(body.to_vec()).unwrap();
        assert!(body.contains(expected), "{path}: {body}");
    }
    database.resume();
    let (status, body) = ask("GET", "/api/v1/document-sets").await;
    assert_eq!((status, body.contains("\"s\"")), (StatusCode::OK, true), "{body}");
}
