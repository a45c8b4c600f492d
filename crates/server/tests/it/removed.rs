//! Whoever is removed: what they decided and rated stays, under a name that says nothing.

use assize_engine::store::{Instrument, OrganisationId, Place, Role};
use assize_testbed::Postgres;
use axum::body::Body;
use axum::http::StatusCode;
use serde_json::json;

use crate::accounts::{PASSWORD, cookie, login};
use crate::client::{Answer, TestServer, request};

async fn ask(server: &TestServer, session: &str, asked: (&str, &str), body: &str) -> Answer {
    let (method, path) = asked;
    let headers = [
        ("cookie", session),
        ("content-type", "application/json"),
        ("sec-fetch-site", "same-origin"),
    ];
    server.send(request(method, path, &headers, Body::from(body.to_owned()))).await
}

async fn keeps_what_they_said(server: TestServer) {
    let workspace = server.workspace(&OrganisationId::default_organisation());
    for name in ["ann", "bob"] {
        workspace.add_user(name, PASSWORD, Role::Admin).await.unwrap();
    }
    let run = workspace.make_sample(Instrument::Compliance).await.unwrap();
    assert_eq!(run.number, 1);
    let ann = cookie(&login(&server, "ann", PASSWORD, &[]).await);
    let bob = cookie(&login(&server, "bob", PASSWORD, &[]).await);

    let decision = json!({"position": 0, "kind": "score", "target": "score", "value": 12.0,
        "reason": "one door of two"});
    let decisions = "/api/v1/runs/1/decisions";
    let decided = ask(&server, &ann, ("POST", decisions), &decision.to_string()).await;
    assert!(decided.status.is_success(), "{}", decided.text);
    let rating = json!([{"position": 1, "measure": "score", "value": 40.0, "note": "as I see it"}]);
    let labels = "/api/v1/runs/1/labels";
    let rated = ask(&server, &ann, ("PUT", labels), &rating.to_string()).await;
    assert!(rated.status.is_success(), "{}", rated.text);
    for path in [decisions, labels] {
        let text = ask(&server, &bob, ("GET", path), "").await.text;
        assert!(text.contains("\"ann\""), "{path}: {text}");
    }

    let removed = ask(&server, &bob, ("DELETE", "/api/v1/users/ann"), "").await;
    assert_eq!(removed.status, StatusCode::OK, "{}", removed.text);
    let alias = removed.json()["former_name"].as_str().unwrap().to_owned();
    for (path, words) in [(decisions, "one door of two"), (labels, "as I see it")] {
        let text = ask(&server, &bob, ("GET", path), "").await.text;
        assert!(text.contains(words) && text.contains(&alias), "{path}: {text}");
        assert!(!text.contains("\"ann\""), "{path}: {text}");
    }
    // It counts as before.
    let item = ask(&server, &bob, ("GET", "/api/v1/runs/1/items/0"), "").await.text;
    assert!(item.contains("12.0") && !item.contains("\"ann\""), "{item}");
    // Whoever is added under that name later is somebody else.
    workspace.add_user("ann", PASSWORD, Role::Viewer).await.unwrap();
    let text = ask(&server, &bob, ("GET", decisions), "").await.text;
    assert!(text.contains(&alias), "{text}");
}

#[tokio::test]
async fn what_a_removed_person_decided_and_rated_stays_on_sqlite() {
    keeps_what_they_said(TestServer::bound("192.0.2.1:80").await).await;
}

#[tokio::test]
async fn what_a_removed_person_decided_and_rated_stays_on_postgresql() {
    let place = Place::from(Postgres::shared().database().as_str());
    let server = TestServer::with("192.0.2.1:80", |settings| settings.database = place).await;
    keeps_what_they_said(server).await;
}
