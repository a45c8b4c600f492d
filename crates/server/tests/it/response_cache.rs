//! Answers that are kept: the same bytes while nothing changes, whatever anybody writes at once,
//! and nobody else's.

use assize_engine::accounts::{SignIn, TokenRequest};
use assize_engine::runs::decide::DecisionRequest;
use assize_engine::store::{Instrument, OrganisationId, Role, RunState, Scope};
use axum::body::Body;
use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::client::{TestServer, request};

/// Runs 1 and 2 are summaries, run 3 is an evaluation.
const KEPT: [&str; 13] = [
    "/",
    "/runs",
    "/runs/1/items/1",
    "/runs?instrument=summary",
    "/eval",
    "/eval/3",
    "/eval/3/matrix",
    "/eval/3/results/1",
    "/review?run=3",
    "/accuracy",
    "/compare?base=1&with=2",
    "/api/v1/runs?limit=100",
    "/api/v1/compare?base=1&with=2",
];

fn run(year: &str) -> Value {
    let article = "The bridge opened in 1932. It cost nine million pounds.";
    let pair = |id: &str, year: &str| {
        let summary = format!("The bridge opened in {year}.");
        json!({"id": id, "article": article, "summary": summary})
    };
    json!({"instrument": "summary", "pairs": [pair("a", "1932"), pair("b", year)]})
}

/// A server with three runs, and another process that has the same database open.
async fn servers() -> (TestServer, TestServer) {
    let server = TestServer::open().await;
    for year in ["1932", "1933"] {
        assert_eq!(server.post("/api/v1/runs", &run(year)).await.status, StatusCode::CREATED);
    }
    let workspace = server.workspace(&OrganisationId::default_organisation());
    let sample = workspace.make_sample(Instrument::Compliance).await.unwrap();
    assert_eq!((sample.number, sample.state), (3, RunState::Done));
    let other = TestServer::over(&server, "127.0.0.1:0").await;
    (server, other)
}

#[tokio::test]
async fn what_is_kept_is_what_is_computed_anew_to_the_byte() {
    let (server, other) = servers().await;
    let mut first = Vec::new();
    for path in KEPT {
        let answer = server.get(path).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.text);
        let again = server.get(path).await;
        assert_eq!(again.text, answer.text, "{path}");
        assert_eq!(again.header("content-type"), answer.header("content-type"), "{path}");
        assert_ne!(again.header("x-request-id"), answer.header("x-request-id"), "{path}");
        first.push(answer.text);
    }
    // Whatever is written ends all that is kept, so that these are computed; a set of documents
    // stands on none of these pages.
    let made = other.post("/api/v1/document-sets", &json!({"name": "policies"})).await;
    assert_eq!(made.status, StatusCode::CREATED);
    for (path, before) in KEPT.into_iter().zip(first) {
        assert_eq!(server.get(path).await.text, before, "{path}");
    }
}

#[tokio::test]
async fn what_another_process_writes_is_shown_at_once() {
    let (server, other) = servers().await;
    for path in KEPT {
        server.get(path).await;
    }
    let name = json!({"name": "harder"});
    let named = other.send_json("PATCH", "/api/v1/runs/2", &[], &name).await;
    assert_eq!(named.status, StatusCode::OK, "{}", named.text);
    for path in ["/", "/runs", "/compare?base=1&with=2", "/api/v1/runs?limit=100"] {
        assert!(server.get(path).await.text.contains("harder"), "{path}");
    }
    let request = DecisionRequest {
        score: Some(12.0),
        reason: "seen by somebody".to_owned(),
        ..DecisionRequest::default()
    };
    let workspace = other.workspace(&OrganisationId::default_organisation());
    let run = workspace.find_run("3").await.unwrap();
    workspace.decide(&run, 0, &request).await.unwrap();
    assert!(server.get("/eval/3/results/1").await.text.contains("seen by somebody"));
    let comment = json!({"text": "Said of the first pair."});
    let said = other.post("/api/v1/runs/1/items/0/comments", &comment).await;
    assert_eq!(said.status, StatusCode::CREATED, "{}", said.text);
    assert!(server.get("/runs/1/items/1").await.text.contains("Said of the first pair."));
    let before = server.get("/api/v1/compare?base=1&with=2").await.json();
    assert_eq!(before["runs"], json!(["#1", "#2"]));
    let again = json!({"framework": "twin-lock", "reason": "counted again"});
    assert_eq!(other.post("/api/v1/runs/2/rescore", &again).await.status, StatusCode::OK);
    let after = server.get("/api/v1/compare?base=1&with=2").await.json();
    assert_eq!(after["runs"], json!(["#1", "#2 v2"]));
}

#[tokio::test]
async fn what_is_kept_for_one_organisation_is_not_shown_to_another() {
    let (local, _) = servers().await;
    let server = TestServer::over(&local, "192.0.2.1:80").await;
    let ours = OrganisationId::default_organisation();
    let theirs = server.workspace(&ours).make_organisation("theirs").await.unwrap();
    let mut tokens = Vec::new();
    for organisation in [&ours, &theirs] {
        // The same name on both sides: only the organisation tells them apart.
        let request = TokenRequest { name: "one".to_owned(), scope: Scope::Read, days: Some(1) };
        let made = server.workspace(organisation).make_token(request).await.unwrap();
        tokens.push(format!("Bearer {}", made.secret));
    }
    let ask = async |token: &str, path: &str| {
        let headers = [("authorization", token)];
        server.send(request("GET", path, &headers, Body::empty())).await
    };
    for path in KEPT {
        assert_eq!(ask(&tokens[0], path).await.status, StatusCode::OK, "{path}");
    }
    for _ in 0..2 {
        let list = ask(&tokens[1], "/api/v1/runs?limit=100").await.json();
        assert_eq!(list["items"], json!([]));
        let compared = ask(&tokens[1], "/api/v1/compare?base=1&with=2").await;
        assert_eq!(compared.status, StatusCode::NOT_FOUND, "{}", compared.text);
    }
}

#[tokio::test]
async fn a_form_on_a_page_that_is_kept_belongs_to_whoever_asked() {
    let (local, _) = servers().await;
    let server = TestServer::over(&local, "192.0.2.1:80").await;
    let workspace = server.workspace(&OrganisationId::default_organisation());
    let mut pages = Vec::new();
    for name in ["ada", "grace"] {
        let password = "a long enough password, really";
        workspace.add_user(name, password, Role::Analyst).await.unwrap();
        let with = SignIn { name, password, address: "", agent: "", code: "" };
        let (session, _) = workspace.sign_in(with).await.unwrap();
        let cookie = format!("assize_session={session}");
        let page = request("GET", "/runs", &[("cookie", &cookie)], Body::empty());
        let page = server.send(page).await;
        assert_eq!(page.status, StatusCode::OK, "{}", page.text);
        assert!(page.text.contains(&crate::client::csrf_of(&session)), "{name}");
        pages.push(page.text);
    }
    assert_ne!(pages[0], pages[1]);
}
