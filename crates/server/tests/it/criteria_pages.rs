//! Criteria sets on their pages: renamed, archived, and their criteria changed, added, moved and
//! deleted, without a word of any run being another one.

use std::collections::BTreeMap;

use assize_engine::accounts::SignIn;
use assize_engine::compliance::evaluate::NamedFile;
use assize_engine::store::{AuditEntry, Instrument, OrganisationId, Role};
use assize_page::app::address::encoded;
use axum::body::Body;
use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::client::{Answer, TestServer, csrf_of, request};

const SETS: &str = "/admin/org/eval/criteria-sets";
const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");

/// A form as a browser sends it.
pub(crate) async fn send_form(server: &TestServer, path: &str, fields: &[(&str, &str)]) -> Answer {
    let page = server.get(SETS).await.text;
    let token = page.split("name=\"csrf\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let mut pairs = vec![format!("csrf={token}")];
    pairs.extend(fields.iter().map(|(name, value)| format!("{name}={}", encoded(value))));
    server.send(request("POST", path, &[FORM], Body::from(pairs.join("&")))).await
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    text.split(start)
        .nth(1)
        .unwrap_or_else(|| panic!("no {start} in {text}"))
        .split(end)
        .next()
        .unwrap()
}

/// A set of three criteria, and its address.
async fn with_set() -> (TestServer, String) {
    let server = TestServer::open().await;
    let list = "id,requirement,category,weight\nA-1,Doors are locked.,Access,2\n\
        A-2,Visitors sign in.,Desk,\nA-3,Keys are counted.,,\n";
    let list = NamedFile { name: "list.csv".to_owned(), bytes: list.as_bytes().to_vec() };
    let ours = server.workspace(&OrganisationId::default_organisation());
    ours.import_criteria_file(&list, "controls", "", &mut |_| {}).await.unwrap();
    let id = between(&server.get(SETS).await.text, "criteria-sets/", "\"").to_owned();
    (server, format!("{SETS}/{id}"))
}

async fn run(server: &TestServer) {
    server.post("/api/v1/document-sets", &json!({"name": "policies"})).await;
    let text = b"Doors are locked. Visitors sign in at the desk.";
    server.upload("/api/v1/document-sets/policies/documents", "p.txt", text).await;
    let run =
        json!({"instrument": "compliance", "criteria_set": "controls", "document_set": "policies"});
    let made = server.post("/api/v1/runs", &run).await;
    assert!(made.status.is_success(), "{}", made.text);
    for _ in 0..200 {
        if server.get("/api/v1/runs/1").await.json()["state"] == "done" {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    panic!("the run does not end");
}

/// The criteria as the API lists them.
async fn items(server: &TestServer) -> Vec<Value> {
    let all = server.get("/api/v1/criteria-sets/controls/items").await.json();
    all.get("items").unwrap_or(&all).as_array().unwrap().clone()
}

async fn names(server: &TestServer) -> Vec<String> {
    let all = items(server).await;
    all.iter().map(|item| item["criteria_id"].as_str().unwrap().to_owned()).collect()
}

/// The address of the editor of a criterion.
async fn editor(server: &TestServer, set: &str, name: &str) -> String {
    let page = server.get(set).await.text;
    let label = format!("aria-label=\"Edit {name}\"");
    let before = page.split(&label).next().unwrap();
    format!(
        "{set}/criteria/{}",
        before.rsplit("/criteria/").next().unwrap().split('"').next().unwrap()
    )
}

async fn audit(server: &TestServer) -> Vec<AuditEntry> {
    let ours = OrganisationId::default_organisation();
    server.state.store.audit().chained(&ours, 0, 1_000).await.unwrap()
}

#[tokio::test]
async fn a_set_is_renamed_and_its_old_name_is_free() {
    let (server, set) = with_set().await;
    let page = server.get(&format!("{set}/edit")).await;
    assert!(page.text.contains("value=\"controls\""), "{}", page.text);
    let done = send_form(&server, &format!("{set}/edit"), &[("name", " Doors & keys ")]).await;
    assert_eq!(done.header("location"), format!("{SETS}?told=renamed"), "{}", done.text);
    assert!(server.get(SETS).await.text.contains("Doors &amp; keys"));
    let entry = audit(&server).await.pop().unwrap();
    assert_eq!(
        (entry.action.as_str(), entry.before, entry.after),
        ("rename", Some(json!("controls")), Some(json!("Doors & keys")))
    );
    // The set that comes by the old name is another one, whose id cannot follow from the name.
    let other = json!({"name": "controls", "criteria": [{"criteria_id": "B", "requirement": "x"}]});
    let made = server.post("/api/v1/criteria-sets", &other).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    assert_eq!(names(&server).await, ["B"]);
    let (too_long, edge) = ("n".repeat(101), "n".repeat(100));
    for (name, words) in [
        ("", "A name is not empty"),
        ("controls", "Criteria set `controls` already exists"),
        (too_long.as_str(), "at most 100 characters, not 101"),
        ("one\ntwo", "a single line"),
    ] {
        let refused = send_form(&server, &format!("{set}/edit"), &[("name", name)]).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{name}");
        assert!(refused.text.contains(words), "{name}: {}", refused.text);
        assert!(refused.text.contains("aria-invalid=\"true\""), "{name}");
        assert!(refused.text.contains(&format!("value=\"{name}\"")), "{name} is not lost");
    }
    let done = send_form(&server, &format!("{set}/edit"), &[("name", &edge)]).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.text);
}

#[tokio::test]
async fn an_archived_set_is_behind_a_link_and_comes_back() {
    let (server, set) = with_set().await;
    run(&server).await;
    assert!(server.get(SETS).await.text.contains("run #1"), "the list says who used it last");
    let done = send_form(&server, &format!("{set}/archive"), &[("on", "yes")]).await;
    assert_eq!(done.header("location"), format!("{SETS}?told=archived"));
    let list = server.get(SETS).await.text;
    assert!(!list.contains(">controls<") && list.contains("Show archived (1)"), "{list}");
    let archived = server.get(&format!("{SETS}?archived=yes")).await.text;
    assert!(archived.contains(">controls<") && archived.contains("Restore"), "{archived}");
    assert!(!server.get("/runs/new").await.text.contains("value=\"controls\""));
    assert_eq!(server.get("/eval/1").await.status, StatusCode::OK, "its runs stay");
    assert_eq!(server.get(&set).await.status, StatusCode::OK);
    send_form(&server, &format!("{set}/archive"), &[("on", "no")]).await;
    assert!(server.get("/runs/new").await.text.contains("value=\"controls\""));
    let actions: Vec<String> = audit(&server).await.into_iter().map(|entry| entry.action).collect();
    assert_eq!(actions[actions.len() - 2..], ["archive", "unarchive"]);
}

#[tokio::test]
async fn a_changed_criterion_changes_no_run_and_is_used_by_the_next() {
    let (server, set) = with_set().await;
    run(&server).await;
    let pages =
        ["/eval/1", "/eval/1/matrix", "/eval/1/results/1", "/api/v1/runs/1/export?format=jsonl"];
    let mut before = Vec::new();
    for path in pages {
        let page = server.get(path).await;
        assert_eq!(page.status, StatusCode::OK, "{path}");
        before.push(page.text);
    }
    assert!(before[1].contains("Access"), "the group of A-1 is in the matrix");
    let editor = editor(&server, &set, "A-1").await;
    let form = server.get(&editor).await.text;
    let etag = between(&form, "name=\"etag\" value=\"", "\"");
    let done = send_form(
        &server,
        &editor,
        &[
            ("etag", etag),
            ("requirement", "Windows are shut.\r\nAll of them."),
            ("description", "Every night"),
            ("category", "Windows"),
            ("weight", "0.5"),
        ],
    )
    .await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.text);
    let item = items(&server).await.remove(0);
    assert_eq!(item["requirement"], "Windows are shut.\nAll of them.");
    assert_eq!((item["category"].as_str(), item["weight"].as_f64()), (Some("Windows"), Some(0.5)));
    for (path, before) in pages.iter().zip(before) {
        assert_eq!(server.get(path).await.text, before, "{path}");
    }
    let entry = audit(&server).await.pop().unwrap();
    assert_eq!((entry.action.as_str(), entry.subject.as_str()), ("update", "criteria set"));
    assert_eq!(
        entry.before.unwrap(),
        json!({"criterion": "A-1", "requirement": "Doors are locked.",
        "description": "", "category": "Access", "weight": 2.0})
    );
    assert_eq!(entry.after.unwrap()["weight"], json!(0.5));
    let next =
        json!({"instrument": "compliance", "criteria_set": "controls", "document_set": "policies"});
    server.post("/api/v1/runs", &next).await;
    let page = server.get("/eval/2/matrix").await.text;
    assert!(page.contains("Windows are shut."), "{page}");
    // Nothing else said is nothing noted; the run that was begun may note something meanwhile.
    let changes = async || {
        let all = audit(&server).await;
        all.into_iter().filter(|entry| entry.subject == "criteria set").count()
    };
    let count = changes().await;
    let form = server.get(&editor).await.text;
    let etag = between(&form, "name=\"etag\" value=\"", "\"");
    send_form(
        &server,
        &editor,
        &[
            ("etag", etag),
            ("requirement", "Windows are shut.\r\nAll of them."),
            ("description", "Every night"),
            ("category", "Windows"),
            ("weight", "0.50"),
        ],
    )
    .await;
    assert_eq!(changes().await, count);
}

#[tokio::test]
async fn two_who_edit_one_criterion_see_both_versions() {
    let (server, set) = with_set().await;
    let (first, second) = (editor(&server, &set, "A-1").await, editor(&server, &set, "A-2").await);
    let etag_of = async |editor: &str| {
        let form = server.get(editor).await.text;
        between(&form, "name=\"etag\" value=\"", "\"").to_owned()
    };
    let (seen, other) = (etag_of(&first).await, etag_of(&second).await);
    let words = |etag: &str, text: &str| {
        [("etag", etag.to_owned()), ("requirement", text.to_owned()), ("weight", "2".to_owned())]
    };
    let save = async |editor: &str, fields: [(&str, String); 3]| {
        let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        send_form(&server, editor, &fields).await
    };
    let done = save(&first, words(&seen, "Ann: doors are bolted.")).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.text);
    let refused = save(&first, words(&seen, "Ben: doors are walled up.")).await;
    assert_eq!(refused.status, StatusCode::PRECONDITION_FAILED);
    for words in ["Ann: doors are bolted.", "Ben: doors are walled up.", "Someone else saved"] {
        assert!(refused.text.contains(words), "{words}: {}", refused.text);
    }
    assert_eq!(items(&server).await[0]["requirement"], "Ann: doors are bolted.");
    // Another criterion of the same set is nobody's conflict, moved or not.
    let item = first.rsplit('/').next().unwrap();
    send_form(&server, &format!("{set}/order"), &[("down", item)]).await;
    let done = save(&second, words(&other, "Visitors wear a badge.")).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.text);
    assert_eq!(names(&server).await, ["A-2", "A-1", "A-3"]);
    // Whoever has seen both may replace.
    let etag = between(&refused.text, "name=\"etag\" value=\"", "\"");
    let done = save(&first, words(etag, "Ben: doors are walled up.")).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.text);
    assert_eq!(items(&server).await[1]["requirement"], "Ben: doors are walled up.");
}

