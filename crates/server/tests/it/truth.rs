//! Truth keys on pages.

use std::collections::BTreeMap;

use assize_engine::store::OrganisationId;
use axum::body::Body;
use axum::http::StatusCode;
use serde_json::json;

use crate::client::{TestServer, request};

const SETS: (&str, &str) = ("controls", "policies");

/// A server with two criteria and one document.
async fn filled() -> TestServer {
    let server = TestServer::open().await;
    let set = json!({"name": SETS.0, "criteria": [
        {"criteria_id": "A-1", "requirement": "Doors are locked."},
        {"criteria_id": "A-2", "requirement": "Visitors sign in."}]});
    assert_eq!(server.post("/api/v1/criteria-sets", &set).await.status, StatusCode::CREATED);
    let made = server.post("/api/v1/document-sets", &json!({"name": SETS.1})).await;
    assert_eq!(made.status, StatusCode::CREATED);
    upload(&server, "p.txt", "Doors are locked.").await;
    server
}

async fn upload(server: &TestServer, name: &str, text: &str) {
    let path = format!("/api/v1/document-sets/{}/documents", SETS.1);
    let answer = server.upload(&path, name, text.as_bytes()).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text);
}

async fn enter(server: &TestServer, criterion: &str, document: &str) {
    let workspace = server.workspace(&OrganisationId::default_organisation());
    let done =
        workspace.enter_truth(SETS, (criterion, document), 90.0, BTreeMap::new()).await.unwrap();
    assert_eq!((done.kept, done.problems.len()), (1, 0), "{:?}", done.problems);
}

#[tokio::test]
async fn accuracy_says_how_many_keys_it_leaves_out_and_why() {
    let server = filled().await;
    enter(&server, "A-1", "p.txt").await;
    upload(&server, "p.txt", "Doors are locked at night.").await;
    let run = json!({"instrument": "compliance", "criteria_set": SETS.0, "document_set": SETS.1});
    let made = server.post("/api/v1/runs", &run).await;
    assert!(made.status.is_success(), "{}", made.text);
    let page = async || server.get("/accuracy?run=1").await.text;
    let another = "entered for a different version of a document";
    let elsewhere = "for documents or criteria that are not part of this run";
    let before = page().await;
    assert!(before.contains("No truth keys for this run"), "{before}");
    assert!(before.contains(&format!("1 truth key is not included: {another}")), "{before}");
    assert!(!before.contains(elsewhere), "{before}");
    enter(&server, "A-1", "p.txt").await;
    upload(&server, "later.txt", "Visitors sign in.").await;
    enter(&server, "A-1", "later.txt").await;
    enter(&server, "A-2", "later.txt").await;
    let after = page().await;
    assert!(!after.contains("No truth keys for this run"), "{after}");
    assert!(after.contains(&format!("1 truth key is not included: {another}")), "{after}");
    assert!(after.contains(&format!("2 truth keys are not included: {elsewhere}")), "{after}");
}

#[tokio::test]
async fn a_key_is_removed_on_the_page_and_the_audit_says_what_it_was() {
    let server = filled().await;
    enter(&server, "A-1", "p.txt").await;
    enter(&server, "A-2", "p.txt").await;
    let page = server.get("/truth-keys").await.text;
    let between = |before: &str, after: &str| {
        let rest = page.split(before).nth(1).unwrap_or_else(|| panic!("no {before} in {page}"));
        rest.split(after).next().unwrap().to_owned()
    };
    let token = between("name=\"csrf\" value=\"", "\"");
    let key = between("name=\"key\" value=\"", "\"");
    let remove = async |key: &str| {
        let (criteria, documents) = SETS;
        let body = format!("csrf={token}&criteria={criteria}&documents={documents}&key={key}");
        let form = [("content-type", "application/x-www-form-urlencoded")];
        server.send(request("POST", "/truth-keys/delete", &form, Body::from(body))).await
    };
    let gone = remove(&key).await;
    assert_eq!(gone.status, StatusCode::SEE_OTHER, "{}", gone.text);
    let left = server.get("/truth-keys").await.text;
    assert!(left.contains("1 key<") && !left.contains(&key), "{left}");
    let workspace = server.workspace(&OrganisationId::default_organisation());
    let last = workspace.audit_page(None, 1).await.unwrap().items.remove(0);
    assert_eq!((last.action.as_str(), last.subject.as_str()), ("delete", "truth key"));
    assert_eq!(last.subject_id, "p.txt × A-1");
    assert_eq!(last.before, Some(json!({"score": 90.0, "analyst": workspace.who})));
    assert_eq!(remove(&key).await.status, StatusCode::NOT_FOUND);
}
