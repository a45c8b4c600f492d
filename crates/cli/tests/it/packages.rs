//! Evidence packages through the command line: a stranger has the file and the program, and no
//! database, configuration or network.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::serve::Server;
use crate::support::{Said, assize, examples, file};

/// A home with a run, and an empty one of a stranger.
struct Case {
    home: tempfile::TempDir,
    stranger: tempfile::TempDir,
}

impl Case {
    fn new() -> Self {
        Self { home: tempfile::tempdir().unwrap(), stranger: tempfile::tempdir().unwrap() }
    }

    fn database(&self) -> String {
        self.home.path().join("kept.db").to_str().unwrap().to_owned()
    }

    /// Packs the latest run, and hands the file over.
    fn packed(&self, secret: Option<&str>) -> String {
        let path = self.stranger.path().join("run.assize").to_str().unwrap().to_owned();
        let database = self.database();
        let mut command = Command::new(env!("CARGO_BIN_EXE_assize"));
        command.args(["runs", "pack", "latest", "-o", &path, "--database", &database]);
        if let Some(secret) = secret {
            command.env("ASSIZE_COUNCIL_KEY", secret);
        }
        let done = command.output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        path
    }

    /// The program where there is nothing but the package: no variable of ours, an empty home.
    fn stranger(&self, arguments: &[&str]) -> Said {
        let output = Command::new(env!("CARGO_BIN_EXE_assize"))
            .args(arguments)
            .env_clear()
            .env("HOME", self.stranger.path())
            .current_dir(self.stranger.path())
            .output()
            .unwrap();
        Said {
            code: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The files of the stranger.
    fn left(&self) -> Vec<String> {
        let names = fs::read_dir(self.stranger.path()).unwrap();
        let mut names: Vec<String> =
            names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn example(name: &str) -> String {
    examples().join(name).to_str().unwrap().to_owned()
}

/// Makes a run of a document held against criteria.
fn evaluated(case: &Case) {
    let (document, criteria) =
        (example("compliance/access-policy.md"), example("compliance/criteria.csv"));
    let database = case.database();
    let done = assize(&["evaluate", &document, "--criteria", &criteria, "--database", &database]);
    assert_eq!(done.code, 0, "{}", done.stderr);
}

/// The values of the latest run, by item and measure.
fn numbers(database: &str) -> Value {
    let shown = ["runs", "show", "latest", "--format", "json", "--database", database];
    let said = assize(&shown);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let run: Value = serde_json::from_str(&said.stdout).unwrap();
    let kept = if run["results"].is_array() { &run["results"] } else { &run["page"] };
    assert!(kept.as_array().is_some_and(|items| !items.is_empty()), "{run}");
    kept.clone()
}

#[test]
fn a_stranger_verifies_and_takes_in_a_run_with_nothing_but_the_file() {
    let case = Case::new();
    evaluated(&case);
    let package = case.packed(None);
    let said = case.stranger(&["verify", &package, "--format", "json"]);
    assert_eq!(said.code, 0, "{}{}", said.stdout, said.stderr);
    let report: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!((&report["result"], &report["findings"]), (&"sound".into(), &Value::Array(vec![])));
    assert!(report["numbers"]["recomputed"].as_u64().unwrap() > 0, "{report}");
    assert_eq!(report["numbers"]["recorded"], 0, "{report}");
    assert!(report["quotes_located"].as_u64().unwrap() > 0, "{report}");
    let words = case.stranger(&["verify", &package]);
    assert!(words.stdout.contains("result    sound\n"), "{}", words.stdout);
    assert_eq!(case.left(), ["run.assize"], "verifying writes nothing");

    let there = case.stranger.path().join("there.db").to_str().unwrap().to_owned();
    let taken = case.stranger(&["runs", "import", &package, "--database", &there]);
    assert_eq!(taken.code, 0, "{}", taken.stderr);
    assert_eq!(numbers(&there), numbers(&case.database()));
    let twice = case.stranger(&["runs", "import", &package, "--database", &there]);
    assert_eq!(twice.code, 2, "{}", twice.stderr);
    assert!(twice.stderr.contains("here already"), "{}", twice.stderr);
}

#[test]
fn another_head_another_signer_and_one_byte_are_refused_and_leave_nothing() {
    let case = Case::new();
    evaluated(&case);
    let package = case.packed(Some("a secret of the operator"));
    let said = case.stranger(&["verify", &package, "--format", "json"]);
    let report: Value = serde_json::from_str(&said.stdout).unwrap();
    let (head, signer) = (report["head"].as_str().unwrap(), report["signed_by"].as_str().unwrap());
    assert_eq!(case.stranger(&["verify", &package, "--head", head, "--signer", signer]).code, 0);
    let wrong = "0".repeat(64);
    for (flag, words) in [("--head", "its head is"), ("--signer", "it is signed by")] {
        let said = case.stranger(&["verify", &package, flag, &wrong]);
        assert_ne!(said.code, 0, "{}", said.stdout);
        assert!(said.stderr.contains(words), "{}", said.stderr);
    }

    let mut bytes = fs::read(&package).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    let (_folder, changed) = file("changed.assize", bytes);
    let said = case.stranger(&["verify", &changed]);
    assert_eq!(said.code, 2, "{}", said.stdout);
    assert!(said.stderr.contains("changed after it was written"), "{}", said.stderr);
    let there = case.stranger.path().join("there.db").to_str().unwrap().to_owned();
    let said = case.stranger(&["runs", "import", &changed, "--database", &there]);
    assert_eq!(said.code, 2, "{}", said.stderr);
    if Path::new(&there).exists() {
        let runs = assize(&["runs", "list", "--format", "json", "--database", &there]);
        assert_eq!(runs.stdout.trim(), "[]");
    }
}

/// Nothing of a package can be decided or deleted, and no page offers it.
#[test]
fn a_served_package_is_read_only() {
    let case = Case::new();
    evaluated(&case);
    let package = case.packed(None);
    let server = Server::start(case.stranger.path(), &["--package", &package]);
    let run = server.json("/api/v1/runs/1");
    assert_eq!(run["state"], "done", "{run}");
    let (status, page) = server.ask("GET", "/eval/1/results/1", "");
    assert_eq!(status, 200, "{page}");
    assert!(!page.contains("Save decision"), "{page}");
    let decision = r#"{"position": 0, "score": 1, "reason": "because", "seen": 0}"#;
    for (method, path, body) in
        [("POST", "/api/v1/runs/1/decisions", decision), ("DELETE", "/api/v1/runs/1", "")]
    {
        let (status, said) = server.ask(method, path, body);
        assert_eq!(status, 403, "{method} {path}: {said}");
    }
    assert_eq!(server.json("/api/v1/runs/1"), run);
}
