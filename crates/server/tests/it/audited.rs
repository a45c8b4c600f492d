//! Every change leaves one entry in the audit, whoever makes it and by whatever way.

use std::collections::BTreeMap;
use std::time::Duration;

use assize_engine::Workspace;
use assize_engine::accounts::SignIn;
use assize_engine::asking::{Limit, Stop};
use assize_engine::compliance::ComplianceRequest;
use assize_engine::compliance::criteria;
use assize_engine::compliance::evaluate::{Evaluation, NamedFile};
use assize_engine::compliance::intake::{Reading, read_truth};
use assize_engine::runs::RescoreRequest;
use assize_engine::runs::decide::DecisionRequest;
use assize_engine::runs::people::NewLabel;
use assize_engine::store::{AuditEntry, OrganisationId, Place, RetryFilter, Role, origin};
use assize_engine::workplace::rubric::drafted;
use axum::http::StatusCode;
use serde_json::json;
use tempfile::TempDir;

use crate::client::TestServer;

const ADDRESS: &str = "10.0.0.7";
const SETS: (&str, &str) = ("doors", "policies");
const PASSWORD: &str = "correct horse battery staple";

/// What happened since it was last looked.
struct Watch {
    workspace: Workspace,
    seen: i64,
    _folder: TempDir,
}

impl Watch {
    async fn begin() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::from(&folder.path().join("audited.db"));
        let workspace = Workspace {
            who: "ann".to_owned(),
            address: Some(ADDRESS.to_owned()),
            ..Workspace::open(place).await.unwrap()
        };
        Self { workspace, seen: 0, _folder: folder }
    }

    async fn since(&mut self) -> Vec<AuditEntry> {
        let audit = self.workspace.store.audit();
        let new = audit.chained(&self.workspace.organisation, self.seen, 100).await.unwrap();
        self.seen += i64::try_from(new.len()).unwrap();
        new
    }

    /// Just these entries, each by whoever the workspace acts for and from where they come.
    async fn expect(&mut self, expected: &[(&str, &str)]) {
        let new = self.since().await;
        let found: Vec<_> = new.iter().map(|e| (e.action.as_str(), e.subject.as_str())).collect();
        assert_eq!(found, expected);
        for entry in &new {
            assert_eq!(entry.who, self.workspace.who, "{entry:?}");
            assert_eq!(entry.address.as_deref(), Some(ADDRESS), "{entry:?}");
            assert!(!entry.subject_id.is_empty(), "{entry:?}");
            let size = |value: &Option<serde_json::Value>| value.as_ref().map(ToString::to_string);
            let words = [size(&entry.before), size(&entry.after)].into_iter().flatten();
            for words in words {
                assert!(!words.contains("SECRET WORDS"), "no text of documents: {words}");
            }
        }
    }

    async fn verify(&self) {
        let chain =
            self.workspace.store.audit().verify(&self.workspace.organisation).await.unwrap();
        assert_eq!((chain.flaw, chain.entries), (None, self.seen));
    }
}

fn file(name: &str, text: &str) -> NamedFile {
    NamedFile { name: name.to_owned(), bytes: text.as_bytes().to_vec() }
}

async fn fill(watch: &mut Watch) {
    let workspace = watch.workspace.clone();
    let list = file("list.csv", "id,requirement\nA-1,Doors are locked.\nA-2,Keys are counted.\n");
    workspace.import_criteria_file(&list, SETS.0, "", &mut |_| {}).await.unwrap();
    watch.expect(&[("import", "criteria set")]).await;
    let files = vec![
        file("one.txt", "Doors are locked. SECRET WORDS."),
        file("two.txt", "Keys are counted. SECRET WORDS."),
    ];
    workspace.keep_documents(SETS.1, files.clone()).await.unwrap();
    watch.expect(&[("insert", "document set"), ("upload", "document set")]).await;
    workspace.keep_documents(SETS.1, files).await.unwrap();
    watch.expect(&[]).await;
    workspace.keep_documents(SETS.1, vec![file("three.txt", "Windows are shut.")]).await.unwrap();
    watch.expect(&[("upload", "document")]).await;
}

fn evaluation() -> Evaluation {
    Evaluation {
        criteria: SETS.0.to_owned(),
        criteria_file: None,
        documents: SETS.1.to_owned(),
        document_files: Vec::new(),
        request: ComplianceRequest::default(),
    }
}

