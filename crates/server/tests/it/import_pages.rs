//! Lists of criteria as files: a set is replaced only by those who say so, and each column has
//! one use at most.

use axum::body::Body;
use axum::http::StatusCode;
use serde_json::json;

use crate::client::{Answer, TestServer, request};

const SETS: &str = "/admin/org/eval/criteria-sets";
const LIST: &str = "id,requirement\nB-1,Keys are counted.\n";

/// A form with a file, as a browser sends it.
pub(crate) async fn send_files(
    server: &TestServer,
    path: &str,
    fields: &[(&str, &str)],
    file: (&str, &str, &[u8]),
) -> Answer {
    send_all_files(server, path, fields, &[file]).await
}

/// The same with several.
pub(crate) async fn send_all_files(
    server: &TestServer,
    path: &str,
    fields: &[(&str, &str)],
    files: &[(&str, &str, &[u8])],
) -> Answer {
    let page = server.get(SETS).await.text;
    let token = page.split("name=\"csrf\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let mut body = Vec::new();
    for (name, value) in [&[("csrf", token)][..], fields].concat() {
        let head = format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
        body.extend_from_slice(format!("{head}{value}\r\n").as_bytes());
    }
    for (field, name, bytes) in files {
        let head = "--x\r\nContent-Disposition: form-data";
        let head = format!("{head}; name=\"{field}\"; filename=\"{name}\"\r\n\r\n");
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--x--\r\n");
    let form = [("content-type", "multipart/form-data; boundary=x")];
    server.send(request("POST", path, &form, Body::from(body))).await
}

async fn import(server: &TestServer, fields: &[(&str, &str)], list: &str) -> Answer {
    let fields = [&[("criteria_name", "controls")][..], fields].concat();
    send_files(server, SETS, &fields, ("criteria_file", "list.csv", list.as_bytes())).await
}

/// A set of two criteria.
async fn with_set() -> TestServer {
    let server = TestServer::open().await;
    let set = json!({"name": "controls", "criteria": [
        {"criteria_id": "A-1", "requirement": "Doors are locked."},
        {"criteria_id": "A-2", "requirement": "Visitors sign in."}]});
    assert_eq!(server.post("/api/v1/criteria-sets", &set).await.status, StatusCode::CREATED);
    server
}

async fn ids(server: &TestServer) -> Vec<String> {
    let items = server.get("/api/v1/criteria-sets/controls/items").await.json();
    let id = |item: &serde_json::Value| item["criteria_id"].as_str().unwrap().to_owned();
    items.as_array().unwrap().iter().map(id).collect()
}

#[tokio::test]
async fn a_program_replaces_a_set_only_if_it_says_so() {
    let server = with_set().await;
    let mut set = json!({"name": "controls", "criteria": [
        {"criteria_id": "B-1", "requirement": "Keys are counted."}]});
    let refused = server.post("/api/v1/criteria-sets", &set).await;
    assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.text);
    assert_eq!(refused.json()["code"], "already_exists");
    assert!(refused.text.contains("`controls` with 2 criteria"), "{}", refused.text);
    assert_eq!(ids(&server).await, ["A-1", "A-2"]);
    set["replace"] = json!(false);
    assert_eq!(server.post("/api/v1/criteria-sets", &set).await.status, StatusCode::CONFLICT);
    set["replace"] = json!(true);
    let done = server.post("/api/v1/criteria-sets", &set).await;
    assert_eq!(done.status, StatusCode::CREATED, "{}", done.text);
    assert_eq!(ids(&server).await, ["B-1"]);
    // Where there is none, there is nothing to replace, and nothing to refuse.
    set["name"] = json!("others");
    assert_eq!(server.post("/api/v1/criteria-sets", &set).await.status, StatusCode::CREATED);
}

#[tokio::test]
async fn a_page_replaces_a_set_only_if_the_box_for_it_is_ticked() {
    let server = with_set().await;
    let shown = import(&server, &[], LIST).await;
    assert_eq!(shown.status, StatusCode::OK);
    assert!(shown.text.contains("replaces its 2 criteria"), "{}", shown.text);
    let refused = import(&server, &[("act", "import")], LIST).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    assert!(refused.text.contains("name=\"replace\" value=\"controls\""), "{}", refused.text);
    // A box that was ticked for another set does not count for this one.
    let refused = import(&server, &[("act", "import"), ("replace", "others")], LIST).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    assert_eq!(ids(&server).await, ["A-1", "A-2"]);
    let done = import(&server, &[("act", "import"), ("replace", "controls")], LIST).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.text);
    assert_eq!(ids(&server).await, ["B-1"]);
}

#[tokio::test]
async fn a_catalog_is_not_imported_over_a_set_at_once() {
    let server = with_set().await;
    let catalog = r#"{"catalog": {"groups": [{"id": "g", "title": "Access", "controls": [
        {"id": "ac-2", "title": "Accounts", "parts": [{"name": "statement", "prose": "Review."}]}]}]}}"#;
    let fields = [("criteria_name", "controls")];
    let file = ("criteria_file", "catalog.json", catalog.as_bytes());
    let shown = send_files(&server, SETS, &fields, file).await;
    assert!(shown.text.contains("replaces its 2 criteria"), "{}", shown.text);
    assert_eq!(ids(&server).await, ["A-1", "A-2"]);
    let fields = [("criteria_name", "controls"), ("act", "import"), ("replace", "controls")];
    let done = send_files(&server, SETS, &fields, file).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.text);
    assert_eq!(ids(&server).await.len(), 1);
}

#[tokio::test]
async fn a_field_can_be_left_without_a_column_and_no_column_has_two_uses() {
    let server = TestServer::open().await;
    let list = "id,requirement,weight\nA-1,Doors are locked.,heavy\n";
    let shown = import(&server, &[], list).await.text;
    assert!(shown.contains("– no column –"), "{shown}");
    assert!(shown.contains("is not a number of 0 or more"), "{shown}");
    let shown = import(&server, &[("column.weight", " ")], list).await.text;
    assert!(!shown.contains("is not a number of 0 or more"), "{shown}");
    let chosen = shown.split("name=\"column.weight\"").nth(1).unwrap().split("</select>").next();
    assert!(chosen.unwrap().contains("value=\" \" selected"), "{chosen:?}");
    let twice = [("act", "import"), ("column.title", "id"), ("column.id", "id")];
    let refused = import(&server, &twice, list).await.text;
    assert!(refused.contains("used for both"), "{refused}");
    assert!(!refused.contains("Import 1 criterion"), "{refused}");
    let done = import(&server, &[("act", "import"), ("column.weight", " ")], list).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.text);
    assert_eq!(ids(&server).await, ["A-1"]);
}