#[tokio::test]
async fn what_is_wrong_is_marked_and_nothing_typed_is_lost() {
    let (server, set) = with_set().await;
    let new = format!("{set}/criteria/new");
    let [line, long] = [101, 20_001].map(|letters| "x".repeat(letters));
    let typed = |field: &'static str, value: &str| {
        let mut all = vec![
            ("id", "N-1".to_owned()),
            ("requirement", "Typed <b>requirement</b>.".to_owned()),
            ("description", "Typed description".to_owned()),
            ("category", "Typed category".to_owned()),
            ("weight", "1.25".to_owned()),
        ];
        all.iter_mut().find(|(name, _)| *name == field).unwrap().1 = value.to_owned();
        all
    };
    for (field, value, words) in [
        ("id", "", "a criterion needs an id"),
        ("id", "A-2", "criterion `A-2` already exists in this set"),
        ("id", line.as_str(), "at most 100 characters are allowed, not 101"),
        ("requirement", " \r\n ", "a criterion needs a requirement"),
        ("requirement", long.as_str(), "at most 20000 characters are allowed, not 20001"),
        ("description", long.as_str(), "at most 20000 characters"),
        ("category", line.as_str(), "at most 100 characters"),
        ("weight", "heavy", "the weight `heavy` is not a number such as 1 or 2.5"),
        ("weight", "-1", "a weight must be 0 or more, not -1"),
        ("weight", "NaN", "is not a number"),
        ("weight", "inf", "at most"),
        ("weight", "1e9", "at most"),
    ] {
        let fields = typed(field, value);
        let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let refused = send_form(&server, &new, &fields).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{field} {words}");
        assert!(refused.text.contains(words), "{field}: {words}: {}", refused.text);
        let marked = format!("aria-invalid=\"true\" aria-describedby=\"{field}-problem\"");
        assert_eq!(refused.text.matches("aria-invalid=\"true\"").count(), 1, "{field} {words}");
        assert!(refused.text.contains(&marked), "{field}: {}", refused.text);
        for (name, kept) in &fields {
            let escaped = kept.replace('<', "&lt;").replace('>', "&gt;");
            assert!(refused.text.contains(escaped.trim()), "{name} is lost when {field} is wrong");
        }
    }
    assert_eq!(names(&server).await, ["A-1", "A-2", "A-3"]);
    let fields = typed("weight", "0");
    let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let done = send_form(&server, &new, &fields).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.text);
    assert_eq!(names(&server).await, ["A-1", "A-2", "A-3", "N-1"]);
    assert_eq!(items(&server).await[3]["weight"], json!(0.0));
    let shown = server.get(&set).await.text;
    assert!(shown.contains("Typed &lt;b&gt;requirement"), "{shown}");
}