async fn judge(watch: &mut Watch) {
    let workspace = watch.workspace.clone();
    let planned = origin::coming_from(Some(ADDRESS.to_owned()), async {
        workspace.begin_evaluation(evaluation()).await.unwrap().0
    });
    let run = planned.await;
    watch.expect(&[("create", "run")]).await;
    let session = workspace.rule_session(Stop::default()).await.unwrap();
    Box::pin(workspace.work(&run.id, &session, None, |_| {})).await.unwrap();
    watch.expect(&[("start", "run")]).await;
}

#[tokio::test]
async fn every_change_of_a_set_is_one_entry() {
    let mut watch = Watch::begin().await;
    fill(&mut watch).await;
    let workspace = watch.workspace.clone();
    let set = workspace.criteria_set(SETS.0).await.unwrap();
    let rubric = criteria::rubric(&set).unwrap();
    let view = workspace.rubric_view(set.id.as_str(), None).await.unwrap();
    let mut tiers = drafted(&rubric);
    tiers[0].label = "Nothing".to_owned();
    workspace.save_rubric(set.id.as_str(), tiers, &view.etag).await.unwrap();
    watch.expect(&[("update", "criteria set")]).await;
    let view = workspace.structure_view(set.id.as_str(), None).await.unwrap();
    let sections = Workspace::default_structure();
    workspace.save_structure(set.id.as_str(), &sections, &view.etag).await.unwrap();
    watch.expect(&[("update", "criteria set")]).await;
    let mut set = workspace.criteria_set(SETS.0).await.unwrap();
    workspace.set_rubric(&mut set, None).await.unwrap();
    watch.expect(&[("update", "criteria set")]).await;
    workspace.set_structure(&mut set, None).await.unwrap();
    watch.expect(&[("update", "criteria set")]).await;
    let versions = workspace.set_versions(&set, None, 10).await.unwrap();
    assert_eq!(versions.items.len(), 5, "what is edited in the browser is among them");
    let body = workspace.find_template("default").await.unwrap().body;
    watch.expect(&[]).await;
    let template = workspace.add_template("ours", &format!("{body}\n")).await.unwrap();
    watch.expect(&[("insert", "template")]).await;
    workspace.add_template("ours", &format!("{body}\n")).await.unwrap();
    watch.expect(&[]).await;
    workspace.choose_template(&mut set, Some(&template)).await.unwrap();
    watch.expect(&[("template", "criteria set")]).await;
    workspace.rename_criteria_set(set, "gates").await.unwrap();
    watch.expect(&[("rename", "criteria set")]).await;
    let set = workspace.criteria_set("gates").await.unwrap();
    workspace.archive_criteria_set(set.clone(), true).await.unwrap();
    watch.expect(&[("archive", "criteria set")]).await;
    workspace.delete_criteria_set(&set).await.unwrap();
    watch.expect(&[("delete", "criteria set")]).await;
    let files = workspace.document_set(SETS.1).await.unwrap();
    workspace.rename_document(&files, "one.txt", "first.txt").await.unwrap();
    workspace.archive_document(&files, "first.txt", true).await.unwrap();
    workspace.delete_document(&files, "first.txt").await.unwrap();
    watch.expect(&[("rename", "document"), ("archive", "document"), ("delete", "document")]).await;
    workspace.rename_document_set(files, "papers").await.unwrap();
    let files = workspace.document_set("papers").await.unwrap();
    workspace.archive_document_set(files.clone(), true).await.unwrap();
    workspace.delete_document_set(&files).await.unwrap();
    let what = "document set";
    watch.expect(&[("rename", what), ("archive", what), ("delete", what)]).await;
    watch.verify().await;
}

