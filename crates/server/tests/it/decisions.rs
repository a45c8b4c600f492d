//! What a person decides about a result: kept as it was typed until it can be saved, and the only
//! thing that becomes a truth key.

use std::time::Duration;

use assize_engine::store::OrganisationId;
use axum::http::StatusCode;
use serde_json::json;

use crate::client::TestServer;
use crate::criteria_pages::send_form;

const HERE: &str = "/eval/1/results/1";

/// A run of one criterion and one document, judged by rules.
async fn judged() -> TestServer {
    let server = TestServer::open().await;
    let set = json!({"name": "controls", "criteria": [
        {"criteria_id": "A-1", "requirement": "Doors are locked."}]});
    server.post("/api/v1/criteria-sets", &set).await;
    server.post("/api/v1/document-sets", &json!({"name": "policies"})).await;
    let text = b"Doors are locked.";
    server.upload("/api/v1/document-sets/policies/documents", "p.txt", text).await;
    let run =
        json!({"instrument": "compliance", "criteria_set": "controls", "document_set": "policies"});
    server.post("/api/v1/runs", &run).await;
    for _ in 0..400 {
        if server.get("/api/v1/runs/1").await.json()["state"] == "done" {
            return server;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("the run does not end");
}

#[tokio::test]
async fn only_what_a_person_decided_becomes_a_truth_key() {
    let server = judged().await;
    let page = server.get(HERE).await.text;
    assert!(!page.contains("Save as truth key") && !page.contains("Has a truth key"), "{page}");
    let refused = send_form(&server, &format!("{HERE}/truth"), &[]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.text.contains("save your decision first"), "{}", refused.text);
    let ours = server.workspace(&OrganisationId::default_organisation());
    let keys = async || {
        let (documents, criteria) = (
            ours.document_set("policies").await.unwrap(),
            ours.criteria_set("controls").await.unwrap(),
        );
        ours.truth(&documents, &criteria).await.unwrap()
    };
    assert!(keys().await.is_empty());
    let decided = [("score", "35"), ("reason", "Only one door.")];
    let done = send_form(&server, &format!("{HERE}/decide"), &decided).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.text);
    assert!(server.get(HERE).await.text.contains("Save as truth key"));
    let done = send_form(&server, &format!("{HERE}/truth"), &[]).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.text);
    // The judge's explanation is not what the analyst expects.
    let kept = keys().await;
    assert_eq!((kept.len(), kept[0].key.expected_score), (1, 35.0));
    assert_eq!(kept[0].key.response_sections, None);
    assert!(server.get(HERE).await.text.contains("Has a truth key"));
    let words =
        [("section.explanation", "One door of two."), ("score", "35"), ("reason", "Counted.")];
    send_form(&server, &format!("{HERE}/decide"), &words).await;
    send_form(&server, &format!("{HERE}/truth"), &[]).await;
    let sections = keys().await.remove(0).key.response_sections;
    assert_eq!(sections, Some(json!({"explanation": "One door of two."})));
    // Taken back, it is the judge's again.
    send_form(&server, &format!("{HERE}/revert"), &[("reason", "Mistaken.")]).await;
    let refused = send_form(&server, &format!("{HERE}/truth"), &[]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn a_decision_that_is_refused_keeps_what_was_typed() {
    let server = judged().await;
    let decide =
        async |fields: &[(&str, &str)]| send_form(&server, &format!("{HERE}/decide"), fields).await;
    let blank =
        decide(&[("score", "35.25"), ("section.explanation", "One door."), ("reason", " ")]);
    let blank = blank.await;
    assert_eq!(blank.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", blank.text);
    for words in ["value=\"35.25\"", ">One door.</textarea>"] {
        assert!(blank.text.contains(words), "{words}: {}", blank.text);
    }
    let wrong = decide(&[("score", "many"), ("reason", "Typed reason")]).await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
    for words in ["`many` is not a number", "value=\"many\"", ">Typed reason</textarea>"] {
        assert!(wrong.text.contains(words), "{words}: {}", wrong.text);
    }
    let both = [("score", "35"), ("outcome", "not_applicable"), ("reason", "No doors.")];
    let refused = decide(&both).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.text);
    assert!(refused.text.contains("either a score or “not applicable”"), "{}", refused.text);
    assert!(refused.text.contains("value=\"not_applicable\" checked"), "{}", refused.text);
    let done = decide(&[("score", "35"), ("reason", "One door.")]).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.text);
    // The form shows what counts: with another outcome that score goes.
    let done = decide(&both).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.text);
    assert!(server.get(HERE).await.text.contains("not applicable"));
}

#[tokio::test]
async fn a_plan_of_action_is_in_the_menu_of_exports() {
    let server = judged().await;
    assert!(server.get("/eval/1").await.text.contains("/runs/1/export?format=poam"));
    let open = [("score", "10"), ("reason", "No door is locked.")];
    send_form(&server, &format!("{HERE}/decide"), &open).await;
    let plan = server.get("/runs/1/export?format=poam").await;
    assert_eq!(plan.status, StatusCode::OK, "{}", plan.text);
    assert!(plan.json()["plan-of-action-and-milestones"].is_object(), "{}", plan.text);
    assert!(plan.header("content-disposition").contains("run-1.poam.json"));
}
