//! Runs scored another way and labels corrected, on their pages.

use assize_engine::store::{Instrument, OrganisationId};
use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::client::TestServer;
use crate::criteria_pages::send_form;

const ARTICLE: &str = "The bridge opened in 1932. It cost nine million pounds.";

/// Runs 1 and 2 are the same summaries, judged by rules for Judge-Lock, run 3 for Twin-Lock; the
/// second pair has a wrong year.
async fn with_summaries() -> TestServer {
    let server = TestServer::open().await;
    let pair = |id: &str, year: &str| {
        let summary = format!("The bridge opened in {year}.");
        json!({"id": id, "article": ARTICLE, "summary": summary})
    };
    let pairs = [pair("a", "1932"), pair("b", "1950")];
    for framework in ["judge-lock", "judge-lock", "twin-lock"] {
        let run = json!({"instrument": "summary", "framework": framework, "pairs": pairs});
        assert_eq!(server.post("/api/v1/runs", &run).await.status, StatusCode::CREATED);
    }
    server
}

async fn item(server: &TestServer, run: i64, position: i64) -> Value {
    let found = server.get(&format!("/api/v1/runs/{run}/items/{position}")).await;
    assert_eq!(found.status, StatusCode::OK, "{}", found.text);
    found.json()
}

async fn version(server: &TestServer, run: i64) -> i64 {
    server.get(&format!("/api/v1/runs/{run}")).await.json()["version"].as_i64().unwrap()
}

#[tokio::test]
async fn summaries_are_counted_by_another_framework_as_the_api_does_it() {
    let server = with_summaries().await;
    let page = server.get("/runs/1").await.text;
    assert!(page.contains("/runs/1/rescore\"") && !page.contains("Retry unscored"), "{page}");
    let form = server.get("/runs/1/rescore").await.text;
    let now = form.split("Currently ").nth(1).unwrap().split(". ").next().unwrap().to_owned();
    assert!(!form.contains(&format!("<option value=\"{now}\"")), "{form}");
    let wanted = form.split("<option value=\"").nth(1).unwrap().split('"').next().unwrap();
    let refused = send_form(&server, "/runs/1/rescore", &[("framework", &now)]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        refused.text.contains("Choose a framework other than the current one"),
        "{}",
        refused.text
    );
    let fields = [("framework", wanted), ("reason", "as the board counts")];
    let done = send_form(&server, "/runs/1/rescore", &fields).await;
    let by_api = server.post("/api/v1/runs/2/rescore", &json!({"framework": wanted})).await;
    assert_eq!((wanted, by_api.status), ("twin-lock", StatusCode::OK), "{}", by_api.text);
    assert_eq!(done.header("location"), "/runs/1?told=rescored", "{}", done.text);
    for position in 0..2 {
        let scores = item(&server, 1, position).await["scores"].clone();
        assert_eq!(scores, item(&server, 2, position).await["scores"]);
    }
    let page = server.get("/runs/1").await.text;
    for words in ["as the board counts", "href=\"/runs/1?version=1\"", wanted] {
        assert!(page.contains(words), "{words}: {page}");
    }
    let first = server.get("/runs/1?version=1").await.text;
    assert!(first.contains("version 2 is current") && first.contains(&now), "{first}");
    assert_eq!(server.get("/runs/1?version=3").await.status, StatusCode::UNPROCESSABLE_ENTITY);
    // Evidence without questions is not offered to who counts them.
    let form = server.get("/runs/3/rescore").await.text;
    assert!(form.contains("There is nothing to score again"), "{form}");
    // The page of a pair counts by the framework that counts.
    let pair = server.get("/runs/1/items/2").await.text;
    let score = item(&server, 1, 1).await["scores"]["hallucination"].as_f64().unwrap();
    assert!(pair.contains(&format!("{score:.2}")), "{score}: {pair}");
}

