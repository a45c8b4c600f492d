//! Runs that hold under faults: poison items, retries, budgets of a run's life, signals.

use std::fmt::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use assize_injector::{Fault, Request, Script, When};
use serde_json::Value;

use crate::clerk::Clerk;
use crate::support::{Said, assize};

/// Ten documents against ten criteria.
const SIDE: usize = 10;
pub(crate) const REPLY: &str = r#"{"score": 73, "confidence": 80, "explanation": "It says so.",
    "citations": ["Accounts are reviewed every year"]}"#;
/// Waits short enough for a test; what is asked and how often is as usual.
const QUICK: &str = "[endpoints.local]\nbase_url = 'http://127.0.0.1:1/v1'\n\
    [endpoints.local.limits]\nfirst_wait_milliseconds = 20\n";

pub(crate) struct Case {
    folder: tempfile::TempDir,
    pub(crate) clerk: Clerk,
}

impl Case {
    pub(crate) fn new(script: Script) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut csv = "criteria_id,requirement\n".to_owned();
        for number in 0..SIDE {
            writeln!(csv, "AC-{number},Accounts of kind {number} are reviewed every year.")
                .unwrap();
            let text = format!("Policy {number}. Accounts are reviewed every year by their owner.");
            std::fs::write(folder.path().join(format!("policy-{number}.txt")), text).unwrap();
        }
        std::fs::write(folder.path().join("criteria.csv"), csv).unwrap();
        std::fs::write(folder.path().join("assize.toml"), QUICK).unwrap();
        Self { folder, clerk: Clerk::start(script) }
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    pub(crate) fn arguments(&self, first: &[&str], more: &[&str]) -> Vec<String> {
        let mut arguments: Vec<String> = first.iter().map(ToString::to_string).collect();
        arguments.extend(["--database".into(), self.path("assize.db")]);
        arguments.extend(["--config".into(), self.path("assize.toml")]);
        arguments.extend(["--endpoint".into(), format!("local={}", self.clerk.url())]);
        arguments.extend(more.iter().map(ToString::to_string));
        arguments
    }

    fn evaluating(&self, more: &[&str]) -> Vec<String> {
        let documents: Vec<String> =
            (0..SIDE).map(|number| self.path(&format!("policy-{number}.txt"))).collect();
        let criteria = self.path("criteria.csv");
        let mut first = vec!["evaluate", "--criteria", &criteria, "--judge", "local/tiny"];
        first.extend(documents.iter().map(String::as_str));
        self.arguments(&first, more)
    }

    pub(crate) fn evaluate(&self, more: &[&str]) -> Said {
        said(&self.evaluating(more))
    }

    pub(crate) fn run(&self, first: &[&str], more: &[&str]) -> Said {
        said(&self.arguments(first, more))
    }

