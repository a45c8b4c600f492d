//! A model judge that cannot be asked: whoever wants it is told before anything is begun, and a
//! run that fails later says why.

use std::time::Duration;

use assize_engine::compliance::ComplianceRequest;
use assize_engine::compliance::evaluate::Evaluation;
use assize_engine::store::OrganisationId;
use assize_server::{Settings, serve};
use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::client::TestServer;
use crate::criteria_pages::send_form;
use crate::import_pages::send_files;

/// Known, but no test has a key for it.
const JUDGE: &str = "openai/gpt-4o-mini";
const REASON: &str = "no API key for `openai`";

/// The sets `controls` and `policies`, with one criterion and one document.
async fn with_sets() -> TestServer {
    let server = TestServer::open().await;
    let set = json!({"name": "controls", "criteria": [
        {"criteria_id": "A-1", "requirement": "Doors are locked."}]});
    assert_eq!(server.post("/api/v1/criteria-sets", &set).await.status, StatusCode::CREATED);
    server.post("/api/v1/document-sets", &json!({"name": "policies"})).await;
    let text = b"Doors are locked.";
    server.upload("/api/v1/document-sets/policies/documents", "p.txt", text).await;
    server
}

/// A run that was planned where there was a key.
async fn plan(server: &TestServer) {
    let ours = server.workspace(&OrganisationId::default_organisation());
    let evaluation = Evaluation {
        criteria: "controls".to_owned(),
        criteria_file: None,
        documents: "policies".to_owned(),
        document_files: Vec::new(),
        request: ComplianceRequest {
            judge: Some(JUDGE.parse().unwrap()),
            ..ComplianceRequest::default()
        },
    };
    ours.begin(evaluation, 0, &mut |_| {}).await.unwrap();
}

async fn runs(server: &TestServer) -> usize {
    server.get("/api/v1/runs").await.json()["items"].as_array().unwrap().len()
}

#[tokio::test]
async fn a_judge_without_a_key_is_refused_before_a_run_is_planned() {
    let server = with_sets().await;
    let fields = [
        ("instrument", "compliance"),
        ("criteria", "controls"),
        ("documents", "policies"),
        ("judge", JUDGE),
    ];
    let nothing = ("files", "", &b""[..]);
    let shown = send_files(&server, "/runs/new", &fields, nothing).await;
    assert_eq!(shown.status, StatusCode::OK, "{}", shown.text);
    let is_told = |text: &str| text.contains("API key for `openai`");
    assert!(is_told(&shown.text), "{}", shown.text);
    assert!(shown.text.contains("id=\"estimate\""), "{}", shown.text);
    assert!(!shown.text.contains("value=\"start\""), "{}", shown.text);
    let fields = [&fields[..], &[("act", "start")]].concat();
    let refused = send_files(&server, "/runs/new", &fields, nothing).await;
    assert!(refused.status.is_client_error(), "{}", refused.status);
    assert!(is_told(&refused.text), "{}", refused.text);
    let run = json!({"instrument": "compliance", "criteria_set": "controls",
        "document_set": "policies", "judge": JUDGE});
    let pairs = json!({"instrument": "summary", "judge": JUDGE,
        "pairs": [{"article": "Doors are locked.", "summary": "Locked."}]});
    for asked in [run, pairs] {
        let refused = server.post("/api/v1/runs", &asked).await;
        assert!(refused.status.is_client_error(), "{}", refused.text);
        assert!(refused.text.contains(REASON), "{}", refused.text);
    }
    assert_eq!(runs(&server).await, 0);
}

#[tokio::test]
async fn a_planned_run_is_not_said_to_be_resumed_when_nobody_can_be_asked() {
    let server = with_sets().await;
    plan(&server).await;
    let page = server.get("/eval/1").await.text;
    assert!(!page.contains("Nothing needs attention"), "{page}");
    assert!(page.contains("1 result is still pending."), "{page}");
    let refused = send_form(&server, "/runs/1/resume", &[]).await;
    assert!(refused.status.is_client_error(), "{}", refused.text);
    assert!(refused.text.contains("API key for `openai`"), "{}", refused.text);
    let refused = server.post("/api/v1/runs/1/start", &Value::Null).await;
    assert!(refused.text.contains(REASON), "{}", refused.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_fails_without_anybody_asking_says_why() {
    let server = with_sets().await;
    plan(&server).await;
    let place = server.state.settings.database.clone();
    let serving = serve(Settings::new("127.0.0.1:0".parse().unwrap(), place)).await.unwrap();
    // Whoever starts takes up what was planned.
    let failed = async {
        for _ in 0..400 {
            let run = server.get("/api/v1/runs/1").await.json();
            if run["state"] == "failed" {
                return;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
    };
    serving.run(failed).await;
    let run = server.get("/api/v1/runs/1").await.json();
    assert_eq!(run["state"], "failed", "{run}");
    assert!(run["failure"].as_str().unwrap().contains(REASON), "{run}");
    let page = server.get("/eval/1").await.text;
    assert!(page.contains("API key for `openai`"), "{page}");
    assert!(!page.contains("Nothing needs attention"), "{page}");
}