/// The judge's evidence of run 2 with the label that a person would write into a file.
async fn rescored_by_file(server: &TestServer) {
    let mut evidence = item(server, 2, 1).await["evidence"].clone();
    // The sentence with its error, which counts once.
    let claims = evidence["hallucination"]["claims"].as_array_mut().unwrap();
    let labels: Vec<_> = claims.iter().map(|claim| claim["support"].clone()).collect();
    assert_eq!(labels, ["unsupported"]);
    claims[0]["support"] = json!("supported");
    claims[0]["extraneous_tokens"] = json!(0);
    claims[0]["soft_support"] = Value::Null;
    // A supported claim has no token that the article does not back.
    evidence["totals"]["extraneous_tokens"] = json!(0);
    let line =
        json!({"id": "b", "framework": "judge-lock", "judge": "rules", "evidence": evidence});
    let again = json!({"evidence": [line], "reason": "by a file"});
    let done = server.post("/api/v1/runs/2/rescore", &again).await;
    assert_eq!(done.status, StatusCode::OK, "{}", done.text);
}

#[tokio::test]
async fn a_corrected_label_gives_the_score_that_an_evidence_file_gives() {
    let server = with_summaries().await;
    let judged = item(&server, 1, 1).await;
    let page = server.get("/runs/1/items/2").await.text;
    assert!(page.contains("name=\"label\"") && !page.contains("id=\"by-labels\""), "{page}");
    let labels = "/runs/1/items/2/labels";
    let tried = send_form(&server, labels, &[("act", "try"), ("label", "supported")]).await;
    assert_eq!(tried.status, StatusCode::OK);
    assert!(tried.text.contains("nothing is saved yet"), "{}", tried.text);
    assert_eq!(version(&server, 1).await, 1);
    let keep = async |version: &str, label: &str, reason: &str| {
        let fields = [("act", "keep"), ("version", version), ("reason", reason), ("label", label)];
        send_form(&server, labels, &fields).await
    };
    for (label, reason, words) in [
        ("supported", " ", "A correction needs a reason"),
        ("unsupported", "x", "No label was changed"),
        ("true", "x", "`true` is not one of supported, partial, unsupported"),
    ] {
        let refused = keep("1", label, reason).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{words}");
        assert!(refused.text.contains(words), "{words}: {}", refused.text);
    }
    let done = keep("1", "supported", "1950 is the year of the second bridge").await;
    assert_eq!(done.header("location"), "/runs/1/items/2?told=corrected#labels", "{}", done.text);
    rescored_by_file(&server).await;
    let corrected = item(&server, 1, 1).await["scores"].clone();
    assert_eq!(corrected, item(&server, 2, 1).await["scores"]);
    assert_ne!(corrected, judged["scores"]);
    assert_eq!(item(&server, 1, 0).await["scores"], item(&server, 2, 0).await["scores"]);
    let page = server.get("/runs/1/items/2").await.text;
    for (name, scores) in [("judge", &judged["scores"]), ("now", &corrected)] {
        let value = format!("{:.2}", scores["hallucination"].as_f64().unwrap());
        assert!(page.contains(&value), "{name} {value}: {page}");
    }
    for words in
        ["corrected by a person", "labels corrected", "claim 1 is supported", "second bridge"]
    {
        assert!(page.contains(words), "{words}: {page}");
    }
    assert!(!page.contains("extraneous_tokens"), "no evidence as JSON");
    let stale = keep("1", "partial", "I looked before").await;
    assert_eq!(stale.status, StatusCode::PRECONDITION_FAILED);
    assert!(stale.text.contains("again while you were editing"), "{}", stale.text);
    assert_eq!(version(&server, 1).await, 2);
    let back = keep("2", "unsupported", "It is the first bridge after all").await;
    assert_eq!(back.status, StatusCode::SEE_OTHER, "{}", back.text);
    let again = item(&server, 1, 1).await;
    assert_eq!((&again["scores"], &again["evidence"]), (&judged["scores"], &judged["evidence"]));
}

