//! A run stores the request that made it, whichever door it came through; explaining and
//! rescoring read it again.

use assize_injector::{Request, Script};
use serde_json::{Value, json};

use super::{Doors, Run};
use crate::clerk::{Clerk, fill_in};
use crate::support::assize;

/// The run with that number, as programs see it.
fn configuration(doors: &Doors, run: i64) -> Value {
    doors.server.json(&format!("/api/v1/runs/{run}"))["configuration"].clone()
}

/// Saved through the command line and through HTTP with one request: the same configuration, the
/// same values, the same page for a query, and the same rescore.
#[test]
fn a_retrieval_run_is_explained_and_rescored_with_its_own_request() {
    let doors = Doors::open(&[], &[]);
    let run = Run::passages();
    let options = json!({"k": 2, "ndcg_unclipped": true, "resamples": 10});
    let database = doors.path("assize.db");
    let mut command = run.asking(&options).command;
    command.extend(["--save", "--database", &database].map(ToOwned::to_owned));
    let said = assize(&command.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(said.code, 0, "{}", said.stderr);
    let input = json!({"predictions": run.predictions, "gold": run.gold, "settings": options});
    let body = json!({"instrument": "retrieval", "name": "sent", "input": input});
    let (status, sent) = doors.post("/api/v1/runs", &body);
    assert_eq!((status, &sent["number"]), (201, &json!(2)), "{sent}");
    let typed = configuration(&doors, 1);
    assert_eq!((&typed["k"], &typed["ndcg_unclipped"]), (&json!(2), &json!(true)), "{typed}");
    assert_eq!(typed, configuration(&doors, 2));
    for number in [1, 2] {
        let page = doors.server.ask("GET", &format!("/runs/{number}/items/1"), "").1;
        assert!(page.contains("recall@2"), "run {number}: {page}");
        assert!(!page.contains("recall@10"), "run {number} is explained at another k: {page}");
        let again = ["runs", "rescore", &number.to_string(), "--k", "3", "--database", &database];
        let said = assize(&again);
        assert_eq!(said.code, 0, "run {number}: {}", said.stderr);
        assert!(said.stdout.contains("recall@3"), "run {number}: {}", said.stdout);
    }
    let change = json!({"retrieval": {"k": [1, 2]}});
    let (status, view) = doors.post("/api/v1/runs/2/rescore", &change);
    assert_eq!(status, 200, "{view}");
    let again = configuration(&doors, 2);
    assert_eq!((&again["k"], &again["ndcg_unclipped"]), (&json!([1, 2]), &json!(true)), "{again}");
}

#[test]
fn a_summary_run_stores_what_it_was_judged_with() {
    let doors = Doors::open(&[], &[]);
    let pair = json!({"article": "It rained on Mull. It was cold.", "summary": "It rained."});
    let options = json!({"framework": "judge-lock", "overlap": "whole_article"});
    let mut body = json!({"instrument": "summary", "pairs": [pair]});
    for (name, value) in options.as_object().unwrap() {
        body[name] = value.clone();
    }
    assert_eq!(doors.post("/api/v1/runs", &body).0, 201);
    let input = doors.write("pairs.jsonl", &pair.to_string());
    let database = doors.path("assize.db");
    let command = ["summary", "score", "--input", &input, "--framework", "judge-lock"];
    let more = ["--overlap", "literal", "--save", "--database", &database];
    let said = assize(&[&command[..], &more].concat());
    assert_eq!(said.code, 0, "{}", said.stderr);
    let sent = configuration(&doors, 1);
    assert_eq!(sent["overlap"], "whole_article", "{sent}");
    assert_eq!(sent, configuration(&doors, 2));
}

/// Every member of a panel is asked, whoever started the run.
#[test]
fn a_panel_that_is_started_through_the_server_asks_every_member() {
    let answer = |request: &Request| fill_in(request, "nothing").to_string();
    let clerk = Clerk::start(Script::answering(answer));
    let url = clerk.url();
    let allowed = ["--endpoint", &url, "--allow-model", "local/*"];
    let doors = Doors::open(&allowed, &[]);
    let article = "The bridge at Oban opened in 1932. It cost nine million pounds to build.";
    let pair = json!({"article": article, "summary": "The bridge at Oban opened in 1932."});
    let panel = |framework: &str, judge: &str| json!({"instrument": "summary", "pairs": [pair], "framework": framework, "judge": judge});
    let (status, refused) =
        doors.post("/api/v1/runs", &panel("twin-lock", "panel:local/a,local/b"));
    assert_eq!(status, 400, "{refused}");
    let (status, refused) =
        doors.post("/api/v1/runs", &panel("judge-lock-ultra", "panel:local/a,openai/b"));
    assert_eq!(status, 422, "{refused}");
    assert!(refused["detail"].as_str().unwrap().contains("`openai/b`"), "{refused}");
    let (status, run) =
        doors.post("/api/v1/runs", &panel("judge-lock-ultra", "panel:local/a,local/b"));
    assert_eq!(status, 201, "{run}");
    for _ in 0..200 {
        if doors.server.json("/api/v1/runs/1")["state"] == "done" {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let item = doors.server.json("/api/v1/runs/1/items/0");
    assert_eq!(item["ledger"]["judge"]["judges"], json!(["local/a", "local/b", "rules"]), "{item}");
    let asked = |model: &str| {
        clerk.server.requests().iter().filter(|request| request.body["model"] == model).count()
    };
    assert!(asked("a") > 0 && asked("b") > 0, "{} and {}", asked("a"), asked("b"));
}

/// A day that is used up binds calls that belong to no run.
#[test]
fn a_model_is_not_tested_at_the_expense_of_a_day_that_is_used_up() {
    let clerk = Clerk::start(Script::answering(|request| fill_in(request, "nothing").to_string()));
    let url = clerk.url();
    let doors = Doors::open(&["--endpoint", &url], &[]);
    let database = doors.path("assize.db");
    let tested = || doors.post("/api/v1/models/test", &json!({"model": "local/a"})).1;
    assert_eq!(tested()["answer"], "ready");
    assert_eq!(clerk.server.requests().len(), 1);
    let said = assize(&["runs", "ceiling", "1", "--database", &database]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let refused = tested();
    assert!(refused["failure"].as_str().unwrap().contains("daily spending limit"), "{refused}");
    assert_eq!(clerk.server.requests().len(), 1, "nothing is sent");
}
