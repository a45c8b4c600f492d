//! The same request twice is done once.

use axum::http::StatusCode;
use serde_json::json;

use crate::client::TestServer;

#[tokio::test]
async fn a_request_that_names_itself_is_done_once_and_answered_twice() {
    let server = TestServer::open().await;
    let key = [("idempotency-key", "a-1")];
    let run = |document: &str| {
        json!({"instrument": "retrieval", "input": {"predictions": {"q": {document: 1.0}},
            "gold": {"q": {"a": 1}}, "settings": {"resamples": 0}}})
    };
    let first = server.send_json("POST", "/api/v1/runs", &key, &run("a")).await;
    let second = server.send_json("POST", "/api/v1/runs", &key, &run("a")).await;
    assert_eq!((first.status, second.status), (StatusCode::CREATED, StatusCode::CREATED));
    assert_eq!(first.text, second.text);
    assert_eq!(second.header("location"), "/api/v1/runs/1");
    let all = server.get("/api/v1/runs").await.json();
    assert_eq!(all["items"].as_array().unwrap().len(), 1);
    let other = server.send_json("POST", "/api/v1/runs", &key, &run("b")).await;
    assert_eq!(
        (other.status, &other.json()["code"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!("key_reused"))
    );
}

#[tokio::test]
async fn what_was_refused_is_refused_again_without_being_done() {
    let server = TestServer::open().await;
    let key = [("idempotency-key", "a-2")];
    for _ in 0..2 {
        let answer = server.send_json("POST", "/api/v1/gate", &key, &json!({"answers": 3})).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST);
        assert_eq!(answer.header("content-type"), "application/problem+json");
    }
}

#[tokio::test]
async fn an_answer_with_a_secret_is_not_kept_anywhere() {
    let server = TestServer::open().await;
    let key = [("idempotency-key", "a-3")];
    let asked = json!({"name": "ci", "scope": "read"});
    let made = server.send_json("POST", "/api/v1/tokens", &key, &asked).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    let secret = made.json()["secret"].as_str().unwrap().to_owned();
    assert!(secret.starts_with("assize_"), "{secret}");
    let again = server.send_json("POST", "/api/v1/tokens", &key, &asked).await;
    assert_eq!(
        (again.status, &again.json()["code"]),
        (StatusCode::CONFLICT, &json!("shown_once")),
        "{}",
        again.text
    );
    assert_eq!(server.get("/api/v1/tokens").await.json().as_array().unwrap().len(), 1);
    let files = server.files();
    assert!(files.iter().any(|(_, bytes)| holds(bytes, b"a-3")), "the key itself is kept");
    for (name, bytes) in &files {
        assert!(!holds(bytes, secret.as_bytes()), "the secret is in {name}");
    }
}

fn holds(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}
