//! Workers: they share what is queued, drain, pause, and say what they do.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use assize_injector::{Fault, Script, When};
use serde_json::Value;

use crate::faults::{Case, REPLY};
use crate::support::assize;

fn worker(case: &Case, more: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_assize"))
        .args(case.arguments(&["worker"], more))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn workers_take_what_is_queued_share_it_and_drain_on_sigterm() {
    let case = Case::new(Script::saying(REPLY).after(Duration::from_millis(20)));
    let queued = case.evaluate(&["--queue", "--priority", "3"]);
    assert_eq!((queued.code, case.clerk.server.seen()), (0, 0), "{}", queued.stderr);
    let drained = worker(&case, &["--name", "one", "--concurrency", "2"]);
    let begun = Instant::now();
    while case.clerk.server.seen() < 10 {
        assert!(begun.elapsed() < Duration::from_mins(1), "nothing is asked");
        std::thread::sleep(Duration::from_millis(5));
    }
    let database = case.path("assize.db");
    let probe =
        |name: &str| assize(&["worker", "--probe", "--name", name, "--database", &database]).code;
    assert_eq!((probe("one"), probe("nobody")), (0, 3));
    let shown = assize(&["workers", "--database", &database]);
    assert!(shown.stdout.contains("one") && shown.stdout.contains("#1: "), "{}", shown.stdout);
    let begun = Instant::now();
    let sent = Command::new("kill").args(["-TERM", &drained.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let ended = drained.wait_with_output().unwrap();
    let words = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(0), "{words}");
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    assert_eq!(case.listed()["state"], "running");

    let both: Vec<Child> = (2..4)
        .map(|number| worker(&case, &["--until-idle", "--name", &format!("worker {number}")]))
        .collect();
    for child in both {
        let ended = child.wait_with_output().unwrap();
        let words = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(0), "{words}");
    }
    assert_eq!(case.clerk.server.seen(), 100);
    let run = case.listed();
    assert_eq!((run["state"].as_str(), run["unscored"].as_u64()), (Some("done"), Some(0)), "{run}");
    assert!(assize(&["workers", "--database", &database]).stdout.contains("no workers"));
    case.check();
}

#[test]
fn a_worker_pauses_a_run_whose_budget_is_spent_and_leaves_what_it_does_not_know_to_others() {
    let case = Case::new(Script::saying(REPLY));
    assert_eq!(case.evaluate(&["--queue", "--budget", "20k"]).code, 0);
    let ended = worker(&case, &["--until-idle"]).wait_with_output().unwrap();
    let words = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(0), "{words}");
    let run = case.listed();
    assert_eq!(run["state"], "stopped", "{run}");
    assert!(run["failure"].as_str().unwrap().contains("budget"), "{run}");
    assert!(case.bill()["total"]["tokens"].as_u64().unwrap() <= 20_000);
    case.check();
}

/// Every request to a model is a line with the names of its run, item and exchange.
#[test]
fn a_worker_logs_every_request_with_its_ids_and_tells_what_it_counts() {
    let script = Script::saying(REPLY).with(When::Numbers(5..=5), Fault::status(500, "on cue"));
    let case = Case::new(script);
    assert_eq!(case.evaluate(&["--queue"]).code, 0);
    let run = case.listed()["run"].as_str().unwrap().to_owned();
    let ended = worker(&case, &["--until-idle", "--log", "json", "--metrics", "127.0.0.1:0"]);
    let ended = ended.wait_with_output().unwrap();
    let words = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(0), "{words}");
    assert!(words.contains("metrics at http://127.0.0.1:"), "{words}");
    // Every line is JSON, what the worker says about itself too.
    let lines: Vec<Value> = words
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("not JSON: {line}")))
        .collect();
    for event in ["metrics", "started", "ended"] {
        assert_eq!(lines.iter().filter(|line| line["event"] == event).count(), 1, "{words}");
    }
    let of = |message: &str| -> Vec<&Value> {
        lines
            .iter()
            .filter(|line| line["message"] == message && !line["exchange"].is_null())
            .collect()
    };
    assert_eq!((of("answered").len(), of("failed").len()), (100, 1), "{words}");
    for line in of("answered") {
        assert_eq!(line["run"], run.as_str(), "{line}");
        assert!(line["item"].as_u64().is_some_and(|item| item < 100), "{line}");
        assert_eq!(line["exchange"].as_str().map(str::len), Some(64), "{line}");
    }
    assert_eq!(of("failed")[0]["class"], "server");
    let worker = lines.iter().filter(|line| line["event"] == "finished").count();
    assert_eq!(worker, 100);
}
