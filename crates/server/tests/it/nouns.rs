//! The smaller nouns of the API: comments, searches, organisations, sessions, the audit as a file.

use assize_engine::store::{OrganisationId, Role};
use axum::body::Body;
use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::client::{TestServer, request};

async fn with_samples() -> TestServer {
    let server = TestServer::open().await;
    let made = server.post("/api/v1/demo", &Value::Null).await;
    assert_eq!((made.status, made.json().as_array().unwrap().len()), (StatusCode::CREATED, 4));
    server
}

#[tokio::test]
async fn somebody_comments_on_an_item_and_the_audit_knows() {
    let server = with_samples().await;
    let path = "/api/v1/runs/1/items/0/comments";
    assert_eq!(server.get(path).await.json(), json!([]));
    let added = server.post(path, &json!({"text": " Looks right. "})).await;
    assert_eq!(added.status, StatusCode::CREATED, "{}", added.text);
    assert_eq!(added.json()[0]["text"], "Looks right.");
    let decision = json!({"position": 0, "kind": "comment", "value": "Also so."});
    server.post("/api/v1/runs/1/decisions", &decision).await;
    let all = server.get(path).await.json();
    assert_eq!((&all[1]["text"], &all[1]["author"]), (&json!("Also so."), &json!("local")));
    assert_eq!(
        server.post(path, &json!({"text": " "})).await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    let beyond = "/api/v1/runs/1/items/99999/comments";
    assert_eq!(server.get(beyond).await.status, StatusCode::NOT_FOUND);
    assert_eq!(server.post(beyond, &json!({"text": "x"})).await.status, StatusCode::NOT_FOUND);
    let audit = server.get("/api/v1/audit?limit=2").await.json();
    assert_eq!(audit["items"][1]["action"], "comment");
}

#[tokio::test]
async fn the_audit_is_a_file_and_says_whether_it_is_whole() {
    let server = with_samples().await;
    server.send_json("PATCH", "/api/v1/runs/1", &[], &json!({"name": "=best"})).await;
    let chain = server.get("/api/v1/audit/verify").await.json();
    let entries = chain["entries"].as_i64().unwrap();
    assert!(entries > 0 && chain["flaw"].is_null(), "{chain}");
    let lines = server.get("/api/v1/audit/export").await;
    assert_eq!(lines.header("content-disposition"), "attachment; filename=\"audit.jsonl\"");
    assert_eq!(i64::try_from(lines.text.lines().count()).unwrap(), entries);
    let last: Value = serde_json::from_str(lines.text.lines().last().unwrap()).unwrap();
    assert_eq!(last["hash"], chain["head"]);
    let table = server.get("/api/v1/audit/export?format=csv").await.text;
    assert!(table.starts_with("sequence,at,who,address,action,"), "{table}");
    assert_eq!(i64::try_from(table.lines().count()).unwrap(), entries + 1);
}

#[tokio::test]
async fn the_changes_of_a_criteria_set_are_its_versions() {
    let server = TestServer::open().await;
    let set =
        json!({"name": "c", "criteria": [{"criteria_id": "A", "requirement": "Lock doors."}]});
    server.post("/api/v1/criteria-sets", &set).await;
    let items = server.get("/api/v1/criteria-sets/c/items").await.json();
    assert_eq!((items.as_array().unwrap().len(), &items[0]["criteria_id"]), (1, &json!("A")));
    let path = "/api/v1/criteria-sets/c/rubric";
    let read = server.get(path).await;
    let mut rubric = read.json();
    rubric["tiers"][0]["label"] = json!("Other");
    server.send_json("PUT", path, &[("if-match", read.header("etag"))], &rubric).await;
    let versions = server.get("/api/v1/criteria-sets/c/versions?limit=1").await.json();
    assert_eq!(versions["items"][0]["after"]["tiers"][0]["label"], "Other");
    let next = versions["next"].as_str().unwrap();
    let older = server.get(&format!("/api/v1/criteria-sets/c/versions?cursor={next}")).await.json();
    assert_eq!((&older["items"][0]["action"], &older["next"]), (&json!("import"), &Value::Null));
}

#[tokio::test]
async fn a_search_needs_keys_and_judges_that_are_allowed() {
    let server = TestServer::open().await;
    let set =
        json!({"name": "c", "criteria": [{"criteria_id": "A", "requirement": "Lock doors."}]});
    server.post("/api/v1/criteria-sets", &set).await;
    server.post("/api/v1/document-sets", &json!({"name": "d"})).await;
    assert_eq!(server.get("/api/v1/optimisations").await.json(), json!([]));
    let sets = json!({"document_set": "d", "criteria_set": "c"});
    let few = server.post("/api/v1/optimisations", &sets).await;
    assert_eq!(few.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", few.text);
    assert!(few.text.contains("too few"), "{}", few.text);
    let held = json!({"document_set": "d", "criteria_set": "c", "hold_out": 0.95});
    assert_eq!(server.post("/api/v1/optimisations", &held).await.status, StatusCode::BAD_REQUEST);
    assert_eq!(server.get("/api/v1/optimisations/none").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_model_that_cannot_be_asked_is_told_and_no_failure() {
    let server = TestServer::open().await;
    let nonsense = server.post("/api/v1/models/test", &json!({"model": "nonsense"})).await;
    assert_eq!(nonsense.status, StatusCode::BAD_REQUEST, "{}", nonsense.text);
    let unknown = server.post("/api/v1/models/test", &json!({"model": "nobody/x"})).await;
    assert!(unknown.status.is_client_error(), "{} {}", unknown.status, unknown.text);
}

#[tokio::test]
async fn an_organisation_is_made_once_and_an_administrator_reaches_no_further() {
    let server = TestServer::bound("192.0.2.1:80").await;
    let ours = OrganisationId::default_organisation();
    let workspace = server.workspace(&ours);
    let password = "copper lantern seldom varnish";
    workspace.add_user("ann", password, Role::Admin).await.unwrap();
    workspace.add_user("bob", password, Role::Viewer).await.unwrap();
    let with = assize_engine::accounts::SignIn {
        name: "ann",
        password,
        address: "",
        agent: "x",
        code: "",
    };
    let (token, _) = workspace.sign_in(with).await.unwrap();
    let cookie = format!("assize_session={token}");
    let headers = [("cookie", cookie.as_str())];
    let made = server
        .send_json("POST", "/api/v1/organisations", &headers, &json!({"name": "research"}))
        .await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    let again = server
        .send_json("POST", "/api/v1/organisations", &headers, &json!({"name": "research"}))
        .await;
    assert_eq!(again.status, StatusCode::CONFLICT, "{}", again.text);
    let all = server.send(request("GET", "/api/v1/organisations", &headers, Body::empty())).await;
    assert_eq!(all.json().as_array().unwrap().len(), 2, "{}", all.text);
    // Bob also works elsewhere: his password is none of Ann's business.
    let theirs = OrganisationId::from(made.json()["id"].as_str().unwrap().to_owned());
    server.workspace(&theirs).set_role("bob", Role::Admin).await.unwrap();
    for change in [json!({"password": "another copper lantern"}), json!({"disabled": true})] {
        let refused = server.send_json("PATCH", "/api/v1/users/bob", &headers, &change).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.text);
    }
    let sessions =
        server.send(request("GET", "/api/v1/me/sessions", &headers, Body::empty())).await;
    let id = sessions.json()[0]["id"].as_str().unwrap().to_owned();
    let wrong = json!({"old": "not this one at all", "new": "velvet anchor quietly humming"});
    let refused = server.send_json("PUT", "/api/v1/me/password", &headers, &wrong).await;
    assert!(refused.status.is_client_error(), "{} {}", refused.status, refused.text);
    let path = format!("/api/v1/me/sessions/{id}");
    let ended = server.send(request("DELETE", &path, &headers, Body::empty())).await;
    assert_eq!(ended.status, StatusCode::NO_CONTENT, "{}", ended.text);
    let gone = server.send(request("GET", "/api/v1/me", &headers, Body::empty())).await;
    assert_eq!(gone.status, StatusCode::UNAUTHORIZED);
}
