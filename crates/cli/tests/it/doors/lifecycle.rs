//! Runs that a model judges, over HTTP from start to export: stopped, resumed, decided by a person
//! and scored again, each state compared with what the command line shows and writes.

use std::collections::BTreeSet;
use std::time::Duration;

use assize_engine::store::Instrument;
use assize_injector::{Request, Script};
use assize_testbed::Postgres;
use serde_json::{Value, json};

use super::states::{RUBRIC, Stored};
use crate::clerk::{Clerk, fill_in};
use crate::council_runs::{post, state, until};
use crate::serve::{Server, upload};

/// More than are judged at once, so that a stop finds some that nobody began.
const ITEMS: usize = 40;
/// A reply takes this long, so that a run can be stopped in the middle.
const DELAY: Duration = Duration::from_millis(150);
const POLICY: &str =
    "# Rules\n\nDoors are locked at night by the porter. Visitors sign the book.\n";

/// Fills in the forms of both instruments.
fn answer(request: &Request) -> String {
    let question = request.body["messages"][1]["content"].as_str().unwrap();
    if !question.contains("\nID: ") {
        return fill_in(request, "nothing").to_string();
    }
    let quote = ["Doors are locked at night by the porter."];
    json!({"score": 70, "confidence": 80, "explanation": "The text says so.", "citations": quote})
        .to_string()
}

fn summaries() -> Value {
    let pair = |number: usize| {
        json!({"id": format!("pair {number}"), "summary": "The ferry was late on Monday.",
            "article": format!("Ferry {number} to Mull was late on Monday. Nobody was hurt.")})
    };
    json!({"instrument": "summary", "judge": "local/tiny", "framework": "judge-lock",
        "pairs": (0..ITEMS).map(pair).collect::<Vec<_>>()})
}

/// Makes the sets of a compliance run.
fn documents(server: &Server) -> Value {
    let criterion = |number: usize| {
        let requirement = format!("Doors of house {number} are locked at night.");
        json!({"criteria_id": format!("D-{number}"), "requirement": requirement})
    };
    let criteria: Vec<Value> = (0..ITEMS).map(criterion).collect();
    post(server, "/api/v1/criteria-sets", &json!({"name": "doors", "criteria": criteria}), 201);
    post(server, "/api/v1/document-sets", &json!({"name": "rules"}), 201);
    upload(server, "rules", "policy.md", POLICY);
    json!({"instrument": "compliance", "judge": "local/tiny", "criteria_set": "doors",
        "document_set": "rules"})
}

/// Begins a run, stops it in the middle and resumes it to its end. Nothing is asked twice.
fn stopped_and_resumed(server: &Server, clerk: &Clerk, number: i64, run: &Value) {
    let before = clerk.server.seen();
    let path = format!("/api/v1/runs/{number}");
    assert_eq!(post(server, "/api/v1/runs", run, 201)["number"], number);
    until("the first replies", || server.json(&path)["done"].as_i64() > Some(0));
    assert_eq!(post(server, &format!("{path}/stop"), &json!({}), 200)["state"], "stopped");
    // What is under way is committed; then nobody is asked any more.
    let mut seen = 0;
    until("silence", || {
        std::thread::sleep(DELAY * 8);
        std::mem::replace(&mut seen, clerk.server.seen()) == clerk.server.seen()
    });
    let stopped = server.json(&path);
    let items = i64::try_from(ITEMS).unwrap();
    assert_eq!((&stopped["state"], &stopped["items"]), (&json!("stopped"), &json!(items)));
    assert!((1..items).contains(&stopped["done"].as_i64().unwrap()), "{stopped}");
    // Whoever worked on it may not have left yet.
    until("somebody to resume", || server.ask("POST", &format!("{path}/resume"), "{}").0 == 202);
    until("the end", || state(server, number) == "done");
    let done = server.json(&path);
    assert_eq!((&done["done"], &done["unscored"]), (&json!(items), &json!(0)), "{done}");
    let asked: Vec<String> = clerk.server.requests()[usize::try_from(before).unwrap()..]
        .iter()
        .map(|request| request.body["messages"].to_string())
        .collect();
    let distinct: BTreeSet<&String> = asked.iter().collect();
    assert_eq!(distinct.len(), asked.len(), "run {number} asked for something twice");
}

fn from_start_to_export(database: Option<String>) {
    let folder = tempfile::tempdir().unwrap();
    let clerk = Clerk::start(Script::answering(answer).after(DELAY));
    // A stop is looked for every few seconds: two at once leave something to stop.
    let settings =
        format!("[models]\nconcurrency = 2\n[endpoints.local]\nbase_url = \"{}\"\n", clerk.url());
    std::fs::write(folder.path().join("assize.toml"), settings).unwrap();
    let file = folder.path().join("assize.db").to_str().unwrap().to_owned();
    let database = database.unwrap_or(file);
    let server = Server::start(folder.path(), &["--database", &database]);
    let stored = Stored { server, database, folder };
    let server = &stored.server;
    let rubric: Value = serde_json::from_str(RUBRIC).unwrap();
    for (number, instrument, measure, run, again) in [
        (1, Instrument::Summary, "coverage", summaries(), json!({"framework": "twin-lock"})),
        (2, Instrument::Compliance, "score", documents(server), json!({"rubric": rubric})),
    ] {
        stopped_and_resumed(server, &clerk, number, &run);
        stored.agrees((number, instrument), measure, "resumed to its end");
        stored.decide(number, measure, Some(1.0));
        stored.agrees((number, instrument), measure, "decided");
        let seen = clerk.server.seen();
        let version = post(server, &format!("/api/v1/runs/{number}/rescore"), &again, 200);
        assert_eq!((&version["version"], clerk.server.seen()), (&json!(2), seen));
        stored.agrees((number, instrument), measure, "decided and rescored over HTTP");
    }
}

#[test]
fn a_run_by_a_model_is_stopped_resumed_and_exported_over_http_on_sqlite() {
    from_start_to_export(None);
}

#[test]
fn a_run_by_a_model_is_stopped_resumed_and_exported_over_http_on_postgresql() {
    let server = Postgres::start();
    from_start_to_export(Some(server.database()));
}