#[tokio::test]
async fn labels_follow_the_rubric_of_the_set_as_it_is_today() {
    let server = TestServer::open().await;
    let workspace = server.workspace(&OrganisationId::default_organisation());
    workspace.make_sample(Instrument::Compliance).await.unwrap();
    let same = server.get("/runs/1/rescore").await.text;
    assert!(same.contains("There is nothing to score again"), "{same}");
    let refused = send_form(&server, "/runs/1/rescore", &[]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    let scores = server.get("/eval/1/lines.csv").await.text;
    let sets = server.get("/admin/org/eval/criteria-sets").await.text;
    let set = sets.split("criteria-sets/").nth(1).unwrap().split('"').next().unwrap();
    let view = workspace.rubric_view(set, None).await.unwrap();
    let mut tiers = view.draft.tiers.clone();
    let old = std::mem::replace(&mut tiers[0].label, "Nowhere near".to_owned());
    workspace.save_rubric(set, tiers, &view.etag).await.unwrap();
    assert!(!server.get("/eval/1").await.text.contains("Nowhere near"), "a run keeps its rubric");
    let done = send_form(&server, "/runs/1/rescore", &[("reason", "new words")]).await;
    assert_eq!(done.header("location"), "/eval/1?told=rescored", "{}", done.text);
    let page = server.get("/eval/1").await.text;
    assert!(page.contains("Nowhere near") && page.contains("Label version 2"), "{page}");
    assert!(!page.contains(&format!(">{old}<")), "{page}");
    let after = server.get("/eval/1/lines.csv").await.text;
    assert_eq!(after.replace("Nowhere near", &old), scores, "every number stays");
    let csv = server.get("/runs/1/export?format=csv").await.text;
    let is_old = csv.contains(&format!(",{old},"));
    assert!(csv.contains("Nowhere near") && !is_old, "what leaves says the same: {csv}");
}

#[tokio::test]
async fn stored_files_are_scored_at_another_k_as_the_api_does_it() {
    let server = TestServer::open().await;
    let workspace = server.workspace(&OrganisationId::default_organisation());
    // Each makes two runs, of a search by words and of a hybrid one.
    for _ in 0..2 {
        workspace.make_sample(Instrument::Retrieval).await.unwrap();
    }
    let page = server.get("/runs/1").await.text;
    assert!(page.contains("/runs/1/rescore\"") && !page.contains("/retry"), "{page}");
    for (path, fields, words) in [
        ("retry", &[][..], "saved only when finished"),
        ("rescore", &[], "Nothing would change"),
        ("rescore", &[("k", "0")], "`0` is not a whole number of 1 or more"),
        ("rescore", &[("level", "high")], "`high` is not a whole number"),
        ("rescore", &[("measures", "charm@3")], "charm"),
        ("rescore", &[("k", "3"), ("framework", "twin-lock")], "run #1 is a retrieval run"),
    ] {
        let refused = send_form(&server, &format!("/runs/1/{path}"), fields).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{path} {fields:?}");
        assert!(refused.text.contains(words), "{path} {fields:?}: {}", refused.text);
        for (name, typed) in fields.iter().filter(|(name, _)| *name != "framework") {
            let value = format!("name=\"{name}\" maxlength=\"500\" value=\"{typed}\"");
            assert!(refused.text.contains(&value), "{value}: {}", refused.text);
        }
    }
    let again = json!({"retrieval": {"measures": ["recall", "ndcg"], "k": [3, 1]}});
    let by_api = server.post("/api/v1/runs/3/rescore", &again).await;
    assert_eq!(by_api.status, StatusCode::OK, "{}", by_api.text);
    let done = send_form(&server, "/runs/1/rescore", &[("measures", "recall, ndcg"), ("k", "3,1")]);
    assert_eq!(done.await.header("location"), "/runs/1?told=rescored");
    let view = async |run: i64| server.get(&format!("/api/v1/runs/{run}")).await.json();
    let (by_page, by_api) = (view(1).await, by_api.json());
    for field in ["version", "configuration", "means", "page"] {
        assert_eq!(by_page[field], by_api[field], "{field}");
    }
    assert_eq!(by_page["versions"][0]["reason"], by_api["versions"][0]["reason"]);
    assert!(server.get("/runs/1").await.text.contains("recall@3"));
    let refused = send_form(&server, "/runs/1/items/1/labels", &[("act", "keep")]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.text);
}