#[tokio::test]
async fn every_change_of_a_run_is_one_entry() {
    let mut watch = Watch::begin().await;
    fill(&mut watch).await;
    judge(&mut watch).await;
    let workspace = watch.workspace.clone();
    let run = workspace.find_run("1").await.unwrap();
    workspace.rename_run(&run, "first").await.unwrap();
    workspace.tag_run(&run, &["night".to_owned()], &[]).await.unwrap();
    workspace.set_baseline(&run, true).await.unwrap();
    workspace.archive_run(&run, false).await.unwrap();
    let what = "run";
    watch.expect(&[("rename", what), ("tag", what), ("baseline", what), ("unarchive", what)]).await;
    workspace.approve_run(&run, "ann", "").await.unwrap();
    workspace.withdraw_approval(&run, "ann", "").await.unwrap();
    watch.expect(&[("approve", what), ("withdraw approval", what)]).await;
    workspace.assign("1", &["A-1".to_owned()], Some("ann")).await.unwrap();
    watch.expect(&[("assign", what)]).await;
    workspace.retry_run(&run, &RetryFilter { only_failed: true, because: None }).await.unwrap();
    watch.expect(&[("retry", what)]).await;
    let set = workspace.criteria_set(SETS.0).await.unwrap();
    let rubric = serde_json::to_value(criteria::rubric(&set).unwrap()).ok();
    let again = RescoreRequest { rubric, ..RescoreRequest::default() };
    let from = || Some(ADDRESS.to_owned());
    origin::coming_from(from(), workspace.rescore(&run, &again)).await.unwrap();
    watch.expect(&[("rescore", what)]).await;
    workspace.set_day_ceiling(Limit::Tokens(1_000)).await.unwrap();
    workspace.remove_day_ceiling().await.unwrap();
    watch.expect(&[("update", "day ceiling"), ("update", "day ceiling")]).await;
    workspace.delete_run(&run).await.unwrap();
    watch.expect(&[("delete", what)]).await;
    judge(&mut watch).await;
    let sample = workspace.begin_evaluation(evaluation()).await.unwrap().0;
    let sample = workspace.find_run(sample.id.as_str()).await.unwrap();
    watch.since().await;
    workspace.queue_run(&sample, 0, None).await.unwrap();
    workspace.stop_run(&sample).await.unwrap();
    watch.expect(&[("queue", what), ("stop", what)]).await;
    let session = workspace.rule_session(Stop::default()).await.unwrap();
    Box::pin(workspace.work(&sample.id, &session, None, |_| {})).await.unwrap();
    watch.expect(&[("resume", what)]).await;
    watch.verify().await;
}

#[tokio::test]
async fn every_word_of_a_person_is_one_entry() {
    let mut watch = Watch::begin().await;
    fill(&mut watch).await;
    judge(&mut watch).await;
    let workspace = watch.workspace.clone();
    let run = workspace.find_run("1").await.unwrap();
    let score = |score| DecisionRequest {
        score: Some(score),
        reason: "read".to_owned(),
        ..DecisionRequest::default()
    };
    workspace.decide(&run, 0, &score(35.0)).await.unwrap();
    let entry = watch.since().await.pop().unwrap();
    assert_eq!((entry.action.as_str(), entry.subject.as_str()), ("override", "result"));
    assert_eq!((entry.before, entry.after.unwrap()["score"].as_f64()), (None, Some(35.0)));
    workspace.decide(&run, 0, &score(45.0)).await.unwrap();
    let entry = watch.since().await.pop().unwrap();
    assert_eq!(entry.before.unwrap()["score"].as_f64(), Some(35.0));
    let sections = BTreeMap::from([("explanation".to_owned(), "SECRET WORDS".to_owned())]);
    let words =
        DecisionRequest { sections, reason: "read".to_owned(), ..DecisionRequest::default() };
    workspace.decide(&run, 1, &words).await.unwrap();
    watch.expect(&[("override", "result")]).await;
    let back = DecisionRequest {
        is_withdrawal: true,
        reason: "mistaken".to_owned(),
        ..DecisionRequest::default()
    };
    workspace.decide(&run, 0, &back).await.unwrap();
    watch.expect(&[("revert", "result")]).await;
    // What the judge says is no truth key; what a person decides is.
    workspace.make_truth(&run, 0).await.unwrap_err();
    watch.expect(&[]).await;
    workspace.decide(&run, 0, &score(45.0)).await.unwrap();
    watch.expect(&[("override", "result")]).await;
    workspace.make_truth(&run, 0).await.unwrap();
    workspace.enter_truth(SETS, ("A-1", "one.txt"), 80.0, BTreeMap::new()).await.unwrap();
    watch.expect(&[("set", "truth key"), ("set", "truth key")]).await;
    let keys = "document,criteria_id,expected_score\none.txt,A-2,10\ntwo.txt,A-2,90\n";
    let read = read_truth(keys.as_bytes(), "keys.csv").unwrap();
    let sets = (
        workspace.document_set(SETS.1).await.unwrap(),
        workspace.criteria_set(SETS.0).await.unwrap(),
    );
    workspace.import_truth((&sets.0, &sets.1), &read.items, Some("ben")).await.unwrap();
    watch.expect(&[("import", "truth keys")]).await;
    workspace.settle(SETS, ("A-2", "one.txt"), (Some(20.0), None), "agreed").await.unwrap();
    watch.expect(&[("adjudicate", "truth key")]).await;
    workspace.comment(&run, 1, "see page 3").await.unwrap();
    watch.expect(&[("comment", "run item")]).await;
    origin::coming_from(Some(ADDRESS.to_owned()), async {
        workspace.rate("1", 1, Some(70.0), None).await.unwrap();
        let label = |position| NewLabel {
            position,
            measure: "score".to_owned(),
            value: Some(50.0),
            label: None,
            note: None,
        };
        workspace.add_labels(&run, vec![label(0), label(1), label(2)]).await.unwrap();
    })
    .await;
    watch.expect(&[("rate", "run item"), ("rate", "run")]).await;
    let list = file("list.csv", "id,requirement\nA-9,Windows are shut.\n");
    let reading = Reading::default();
    workspace.import_criteria_file_by(&list, &reading, ("w", ""), &mut |_| {}).await.unwrap();
    watch.expect(&[("import", "criteria set")]).await;
    watch.verify().await;
}

