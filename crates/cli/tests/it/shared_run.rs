//! Two processes that resume one run: they share the work, pay once, and one of them may die.

use std::fmt::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use assize_injector::Script;
use assize_testbed::Postgres;
use serde_json::Value;

use crate::clerk::Clerk;
use crate::support::assize;

const DOCUMENTS: usize = 10;
const CRITERIA: usize = 30;
const ITEMS: u64 = 300;
const CONCURRENCY: u64 = 8;

/// A run of 300 items that is planned and stopped before anything is asked.
fn planned(folder: &Path, database: &str, clerk: &Clerk) {
    let mut csv = "criteria_id,requirement\n".to_owned();
    for number in 0..CRITERIA {
        writeln!(csv, "AC-{number},Accounts of kind {number} are reviewed every year.").unwrap();
    }
    let criteria = folder.join("criteria.csv");
    std::fs::write(&criteria, csv).unwrap();
    let mut arguments: Vec<String> = vec!["evaluate".into()];
    for number in 0..DOCUMENTS {
        let path = folder.join(format!("policy-{number}.txt"));
        let text = format!("Policy {number}. Accounts are reviewed every year by their owner.");
        std::fs::write(&path, text).unwrap();
        arguments.push(path.to_str().unwrap().to_owned());
    }
    let endpoint = clerk.url();
    let criteria = criteria.to_str().unwrap();
    let more = ["--criteria", criteria, "--judge", "local/tiny", "--endpoint", &endpoint];
    arguments.extend(more.iter().map(ToString::to_string));
    arguments.extend(["--database", database, "--budget", "1 tokens"].map(ToOwned::to_owned));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let said = assize(&arguments);
    assert_eq!(said.code, 3, "{}", said.stderr);
    assert!(said.stderr.contains("assize runs resume 1"), "{}", said.stderr);
    assert_eq!(clerk.server.seen(), 0);
}

fn resume(database: &str, clerk: &Clerk) -> Child {
    Command::new(env!("CARGO_BIN_EXE_assize"))
        .args(["runs", "resume", "1", "--format", "json", "--database", database])
        // The budget of one token that it was planned with would hold for the run's life.
        .args(["--budget", "100M"])
        .args(["--endpoint", &clerk.url(), "--concurrency", &CONCURRENCY.to_string()])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn ended(process: Child) {
    let output = process.wait_with_output().unwrap();
    let words = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{words}");
}

fn listed(database: &str) -> Value {
    let said = assize(&["runs", "list", "--format", "json", "--database", database]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    serde_json::from_str::<Value>(&said.stdout).unwrap()[0].clone()
}

fn form() -> Script {
    let reply = r#"{"score": 73, "confidence": 80, "explanation": "It says so.",
        "citations": ["Accounts are reviewed every year"]}"#;
    Script::saying(reply).after(Duration::from_millis(20))
}

fn check(database: &str) {
    let run = listed(database);
    assert_eq!(run["state"], "done", "{run}");
    assert_eq!((run["done"].as_u64(), run["items"].as_u64()), (Some(ITEMS), Some(ITEMS)));
    assert_eq!(run["unscored"], 0);
    assert_eq!(assize(&["db", "check", "--database", database]).code, 0);
}

fn shared_by_two(database: &str) {
    let folder = tempfile::tempdir().unwrap();
    let clerk = Clerk::start(form());
    planned(folder.path(), database, &clerk);
    let both = [resume(database, &clerk), resume(database, &clerk)];
    both.into_iter().for_each(ended);
    assert_eq!(clerk.server.seen(), ITEMS);
    check(database);
}

/// The lease of a dead process runs out after twenty seconds; the other one waits for it.
fn one_of_two_is_killed(database: &str) {
    let folder = tempfile::tempdir().unwrap();
    let clerk = Clerk::start(form());
    planned(folder.path(), database, &clerk);
    let (mut victim, survivor) = (resume(database, &clerk), resume(database, &clerk));
    let begun = Instant::now();
    while clerk.server.seen() < ITEMS / 3 {
        assert!(begun.elapsed() < Duration::from_mins(1), "nothing is asked");
        std::thread::sleep(Duration::from_millis(2));
    }
    victim.kill().unwrap();
    victim.wait().unwrap();
    ended(survivor);
    let seen = clerk.server.seen();
    assert!((ITEMS..=ITEMS + CONCURRENCY).contains(&seen), "{seen} requests");
    check(database);
}

#[test]
fn two_processes_share_a_run_and_pay_once_on_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    shared_by_two(folder.path().join("assize.db").to_str().unwrap());
}

#[test]
fn two_processes_share_a_run_and_pay_once_on_postgres() {
    let server = Postgres::start();
    shared_by_two(&server.database());
}

#[test]
fn what_a_killed_process_held_is_finished_by_the_other_on_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    one_of_two_is_killed(folder.path().join("assize.db").to_str().unwrap());
}

#[test]
fn what_a_killed_process_held_is_finished_by_the_other_on_postgres() {
    let server = Postgres::start();
    one_of_two_is_killed(&server.database());
}
