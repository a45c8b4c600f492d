//! Giving criteria of a run to somebody, on pages and over the API.

use assize_engine::accounts::SignIn;
use assize_engine::store::{OrganisationId, Role};
use axum::body::Body;
use axum::http::StatusCode;
use serde_json::json;

use crate::client::{TestServer, csrf_of, request};

const PASSWORD: &str = "copper lantern seldom varnish";

/// A server for a team with a compliance run, and the cookie of an analyst.
async fn team() -> (TestServer, String, String) {
    let server = TestServer::bound("192.0.2.1:80").await;
    let local = TestServer::over(&server, "127.0.0.1:0").await;
    let set = json!({"name": "controls", "criteria": [
        {"criteria_id": "A-1", "requirement": "Doors are locked."},
        {"criteria_id": "A-2", "requirement": "Visitors sign in."}]});
    assert_eq!(local.post("/api/v1/criteria-sets", &set).await.status, StatusCode::CREATED);
    local.post("/api/v1/document-sets", &json!({"name": "policies"})).await;
    local.upload("/api/v1/document-sets/policies/documents", "p.txt", b"Doors are locked.").await;
    let run =
        json!({"instrument": "compliance", "criteria_set": "controls", "document_set": "policies"});
    let made = local.post("/api/v1/runs", &run).await;
    assert!(made.status.is_success(), "{}", made.text);
    let number = made.json()["number"].to_string();
    let workspace = server.workspace(&OrganisationId::default_organisation());
    for name in ["ann", "bob"] {
        workspace.add_user(name, PASSWORD, Role::Analyst).await.unwrap();
    }
    let with = SignIn { name: "ann", password: PASSWORD, address: "", agent: "", code: "" };
    let (session, _) = workspace.sign_in(with).await.unwrap();
    (server, session, number)
}

#[tokio::test]
async fn criteria_are_given_to_somebody_and_found_by_them() {
    let (server, session, run) = team().await;
    let cookie = format!("assize_session={session}");
    let get = async |path: &str| {
        server.send(request("GET", path, &[("cookie", &cookie)], Body::empty())).await.text
    };
    let post = async |body: String| {
        let headers =
            [("cookie", cookie.as_str()), ("content-type", "application/x-www-form-urlencoded")];
        let body = Body::from(format!("csrf={}&{body}", csrf_of(&session)));
        server.send(request("POST", &format!("/eval/{run}/assign"), &headers, body)).await
    };
    let page = get(&format!("/eval/{run}")).await;
    assert!(page.contains("name=\"criterion\"") && page.contains(">bob</option>"), "{page}");
    // The form and its token stand before the boxes: a browser sends them in this order.
    let first = page.find("name=\"criterion\"").unwrap();
    let form = page.find("action=\"/eval/").unwrap();
    assert!(page[..first].contains("/assign\"") && page[form..first].contains("name=\"csrf\""));
    let done = post("criterion=A-1&criterion=A-2&to=bob".to_owned()).await;
    assert_eq!(done.header("location"), format!("/eval/{run}?told=assigned"), "{}", done.text);
    let done = post("criterion=A-1&to=ann&view=matrix".to_owned()).await;
    assert_eq!(done.header("location"), format!("/eval/{run}/matrix?told=assigned"));
    let mine = get(&format!("/eval/{run}?who=ann")).await;
    assert!(mine.contains("Doors are locked") && !mine.contains("Visitors sign in"), "{mine}");
    assert!(get(&format!("/eval/{run}/matrix")).await.contains("<bdi>bob</bdi>"));
    let review = get("/review").await;
    assert!(review.contains("Assigned to you") && review.contains("?who=ann"), "{review}");
    let path = format!("/api/v1/runs/{run}/assignments");
    let all = server.send(request("GET", &path, &[("cookie", &cookie)], Body::empty())).await;
    let wanted = json!([{"criteria_id": "A-1", "assignee": "ann"},
        {"criteria_id": "A-2", "assignee": "bob"}]);
    assert_eq!(all.json(), wanted);
    let workspace = server.workspace(&OrganisationId::default_organisation());
    let last = workspace.audit_page(None, 1).await.unwrap().items.remove(0);
    assert_eq!((last.who.as_str(), last.action.as_str()), ("ann", "assign"));
    assert_eq!(last.after, Some(json!({"criteria": ["A-1"], "to": "ann"})));
    let done = post("criterion=A-2&to=".to_owned()).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER);
    let all = server.send(request("GET", &path, &[("cookie", &cookie)], Body::empty())).await;
    assert_eq!(all.json(), json!([{"criteria_id": "A-1", "assignee": "ann"}]));
}

#[tokio::test]
async fn only_people_of_the_organisation_and_criteria_of_the_run_can_be_chosen() {
    let (server, session, run) = team().await;
    let cookie = format!("assize_session={session}");
    let path = format!("/api/v1/runs/{run}/assignments");
    for (body, status) in [
        (json!({"criteria": ["A-1"], "to": "eve"}), StatusCode::NOT_FOUND),
        (json!({"criteria": ["B-1"], "to": "bob"}), StatusCode::NOT_FOUND),
        (json!({"criteria": [], "to": "bob"}), StatusCode::UNPROCESSABLE_ENTITY),
        (json!({"criteria": ["A-1", "A-1"], "to": "bob"}), StatusCode::OK),
    ] {
        let answer = server.send_json("PUT", &path, &[("cookie", &cookie)], &body).await;
        assert_eq!(answer.status, status, "{body}: {}", answer.text);
    }
}