#[tokio::test]
async fn signing_in_is_one_entry_right_or_wrong() {
    let mut watch = Watch::begin().await;
    let workspace = watch.workspace.clone();
    workspace.add_user("ann", PASSWORD, Role::Analyst).await.unwrap();
    watch.expect(&[("insert", "user")]).await;
    let sign_in = |name, password| SignIn { name, password, address: ADDRESS, agent: "", code: "" };
    workspace.sign_in(sign_in("ann", PASSWORD)).await.unwrap();
    watch.expect(&[("sign in", "user")]).await;
    assert!(workspace.sign_in(sign_in("ann", "SECRET WORDS")).await.is_err());
    watch.expect(&[("refuse", "user")]).await;
    assert!(workspace.sign_in(sign_in("SECRET WORDS", "x")).await.is_err());
    watch.expect(&[("refuse", "sign-in")]).await;
    watch.verify().await;
}

#[tokio::test]
async fn signing_out_is_one_entry_by_whoever_was_signed_in() {
    let mut watch = Watch::begin().await;
    let workspace = watch.workspace.clone();
    workspace.add_user("ann", PASSWORD, Role::Analyst).await.unwrap();
    let with = SignIn { name: "ann", password: PASSWORD, address: ADDRESS, agent: "", code: "" };
    let (token, _) = workspace.sign_in(with).await.unwrap();
    watch.expect(&[("insert", "user"), ("sign in", "user")]).await;
    // The server itself looks sessions up before it knows who asks.
    let server = Workspace { who: "server".to_owned(), ..workspace };
    server.sign_out(&token).await.unwrap();
    watch.expect(&[("sign out", "user")]).await;
    server.sign_out(&token).await.unwrap();
    watch.expect(&[]).await;
    watch.verify().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_started_over_the_network_is_noted_and_counted() {
    let server = TestServer::open().await;
    let workspace = server.workspace(&OrganisationId::default_organisation());
    let list = file("list.csv", "id,requirement\nA-1,Doors are locked.\n");
    workspace.import_criteria_file(&list, SETS.0, "", &mut |_| {}).await.unwrap();
    let made = server.post("/api/v1/document-sets", &json!({"name": SETS.1})).await;
    assert_eq!(made.status, StatusCode::CREATED);
    let path = format!("/api/v1/document-sets/{}/documents", SETS.1);
    assert_eq!(server.upload(&path, "one.txt", b"Doors are locked.").await.status.as_u16(), 201);
    workspace.begin_evaluation(evaluation()).await.unwrap();
    let started = server.post("/api/v1/runs/1/start", &json!({})).await;
    assert_eq!(started.status, StatusCode::ACCEPTED, "{}", started.text);
    let counted = "assize_items_finished_total 1";
    for _ in 0..200 {
        if server.get("/metrics").await.text.contains(counted) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(server.get("/metrics").await.text.contains(counted));
    let audit = server.get("/api/v1/audit").await.json();
    let found: Vec<_> = audit["items"].as_array().unwrap().iter().rev().collect();
    let found: Vec<_> = found.iter().map(|e| [&e["action"], &e["subject"], &e["who"]]).collect();
    let expected = [
        ["import", "criteria set", "operator"],
        ["insert", "document set", "local"],
        ["upload", "document", "local"],
        ["create", "run", "operator"],
        ["start", "run", "local"],
    ];
    assert_eq!(found, expected);
}