    pub(crate) fn listed(&self) -> Value {
        let database = self.path("assize.db");
        let said = assize(&["runs", "list", "--format", "json", "--database", &database]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        serde_json::from_str::<Value>(&said.stdout).unwrap()[0].clone()
    }

    pub(crate) fn bill(&self) -> Value {
        let database = self.path("assize.db");
        let said = assize(&["runs", "bill", "1", "--format", "json", "--database", &database]);
        assert_eq!(said.code, 0, "{}", said.stderr);
        serde_json::from_str(&said.stdout).unwrap()
    }

    pub(crate) fn check(&self) {
        let checked = assize(&["db", "check", "--database", &self.path("assize.db")]);
        assert_eq!(checked.code, 0, "{}{}", checked.stdout, checked.stderr);
    }
}

fn said(arguments: &[String]) -> Said {
    assize(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

fn question(request: &Request) -> &str {
    request.body["messages"][1]["content"].as_str().unwrap_or("")
}

/// The last document: nothing that the server can answer comes after it.
fn poison() -> When {
    When::matching(|request| question(request).contains("Policy 9."))
}

#[test]
fn ten_poison_items_of_a_hundred_are_unscored_and_retried_alone_when_the_server_is_mended() {
    let script = Script::saying(REPLY).with(poison(), Fault::status(500, "this document kills me"));
    let case = Case::new(script);
    let said = case.evaluate(&[]);
    assert_eq!(said.code, 3, "{}", said.stderr);
    let run = case.listed();
    assert_eq!((run["state"].as_str(), run["done"].as_u64()), (Some("done"), Some(100)), "{run}");
    assert_eq!(run["unscored"], 10);
    case.check();

    case.clerk.server.follow(Script::saying(REPLY));
    let asked = case.clerk.server.seen();
    let none = case.run(&["runs", "retry", "1", "--failed"], &["--because", "nobody said so"]);
    assert_eq!((none.code, case.clerk.server.seen()), (0, asked), "{}", none.stderr);
    let again = case.run(&["runs", "retry", "1", "--unscored"], &["--because", "kills me"]);
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert_eq!(case.clerk.server.seen() - asked, 10);
    let run = case.listed();
    assert_eq!((run["state"].as_str(), run["unscored"].as_u64()), (Some("done"), Some(0)), "{run}");
    case.check();
}

#[test]
fn a_ceiling_for_the_day_holds_for_all_runs_together_and_can_be_raised() {
    let case = Case::new(Script::saying(REPLY));
    let database = case.path("assize.db");
    let ceiling = |more: &[&str]| {
        let mut words = vec!["runs", "ceiling", "--database", &database];
        words.extend(more);
        let said = assize(&words);
        assert_eq!(said.code, 0, "{}", said.stderr);
        said.stdout
    };
    assert_eq!(assize(&["db", "migrate", "--database", &database]).code, 0);
    assert_eq!(ceiling(&[]), "No daily limit\n");
    assert!(ceiling(&["60k"]).contains("60000 tokens; 60000 tokens left"));
    for _ in 0..2 {
        let said = case.evaluate(&[]);
        assert_eq!(said.code, 3, "{}", said.stderr);
        assert!(said.stderr.contains("daily spending limit"), "{}", said.stderr);
        assert!(said.stderr.contains("assize runs ceiling AMOUNT"), "{}", said.stderr);
        assert!(!said.stderr.contains("--budget"), "{}", said.stderr);
        let run = case.listed();
        assert_eq!(run["state"], "stopped", "{run}");
        assert!(run["failure"].as_str().unwrap().contains("daily spending limit"), "{run}");
        // What is under way is waited for: all is used but what one request may need.
        let day: Value = serde_json::from_str(&ceiling(&["--format", "json"])).unwrap();
        assert!(day["budgets"][0]["spent"].as_u64() > Some(50_000), "{day}");
    }
    // A byte is a token to the injector.
    let billed: usize = case
        .clerk
        .server
        .requests()
        .iter()
        .map(|request| {
            let turns = request.body["messages"].as_array().unwrap().iter();
            let asked: usize = turns.map(|turn| turn["content"].as_str().unwrap().len()).sum();
            asked + REPLY.len()
        })
        .sum();
    assert!((30_000..=60_000).contains(&billed), "{billed}");
    let day: Value = serde_json::from_str(&ceiling(&["--format", "json"])).unwrap();
    assert_eq!(day["budgets"][0]["spent"].as_u64(), Some(billed as u64), "{day}");

    ceiling(&["--none"]);
    assert_eq!(case.run(&["runs", "resume", "1"], &[]).code, 0);
    // What was spent before a ceiling is set counts too.
    let day: Value = serde_json::from_str(&ceiling(&["1M", "--format", "json"])).unwrap();
    assert!(day["budgets"][0]["spent"].as_u64() > Some(billed as u64), "{day}");
}

/// Unreadable replies are kept; a retry must not read them again.
#[test]
fn a_retry_asks_anew_although_replies_are_kept() {
    let case = Case::new(Script::saying(REPLY).with(poison(), Fault::CutMessage));
    assert_eq!(case.evaluate(&[]).code, 3);
    assert_eq!(case.clerk.server.seen(), 110);
    case.clerk.server.follow(Script::saying(REPLY));
    let again = case.run(&["runs", "retry", "1", "--failed"], &[]);
    assert_eq!((again.code, case.clerk.server.seen()), (0, 120), "{}", again.stderr);
    assert_eq!(case.listed()["unscored"], 0);
}

/// A token a byte, as the injector counts: what a request and its reply come to, whether or not
/// the reply arrives.
fn billed(requests: &[Request], reply: usize) -> u64 {
    let prompts = requests.iter().map(|request| {
        let turns = request.body["messages"].as_array().unwrap();
        turns.iter().map(|turn| turn["content"].as_str().unwrap().len() as u64).sum::<u64>()
    });
    prompts.sum::<u64>() + requests.len() as u64 * reply as u64
}

#[test]
fn a_budget_given_twice_is_the_budget_of_the_runs_life() {
    const BUDGET: u64 = 40_000;
    // Every third reply says that it was nothing, every seventh breaks off after the sending.
    let script = Script::saying(REPLY)
        .with(When::Every(7), Fault::CutBody)
        .with(When::Every(3), Fault::UsageZero);
    let case = Case::new(script);
    let first = case.evaluate(&["--budget", "40k"]);
    assert_eq!(first.code, 3, "{}", first.stderr);
    let seen = case.clerk.server.seen();
    assert!(seen > 3, "{seen}");
    let again = case.run(&["runs", "resume", "1"], &["--budget", "40k"]);
    assert_eq!(again.code, 3, "{}", again.stderr);
    let total = billed(&case.clerk.server.requests(), REPLY.len());
    assert!(total <= BUDGET, "{total} billed");
    let bill = case.bill();
    let tokens = bill["total"]["tokens"].as_u64().unwrap();
    assert!(total <= tokens && tokens <= BUDGET, "{total} {bill:#}");
    for part in ["certain", "estimated", "maybe"] {
        assert!(bill[part]["requests"].as_u64().unwrap() > 0, "{part}: {bill:#}");
    }
    assert_eq!(bill["budgets"][0]["spent"], bill["total"]["tokens"]);
    assert_eq!(bill["total"]["requests"], case.clerk.server.seen());
    case.check();
    // More room, and it goes on where it was.
    let more = case.run(&["runs", "resume", "1"], &["--budget", "10M", "--allow-unscored"]);
    assert_eq!(more.code, 0, "{}", more.stderr);
    assert_eq!(case.listed()["done"], 100);
    case.check();
}

fn started(case: &Case, database: &Path) -> Child {
    let child = Command::new(env!("CARGO_BIN_EXE_assize"))
        .args(case.evaluating(&["--concurrency", "4"]))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while case.clerk.server.seen() < 10 {
        assert!(begun.elapsed() < Duration::from_mins(1), "nothing is asked");
        assert!(database.parent().unwrap().exists());
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

fn signalled(signal: &str, code: i32) {
    let case = Case::new(Script::saying(REPLY).after(Duration::from_millis(50)));
    let database = case.path("assize.db");
    let child = started(&case, Path::new(&database));
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let ended = child.wait_with_output().unwrap();
    let words = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(code), "{words}");
    let run = case.listed();
    assert_eq!(run["state"], "stopped", "{run}");
    let (seen, done) = (case.clerk.server.seen(), run["done"].as_u64().unwrap());
    // What was under way was finished and counts; nothing was begun after the signal.
    assert_eq!(seen, done, "{words}");
    // Its leases were given back: the next to come need not wait until they run out.
    let begun = Instant::now();
    let again = case.run(&["runs", "resume", "1"], &["--concurrency", "50"]);
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
    assert_eq!(case.clerk.server.seen(), 100);
    case.check();
}

#[test]
fn sigterm_stops_a_run_as_ctrl_c_does() {
    signalled("-TERM", 143);
}

#[test]
fn sighup_stops_a_run_as_ctrl_c_does() {
    signalled("-HUP", 129);
}

/// What may be read and not written to: a folder without the right to write.
#[cfg(unix)]
#[test]
fn a_folder_that_may_only_be_read_is_enough_to_list_show_check_and_export() {
    use std::os::unix::fs::PermissionsExt;
    let case = Case::new(Script::saying(REPLY));
    assert_eq!(case.evaluate(&[]).code, 0);
    let database = case.path("assize.db");
    let mode = |path: &str| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&database), 0o600);
    let before = std::fs::read(&database).unwrap();
    let set = |mode| {
        std::fs::set_permissions(case.folder.path(), PermissionsExt::from_mode(mode)).unwrap();
    };
    set(0o555);
    let is_refused = std::fs::write(case.path("probe"), "x").is_err();
    for command in [
        vec!["runs", "list"],
        vec!["runs", "show", "1"],
        vec!["runs", "bill", "1"],
        vec!["runs", "export", "1"],
        vec!["export", "1", "--format", "csv"],
        vec!["db", "check"],
        vec!["db", "export", "-"],
        vec!["documents", "list"],
        vec!["criteria", "list"],
    ] {
        let mut arguments = command.clone();
        arguments.extend(["--database", &database]);
        let said = assize(&arguments);
        assert_eq!(said.code, 0, "{command:?}: {}", said.stderr);
    }
    set(0o755);
    // Somebody who may do everything is not kept from writing; then nothing was written either.
    assert_eq!(std::fs::read(&database).unwrap(), before, "refused: {is_refused}");
    let left: Vec<_> = std::fs::read_dir(case.folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("assize.db-"))
        .collect();
    assert!(left.is_empty() || !is_refused, "{left:?}");
}

#[test]
fn a_locked_database_is_told_after_two_seconds() {
    let case = Case::new(Script::saying(REPLY));
    assert_eq!(case.evaluate(&[]).code, 0);
    let database = case.path("assize.db");
    let holder = case.clerk.runtime.block_on(async {
        use sqlx::Connection;
        let url = format!("sqlite:{database}");
        let mut holder = sqlx::SqliteConnection::connect(&url).await.unwrap();
        sqlx::query("BEGIN EXCLUSIVE").execute(&mut holder).await.unwrap();
        holder
    });
    let begun = Instant::now();
    let child = Command::new(env!("CARGO_BIN_EXE_assize"))
        .args(["runs", "rename", "1", "other", "--database", &database])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_secs(4));
    drop(holder);
    let ended = child.wait_with_output().unwrap();
    let words = String::from_utf8(ended.stderr).unwrap();
    assert!(words.contains("waiting for the database, which"), "{words}");
    assert_eq!(ended.status.code(), Some(0), "{words}");
    assert!(begun.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_role_that_may_only_read_is_enough_to_list_show_check_and_export() {
    let server = assize_testbed::Postgres::start();
    let owner = server.database();
    let case = Case::new(Script::saying(REPLY));
    let mut arguments = case.evaluating(&[]);
    let place = arguments.iter().position(|argument| argument == "--database").unwrap() + 1;
    arguments[place].clone_from(&owner);
    assert_eq!(said(&arguments).code, 0);
    let reader = owner.replace("assize@", "reader@");
    assert_ne!(reader, owner);
    case.clerk.runtime.block_on(async {
        use sqlx::Connection;
        let mut connection = sqlx::PgConnection::connect(&owner).await.unwrap();
        for sql in [
            "CREATE ROLE reader LOGIN",
            "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader",
            "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
        ] {
            sqlx::query(sql).execute(&mut connection).await.unwrap();
        }
    });
    for command in [
        vec!["runs", "list"],
        vec!["runs", "show", "1"],
        vec!["runs", "export", "1"],
        vec!["export", "1", "--format", "csv"],
        vec!["db", "check"],
        vec!["db", "export", "-"],
        vec!["runs", "verdicts", "1"],
        vec!["accuracy", "1", "--addressed"],
        vec!["audit", "verify"],
        vec!["audit", "export"],
        vec!["users", "list"],
        vec!["tokens", "list"],
        vec!["doctor"],
    ] {
        let mut arguments = command.clone();
        arguments.extend(["--database", &reader]);
        let said = assize(&arguments);
        assert_eq!(said.code, 0, "{command:?}: {}{}", said.stdout, said.stderr);
    }
    let refused = assize(&["runs", "rename", "1", "other", "--database", &reader]);
    assert_eq!(refused.code, 3, "{}", refused.stderr);
    assert!(refused.stderr.contains("grant it to the user"), "{}", refused.stderr);
    assert!(!refused.stderr.contains("at line"), "{}", refused.stderr);
}

#[test]
fn each_refusal_of_a_server_has_a_hint_that_fits() {
    let server = assize_testbed::Postgres::start();
    let owner = server.database();
    let (address, _) = owner.split_once('?').unwrap_or((&owner, ""));
    let (_, name) = address.rsplit_once('/').unwrap();
    let absent = owner.replacen(&format!("/{name}"), "/nowhere", 1);
    assert_ne!(absent, owner);
    let stranger = owner.replace("assize@", "stranger@");
    for (database, hint) in [
        (&absent, "create it with `createdb NAME`"),
        (&stranger, "check the user and the password"),
    ] {
        let said = assize(&["runs", "list", "--database", database]);
        assert_eq!(said.code, 3, "{}", said.stderr);
        assert!(said.stderr.contains(hint), "{}", said.stderr);
        assert!(!said.stderr.contains("at line"), "{}", said.stderr);
        assert!(!said.stderr.contains("server is running"), "{}", said.stderr);
        let said = assize(&["doctor", "--database", database]);
        assert!(said.code == 3 && said.stdout.contains(hint), "{}", said.stdout);
    }
    let empty = server.database();
    let said = assize(&["doctor", "--database", &empty]);
    assert!(said.code == 0 && said.stdout.contains("database: is empty"), "{}", said.stdout);
}

#[test]
fn an_estimate_needs_no_key() {
    let folder = tempfile::tempdir().unwrap();
    let pairs = folder.path().join("pairs.jsonl");
    let line = r#"{"article": "It rained on Monday. It was cold.", "summary": "It rained."}"#;
    std::fs::write(&pairs, format!("{line}\n")).unwrap();
    let database = folder.path().join("assize.db");
    let said = assize(&[
        "summary",
        "score",
        "--input",
        pairs.to_str().unwrap(),
        "--judge",
        "openai/gpt-4o",
        "--dry-run",
        "--database",
        database.to_str().unwrap(),
    ]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stdout.contains("calls to send"), "{}", said.stdout);
}
