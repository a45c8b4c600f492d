//! The API from a client's side: runs of every instrument, one-shot scores, sets, pages.

use assize_engine::store::{Instrument, OrganisationId};
use axum::body::Body;
use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::client::{TestServer, request};

/// Two queries; the first finds its passage at rank 2, the second not at all.
fn retrieval() -> Value {
    json!({
        "predictions": {"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 1.0}},
        "gold": {"q1": {"b": 1}, "q2": {"d": 1}},
        "settings": {"measures": ["recall@10", "mrr"], "resamples": 0}
    })
}

async fn with_retrieval_runs(count: usize) -> TestServer {
    let server = TestServer::open().await;
    for number in 1..=count {
        let body =
            json!({"instrument": "retrieval", "name": format!("r{number}"), "input": retrieval()});
        let made = server.post("/api/v1/runs", &body).await;
        assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
        assert_eq!(made.header("location"), format!("/api/v1/runs/{number}"));
    }
    server
}

#[tokio::test]
async fn a_retrieval_run_is_scored_without_being_kept() {
    let server = TestServer::open().await;
    let scored = server.post("/api/v1/score/retrieval", &retrieval()).await;
    assert_eq!(scored.status, StatusCode::OK, "{}", scored.text);
    let score = scored.json();
    // By hand: recall 1 and 0, reciprocal rank 1/2 and 0.
    assert_eq!(score["measures"]["recall@10"]["value"], 0.5);
    assert_eq!(score["measures"]["mrr"]["value"], 0.25);
    assert_eq!(server.get("/api/v1/runs").await.json()["items"], json!([]));
}

#[tokio::test]
async fn runs_are_listed_page_by_page_and_filtered() {
    let server = with_retrieval_runs(3).await;
    let first = server.get("/api/v1/runs?limit=2").await.json();
    let numbers = |page: &Value| {
        let items = page["items"].as_array().unwrap();
        items.iter().map(|run| run["number"].as_i64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(numbers(&first), [3, 2]);
    let next = first["next"].as_str().unwrap();
    let last = server.get(&format!("/api/v1/runs?limit=2&cursor={next}")).await.json();
    assert_eq!((numbers(&last), &last["next"]), (vec![1], &Value::Null));
    let edit = json!({"add_tags": ["nightly"], "baseline": true, "name": "best"});
    let edited = server.send_json("PATCH", "/api/v1/runs/2", &[], &edit).await.json();
    assert_eq!((&edited["name"], &edited["baseline"]), (&json!("best"), &json!(true)));
    assert_eq!(numbers(&server.get("/api/v1/runs?tag=nightly").await.json()), [2]);
    assert_eq!(numbers(&server.get("/api/v1/runs?state=running").await.json()), [0; 0]);
    assert_eq!(numbers(&server.get("/api/v1/runs?instrument=retrieval").await.json()), [3, 2, 1]);
}

#[tokio::test]
async fn what_a_list_cannot_be_asked_is_named() {
    let server = TestServer::open().await;
    for query in ["limit=0", "limit=501", "limit=x", "cursor=%00", "state=late", "colour=red"] {
        let answer = server.get(&format!("/api/v1/runs?{query}")).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{query}");
        assert_eq!(answer.json()["code"], "invalid_input", "{query}");
    }
}

#[tokio::test]
async fn items_are_sorted_and_one_is_shown_in_full() {
    let server = with_retrieval_runs(1).await;
    let worst = server.get("/api/v1/runs/1/items?sort=mrr&limit=1").await.json();
    assert_eq!(worst["items"][0]["subject"], "q2");
    let next = worst["next"].as_str().unwrap();
    let path = format!("/api/v1/runs/1/items?sort=mrr&limit=1&cursor={next}");
    let second = server.get(&path).await.json();
    assert_eq!((&second["items"][0]["subject"], &second["next"]), (&json!("q1"), &Value::Null));
    let item = server.get("/api/v1/runs/r1/items/0").await.json();
    assert_eq!((&item["subject"], &item["scores"]["mrr"]), (&json!("q1"), &json!(0.5)));
    for path in ["/api/v1/runs/1/items/2", "/api/v1/runs/9", "/api/v1/runs/1/items/x"] {
        assert_eq!(server.get(path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn sorting_by_what_is_not_measured_names_what_is() {
    let server = with_retrieval_runs(1).await;
    for sort in ["nonsense", "-nonsense", "", "-", "MRR"] {
        let answer = server.get(&format!("/api/v1/runs/1/items?sort={sort}")).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{sort}: {}", answer.text);
        let problem = answer.json();
        assert_eq!(problem["code"], "invalid_input", "{sort}");
        assert!(problem["detail"].as_str().unwrap().contains("mrr"), "{sort}: {problem}");
    }
    assert_eq!(server.get("/api/v1/runs/1/items?sort=-mrr").await.status, StatusCode::OK);
}

#[tokio::test]
async fn two_runs_are_compared_exported_and_removed() {
    let server = with_retrieval_runs(2).await;
    let compared = server.get("/api/v1/compare?base=1&with=2").await.json();
    assert_eq!(
        (&compared["shared"], &compared["measures"][0]["difference"]),
        (&json!(2), &json!(0.0))
    );
    let csv = server.get("/api/v1/runs/1/export?format=csv").await;
    assert_eq!(csv.header("content-disposition"), "attachment; filename=\"run-1.csv\"");
    assert_eq!(csv.text.lines().count(), 3, "{}", csv.text);
    let lines = server.get("/api/v1/runs/1/export").await.text;
    assert_eq!(lines.lines().count(), 3);
    let packed =
        request("GET", "/api/v1/runs/1/export", &[("accept-encoding", "gzip")], Body::empty());
    let packed = server.send(packed).await;
    assert_eq!((packed.status, packed.header("content-encoding")), (StatusCode::OK, "gzip"));
    let gone = server.send(request("DELETE", "/api/v1/runs/1", &[], Body::empty())).await;
    assert_eq!(gone.status, StatusCode::NO_CONTENT);
    assert_eq!(server.get("/api/v1/runs/1").await.status, StatusCode::NOT_FOUND);
    let audit = server.get("/api/v1/audit").await.json();
    assert_eq!(audit["items"][0]["action"], "delete");
}

#[tokio::test]
async fn summaries_are_scored_alone_and_as_a_run_and_rescored() {
    let server = TestServer::open().await;
    let article = "The bridge opened in 1932. It cost nine million pounds.";
    let pair = json!({"article": article, "summary": "The bridge opened in 1932."});
    let scored = server.post("/api/v1/score/summary", &pair).await;
    assert_eq!(scored.status, StatusCode::OK, "{}", scored.text);
    let run = json!({"instrument": "summary", "framework": "judge-lock", "pairs": [
        {"id": "a", "article": article, "summary": "The bridge opened in 1932."},
        {"id": "b", "article": article, "summary": "The bridge opened in 1933."}
    ]});
    let made = server.post("/api/v1/runs", &run).await.json();
    assert_eq!((&made["state"], &made["done"]), (&json!("done"), &json!(2)));
    let again = json!({"framework": "twin-lock", "reason": "softer caps"});
    let view = server.post("/api/v1/runs/1/rescore", &again).await.json();
    assert_eq!(
        (&view["version"], &view["versions"][0]["reason"]),
        (&json!(2), &json!("softer caps"))
    );
    let refused = server.post("/api/v1/runs/1/rescore", &json!({})).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_document_is_held_against_criteria_alone_and_as_a_run() {
    let server = TestServer::open().await;
    let criteria =
        json!([{"criteria_id": "AC-2", "requirement": "Accounts are reviewed every quarter."}]);
    let alone = json!({"document": "Accounts are reviewed every quarter by the team.", "criteria": criteria});
    let scored = server.post("/api/v1/score/compliance", &alone).await;
    assert_eq!(scored.status, StatusCode::OK, "{}", scored.text);
    assert_eq!(scored.json()["planned"], 1);
    let set = json!({"name": "controls", "criteria": criteria});
    assert_eq!(server.post("/api/v1/criteria-sets", &set).await.status, StatusCode::CREATED);
    let made = server.post("/api/v1/document-sets", &json!({"name": "policies"})).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    let added = server
        .upload(
            "/api/v1/document-sets/policies/documents",
            "../../p.txt",
            b"Accounts are reviewed every quarter by the team.",
        )
        .await;
    assert_eq!(added.json()["documents"][0]["name"], "p.txt", "{}", added.text);
    let run =
        json!({"instrument": "compliance", "criteria_set": "controls", "document_set": "policies"});
    let made = server.post("/api/v1/runs", &run).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    let events = server.get("/api/v1/runs/1/events").await.text;
    assert!(events.contains("event: state") && events.contains("\"state\":\"done\""), "{events}");
    let run = server.get("/api/v1/runs/1").await.json();
    assert_eq!((&run["state"], &run["done"]), (&json!("done"), &json!(1)));
    let decision = json!({"position": 0, "kind": "comment", "value": "seen"});
    let decided = server.post("/api/v1/runs/1/decisions", &decision).await;
    assert_eq!(
        (decided.status, &decided.json()[0]["author"]),
        (StatusCode::CREATED, &json!("local"))
    );
}

/// A set that is renamed keeps its id, which names it wherever its name does.
#[tokio::test]
async fn a_set_is_named_by_its_id_as_well() {
    let server = TestServer::open().await;
    let criteria = json!([{"criteria_id": "AC-2", "requirement": "Accounts are reviewed."}]);
    let set = json!({"name": "controls", "criteria": criteria});
    let criteria = server.post("/api/v1/criteria-sets", &set).await;
    assert_eq!(criteria.status, StatusCode::CREATED, "{}", criteria.text);
    let documents = server.post("/api/v1/document-sets", &json!({"name": "policies"})).await;
    assert_eq!(documents.status, StatusCode::CREATED, "{}", documents.text);
    server.upload("/api/v1/document-sets/policies/documents", "p.txt", b"Reviewed.").await;
    for (sets, name, rest, made) in [
        ("criteria-sets", "controls", "/items", criteria),
        ("document-sets", "policies", "", documents),
    ] {
        let list = server.get(&format!("/api/v1/{sets}")).await.json();
        let id = list[0]["id"].as_str().unwrap().to_owned();
        assert_ne!(id, name);
        // Whoever makes a set learns its id.
        let made = made.json();
        assert_eq!([&made["id"], &made["name"]], [id.as_str(), name], "{made}");
        let by = async |set: &str| server.get(&format!("/api/v1/{sets}/{set}{rest}")).await;
        let (by_name, by_id) = (by(name).await, by(&id).await);
        assert_eq!(by_id.status, StatusCode::OK, "{}", by_id.text);
        assert_eq!(by_name.text, by_id.text);
    }
}

#[tokio::test]
async fn the_page_of_a_name_leads_to_that_of_the_id() {
    let server = TestServer::open().await;
    let workspace = server.workspace(&OrganisationId::default_organisation());
    for instrument in [Instrument::Retrieval, Instrument::Compliance, Instrument::Council] {
        workspace.make_sample(instrument).await.unwrap();
    }
    // The sample of retrieval is two runs.
    for (run, name) in [("1", "first try"), ("3", "policies of may"), ("4", "quartz")] {
        let run = workspace.find_run(run).await.unwrap();
        workspace.rename_run(&run, name).await.unwrap();
    }
    let set = async |sets: &str| {
        let list = server.get(&format!("/api/v1/{sets}")).await.json();
        ["id", "name"].map(|field| list[0][field].as_str().unwrap().to_owned())
    };
    let ([criteria, controls], [documents, policies]) =
        (set("criteria-sets").await, set("document-sets").await);
    let encoded = |name: &str| name.replace(' ', "%20");
    let (controls, policies) = (encoded(&controls), encoded(&policies));
    let sets = "/admin/org/eval/criteria-sets";
    for (name, id) in [
        ("/runs/first%20try".to_owned(), "/runs/1".to_owned()),
        ("/runs/first%20try/items/1".to_owned(), "/runs/1/items/1".to_owned()),
        ("/eval/policies%20of%20may/matrix".to_owned(), "/eval/3/matrix".to_owned()),
        ("/eval/policies%20of%20may?sort=score".to_owned(), "/eval/3?sort=score".to_owned()),
        ("/councils/quartz".to_owned(), "/councils/4".to_owned()),
        ("/runs/latest/edit".to_owned(), "/runs/4/edit".to_owned()),
        (format!("{sets}/{controls}"), format!("{sets}/{criteria}")),
        (format!("{sets}/{controls}/rubric"), format!("{sets}/{criteria}/rubric")),
        (format!("/documents/{policies}"), format!("/documents/{documents}")),
        (format!("/documents/{policies}?only=all"), format!("/documents/{documents}?only=all")),
    ] {
        let sent_on = server.get(&name).await;
        assert_eq!(sent_on.status, StatusCode::SEE_OTHER, "{name}: {}", sent_on.text);
        assert_eq!(sent_on.header("location"), id, "{name}");
        let shown = server.get(&id).await;
        assert_eq!(shown.status, StatusCode::OK, "{id}: {}", shown.text);
    }
    for nothing in ["/runs/nobody", "/documents/nobody", "/admin/org/eval/criteria-sets/nobody"] {
        assert_eq!(server.get(nothing).await.status, StatusCode::NOT_FOUND, "{nothing}");
    }
}

#[tokio::test]
async fn an_original_is_a_download_and_never_a_page() {
    let server = TestServer::open().await;
    server.post("/api/v1/document-sets", &json!({"name": "web"})).await;
    let page = b"<html><body><script>alert(1)</script><p>Accounts are locked.</p></body></html>";
    let added = server.upload("/api/v1/document-sets/web/documents", "a.html", page).await.json();
    let id = added["documents"][0]["id"].as_str().unwrap();
    let original = server.get(&format!("/api/v1/documents/{id}/original")).await;
    assert_eq!(original.header("content-type"), "application/octet-stream");
    assert_eq!(original.header("content-disposition"), "attachment; filename=\"a.html\"");
    let text = server.get(&format!("/api/v1/documents/{id}/text")).await;
    assert!(text.header("content-type").starts_with("text/plain"));
    assert!(text.text.contains("Accounts are locked.") && !text.text.contains("script"));
}

#[tokio::test]
async fn of_two_who_save_a_rubric_the_second_sees_both_versions() {
    let server = TestServer::open().await;
    let set = json!({"name": "controls", "criteria": [{"criteria_id": "A", "requirement": "Lock doors."}]});
    server.post("/api/v1/criteria-sets", &set).await;
    let path = "/api/v1/criteria-sets/controls/rubric";
    let read = server.get(path).await;
    let (tag, rubric) = (read.header("etag").to_owned(), read.json());
    let mut other = rubric.clone();
    let first = &mut other["tiers"][0];
    first["label"] = json!("Another word");
    let without = server.send_json("PUT", path, &[], &other).await;
    assert_eq!(without.status, StatusCode::PRECONDITION_REQUIRED);
    let saved = server.send_json("PUT", path, &[("if-match", &tag)], &other).await;
    assert_eq!(saved.status, StatusCode::OK, "{}", saved.text);
    assert_ne!(saved.header("etag"), tag);
    let late = server.send_json("PUT", path, &[("if-match", &tag)], &rubric).await;
    assert_eq!(late.status, StatusCode::PRECONDITION_FAILED);
    assert_eq!(late.json()["current"]["tiers"][0]["label"], "Another word");
    assert_eq!(late.json()["wanted"], rubric);
}

#[tokio::test]
async fn the_gate_and_the_models_answer_and_no_key_is_told() {
    let server = TestServer::open().await;
    let checked = server.post("/api/v1/gate", &json!({"answers": ["Two and two is four."]})).await;
    assert_eq!((checked.status, &checked.json()["failed"]), (StatusCode::OK, &json!(0)));
    let models = server.get("/api/v1/models").await.json();
    assert!(models["providers"].as_array().is_some_and(|all| !all.is_empty()));
}

#[tokio::test]
async fn bodies_that_are_no_json_too_large_or_of_another_kind_are_refused() {
    let server = TestServer::open().await;
    let json_type = [("content-type", "application/json")];
    let broken = request("POST", "/api/v1/gate", &json_type, Body::from("{\"answers\": ["));
    assert_eq!(server.send(broken).await.status, StatusCode::BAD_REQUEST);
    let other = request("POST", "/api/v1/gate", &[("content-type", "text/plain")], Body::from("x"));
    assert_eq!(server.send(other).await.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let large = vec![b' '; (32 << 20) + 1];
    let answer = server.send(request("POST", "/api/v1/gate", &json_type, Body::from(large))).await;
    assert_eq!(
        (answer.status, answer.json()["code"].clone()),
        (StatusCode::PAYLOAD_TOO_LARGE, json!("too_large"))
    );
}

/// Written anew by `assize reference openapi`, as all reference pages are.
#[test]
fn the_document_of_the_api_is_the_one_that_is_kept() {
    let kept = include_str!("../../../../docs/reference/openapi.json");
    let made = assize_server::api::docs::text();
    assert!(kept == made, "docs/reference/openapi.json is old: cargo xtask docs");
}