#[tokio::test]
async fn criteria_are_moved_by_plain_forms() {
    let (server, set) = with_set().await;
    let order = format!("{set}/order");
    let item = editor(&server, &set, "A-3").await.rsplit('/').next().unwrap().to_owned();
    let done = send_form(&server, &order, &[("from", "0"), ("up", &item)]).await;
    assert_eq!(done.header("location"), format!("{set}?from=0&told=moved#{item}"));
    assert_eq!(names(&server).await, ["A-1", "A-3", "A-2"]);
    let entry = audit(&server).await.pop().unwrap();
    assert_eq!(entry.action, "reorder");
    assert_eq!(entry.before, Some(json!({"criterion": "A-3", "place": 3})));
    assert_eq!(entry.after, Some(json!({"criterion": "A-3", "place": 2})));
    send_form(&server, &order, &[("item", &item), ("place", "1")]).await;
    assert_eq!(names(&server).await, ["A-3", "A-1", "A-2"]);
    let count = audit(&server).await.len();
    send_form(&server, &order, &[("up", &item)]).await;
    assert_eq!(names(&server).await, ["A-3", "A-1", "A-2"], "the first stays the first");
    assert_eq!(audit(&server).await.len(), count);
    send_form(&server, &order, &[("item", &item), ("place", "99")]).await;
    assert_eq!(names(&server).await, ["A-1", "A-2", "A-3"]);
    for place in ["0", "-1", "x", ""] {
        let refused = send_form(&server, &order, &[("item", &item), ("place", place)]).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{place}");
    }
    let missing = send_form(&server, &order, &[("up", "item-none")]).await;
    assert_eq!(missing.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn only_a_criterion_that_nobody_used_is_deleted() {
    let (server, set) = with_set().await;
    let third = editor(&server, &set, "A-3").await;
    let done = send_form(&server, &format!("{third}/delete"), &[]).await;
    assert_eq!(done.header("location"), format!("{set}?told=removed"), "{}", done.text);
    assert_eq!(names(&server).await, ["A-1", "A-2"]);
    let entry = audit(&server).await.pop().unwrap();
    assert_eq!((&entry.before.unwrap()["criterion"], entry.after), (&json!("A-3"), None));
    assert_eq!(server.get(&third).await.status, StatusCode::NOT_FOUND);
    run(&server).await;
    let first = editor(&server, &set, "A-1").await;
    let refused = send_form(&server, &format!("{first}/delete"), &[]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.text.contains("Runs used the criterion `A-1`"), "{}", refused.text);
    assert_eq!(names(&server).await, ["A-1", "A-2"]);
    // What analysts said would go with it.
    send_form(&server, &format!("{set}/criteria/new"), &[("id", "A-4"), ("requirement", "New.")])
        .await;
    let ours = server.workspace(&OrganisationId::default_organisation());
    ours.enter_truth(("controls", "policies"), ("A-4", "p.txt"), 50.0, BTreeMap::new())
        .await
        .unwrap();
    let fourth = editor(&server, &set, "A-4").await;
    let refused = send_form(&server, &format!("{fourth}/delete"), &[]).await;
    assert!(refused.text.contains("The criterion `A-4` has truth keys"), "{}", refused.text);
}

#[tokio::test]
async fn the_last_criterion_stays() {
    let server = TestServer::open().await;
    let set = json!({"name": "controls", "criteria": [{"criteria_id": "A", "requirement": "x"}]});
    server.post("/api/v1/criteria-sets", &set).await;
    let set = format!("{SETS}/{}", between(&server.get(SETS).await.text, "criteria-sets/", "\""));
    let only = editor(&server, &set, "A").await;
    let refused = send_form(&server, &format!("{only}/delete"), &[]).await;
    assert!(refused.text.contains("the only criterion in its set"), "{}", refused.text);
    assert_eq!(names(&server).await, ["A"]);
}

/// What is offered is what is allowed: the route refuses an analyst, and the page does not ask.
#[tokio::test]
async fn an_analyst_reads_and_is_offered_nothing_to_change() {
    let server = TestServer::bound("192.0.2.1:80").await;
    let ours = server.workspace(&OrganisationId::default_organisation());
    ours.make_sample(Instrument::Compliance).await.unwrap();
    let password = "copper lantern seldom varnish";
    ours.add_user("ann", password, Role::Analyst).await.unwrap();
    let with = SignIn { name: "ann", password, address: "", agent: "", code: "" };
    let (session, _) = ours.sign_in(with).await.unwrap();
    let cookie = format!("assize_session={session}");
    let get = async |path: &str| {
        server.send(request("GET", path, &[("cookie", &cookie)], Body::empty())).await
    };
    let list = get(SETS).await.text;
    assert!(!list.contains("/archive") && !list.contains("Rename"), "{list}");
    let set = format!("{SETS}/{}", between(&list, "criteria-sets/", "\""));
    let page = get(&set).await.text;
    assert!(!page.contains("/order") && !page.contains("Edit "), "{page}");
    let headers = [("cookie", cookie.as_str()), FORM];
    let body = Body::from(format!("csrf={}&on=yes", csrf_of(&session)));
    let refused = server.send(request("POST", &format!("{set}/archive"), &headers, body)).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
}
