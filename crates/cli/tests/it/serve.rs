//! `assize serve` as a process: first answer, signals, and a kill in the middle of a run.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::tempdir;

use crate::clerk::{Clerk, forms};
use crate::support::assize;

pub(crate) struct Server {
    process: Child,
    address: String,
}

impl Server {
    pub(crate) fn start(folder: &Path, more: &[&str]) -> Self {
        Self::start_by("exec \"$0\" \"$@\"", folder, more)
    }

    /// The same, by a shell that does something before.
    pub(crate) fn start_by(script: &str, folder: &Path, more: &[&str]) -> Self {
        let mut process = Command::new("sh")
            .args(["-c", script, env!("CARGO_BIN_EXE_assize")])
            .args(["serve", "--bind", "127.0.0.1:0", "--log", "off"])
            .args(more)
            .current_dir(folder)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        // A package is checked and shown first.
        let mut lines = BufReader::new(process.stdout.as_mut().unwrap()).lines();
        let address = lines.find_map(|line| {
            line.unwrap().trim().strip_prefix("Assize is running at http://").map(str::to_owned)
        });
        Self { address: address.unwrap().trim_end_matches('/').to_owned(), process }
    }

    /// One request; the connection is closed after it. Status and body.
    pub(crate) fn ask(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        self.ask_with(method, path, "", body)
    }

    /// The same with further headers, each with the end of its line.
    pub(crate) fn ask_with(
        &self,
        method: &str,
        path: &str,
        headers: &str,
        body: &str,
    ) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let (length, host) = (body.len(), &self.address);
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body.as_bytes()).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, body.to_owned())
    }

    /// What a GET answers, byte for byte, whether it came in chunks or not.
    pub(crate) fn bytes(&self, path: &str) -> Vec<u8> {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let head =
            format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address);
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        let head = String::from_utf8_lossy(&answer[..end]).to_lowercase();
        assert!(head.starts_with("http/1.1 200"), "{path}: {head}");
        let body = answer.split_off(end + 4);
        if head.contains("transfer-encoding: chunked") { unchunked(&body) } else { body }
    }

    pub(crate) fn json(&self, path: &str) -> Value {
        let (status, body) = self.ask("GET", path, "");
        assert_eq!(status, 200, "{path}: {body}");
        serde_json::from_str(&body).unwrap()
    }

    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    pub(crate) fn signal(&self, name: &str) {
        let id = self.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }
}

/// A body that came in chunks, put together; one that was cut off fails the test.
fn unchunked(mut rest: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    loop {
        let end = rest.windows(2).position(|two| two == b"\r\n").expect("a chunk's size");
        let size = std::str::from_utf8(&rest[..end]).unwrap();
        let size = usize::from_str_radix(size.trim(), 16).unwrap();
        if size == 0 {
            return whole;
        }
        whole.extend_from_slice(&rest[end + 2..end + 2 + size]);
        rest = &rest[end + 2 + size + 2..];
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Whoever asks for accounts gets them; whoever asks for nothing is told that there are none.
#[test]
fn loopback_is_open_and_says_so_unless_accounts_are_asked_for() {
    for (more, status, words) in [
        (&[][..], 200, "no sign-in: everyone on this machine has full access"),
        (&["--auth", "accounts"][..], 401, "no accounts yet"),
    ] {
        let folder = tempdir().unwrap();
        let mut process = Command::new(env!("CARGO_BIN_EXE_assize"))
            .args(["serve", "--bind", "127.0.0.1:0", "--log", "off"])
            .args(more)
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("Assize is running at http://").unwrap();
        let server = Server { address: address.trim_end_matches('/').to_owned(), process };
        assert_eq!(server.ask("GET", "/api/v1/runs", "").0, status);
        server.signal("-TERM");
        let mut server = server;
        let mut told = String::new();
        server.process.stderr.take().unwrap().read_to_string(&mut told).unwrap();
        assert!(told.contains(words), "{told}");
        assert_eq!(told.contains("no sign-in"), more.is_empty(), "{told}");
    }
}

#[test]
fn a_fresh_folder_is_served_at_once_and_sigterm_ends_it() {
    let folder = tempdir().unwrap();
    let mut server = Server::start(folder.path(), &[]);
    for path in ["/", "/healthz", "/readyz", "/metrics", "/api/docs/", "/api/v1/openapi.json"] {
        assert_eq!(server.ask("GET", path, "").0, 200, "{path}");
    }
    let begun = Instant::now();
    server.signal("-TERM");
    let status = server.process.wait().unwrap();
    assert_eq!(status.code(), Some(0));
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
}

#[test]
fn the_demo_holds_a_run_of_every_instrument() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path(), &["--demo"]);
    let runs = server.json("/api/v1/runs");
    for instrument in ["retrieval", "summary", "compliance", "council"] {
        let is_there = |run: &Value| run["instrument"] == instrument && run["state"] == "done";
        assert!(runs["items"].as_array().unwrap().iter().any(is_there), "{instrument}: {runs}");
    }
    assert!(!folder.path().join("assize.db").exists());
}

/// Many criteria against a long text: some seconds of work for the rules.
fn long_run(server: &Server) {
    let criterion = |number: usize| {
        format!(
            r#"{{"criteria_id": "C-{number}", "requirement": "The operator reviews accounts of system {number} every quarter and keeps a record of what was found."}}"#
        )
    };
    let criteria: Vec<String> = (0..400).map(criterion).collect();
    let set = format!(r#"{{"name": "many", "criteria": [{}]}}"#, criteria.join(","));
    assert_eq!(server.ask("POST", "/api/v1/criteria-sets", &set).0, 201);
    let (status, _) = server.ask("POST", "/api/v1/document-sets", r#"{"name": "long"}"#);
    assert_eq!(status, 201);
    let sentence =
        |number: usize| format!("Accounts of system {number} are reviewed by the operator. ");
    for document in 0..3 {
        let text: String = (0..500).map(|number| sentence(number + document)).collect();
        upload(server, "long", &format!("policy-{document}.txt"), &text);
    }
    let run = r#"{"instrument": "compliance", "criteria_set": "many", "document_set": "long"}"#;
    let (status, body) = server.ask("POST", "/api/v1/runs", run);
    assert_eq!(status, 201, "{body}");
}

/// Adds a document to a set.
pub(crate) fn upload(server: &Server, set: &str, name: &str, text: &str) {
    let body = format!(
        "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n{text}\r\n--x--\r\n"
    );
    let mut stream = TcpStream::connect(&server.address).unwrap();
    let head = format!(
        "POST /api/v1/document-sets/{set}/documents HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\
         Content-Type: multipart/form-data; boundary=x\r\nContent-Length: {}\r\n\r\n{body}",
        server.address,
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
}

#[test]
fn a_run_goes_on_after_a_kill_and_half_an_upload_leaves_nothing() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    long_run(&server);
    // Half an upload: the body never ends.
    let mut half = TcpStream::connect(&server.address).unwrap();
    let head = format!(
        "POST /api/v1/document-sets/long/documents HTTP/1.1\r\nHost: {}\r\n\
         Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000\r\n\r\n\
         --x\r\nContent-Disposition: form-data; name=\"f\"; filename=\"half.txt\"\r\n\r\nhalf",
        server.address
    );
    half.write_all(head.as_bytes()).unwrap();
    server.signal("-KILL");
    drop(server);
    let server = Server::start(folder.path(), &[]);
    let documents = server.json("/api/v1/document-sets/long");
    assert_eq!(documents.as_array().unwrap().len(), 3, "{documents}");
    let begun = Instant::now();
    loop {
        let run = server.json("/api/v1/runs/1");
        if run["state"] == "done" {
            assert_eq!((&run["done"], &run["items"]), (&Value::from(1200), &Value::from(1200)));
            break;
        }
        assert_ne!(run["state"], "failed", "{run}");
        assert!(begun.elapsed() < Duration::from_mins(4), "{run}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// The operator's ceiling holds for runs that are begun over the network too.
#[test]
fn a_run_over_the_api_pauses_at_the_days_ceiling_and_goes_on_when_it_is_raised() {
    let (folder, clerk) = (tempdir().unwrap(), Clerk::start(forms("nothing")));
    let settings = format!("[endpoints.local]\nbase_url = '{}'\n", clerk.url());
    std::fs::write(folder.path().join("assize.toml"), settings).unwrap();
    let database = folder.path().join("assize.db").to_str().unwrap().to_owned();
    let ceiling = |amount| {
        let said = assize(&["runs", "ceiling", amount, "--database", &database]);
        assert_eq!(said.code, 0, "{}", said.stderr);
    };
    ceiling("40k");
    let server = Server::start(folder.path(), &[]);
    let pair = |number: usize| {
        json!({"id": format!("pair {number}"), "summary": "The ferry was late on Monday.",
            "article": format!("Ferry {number} to Mull was late on Monday. Nobody was hurt.")})
    };
    let pairs: Vec<Value> = (0..12).map(pair).collect();
    let run = json!({"instrument": "summary", "judge": "local/tiny", "pairs": pairs});
    assert_eq!(server.ask("POST", "/api/v1/runs", &run.to_string()).0, 201);
    let until = |state: &str| {
        let begun = Instant::now();
        loop {
            let run = server.json("/api/v1/runs/1");
            if run["state"] == state {
                return run;
            }
            assert!(begun.elapsed() < Duration::from_mins(1), "{run}");
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    let run = until("stopped");
    assert!(run["failure"].as_str().unwrap().contains("daily spending limit"), "{run}");
    assert!(run["done"].as_u64() < Some(12), "{run}");
    let day = server.json("/api/v1/day-budget");
    let spent = day["budgets"][0]["spent"].as_u64().unwrap();
    assert!((1..=40_000).contains(&spent), "{day}");

    ceiling("10M");
    let begun = Instant::now();
    // Whoever worked on it may not have left yet.
    while server.ask("POST", "/api/v1/runs/1/resume", "").0 != 202 {
        assert!(begun.elapsed() < Duration::from_mins(1));
        std::thread::sleep(Duration::from_millis(20));
    }
    let run = until("done");
    assert_eq!((&run["unscored"], &run["failure"]), (&json!(0), &Value::Null), "{run}");
}

#[test]
fn a_port_is_enough_and_probes_have_a_listener_of_their_own() {
    let folder = tempdir().unwrap();
    let free = || std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (port, probes) = (free().port(), free());
    let process = Command::new(env!("CARGO_BIN_EXE_assize"))
        .args(["serve", "--auth", "accounts", "--log", "off", "--port", &port.to_string()])
        .args(["--probe-bind", &probes.to_string()])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut server = Server { address: format!("127.0.0.1:{port}"), process };
    let mut line = String::new();
    BufReader::new(server.process.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line.trim(), format!("Assize is running at http://127.0.0.1:{port}/"));
    assert_eq!(server.ask("GET", "/metrics", "").0, 401);
    let main = std::mem::replace(&mut server.address, probes.to_string());
    for path in ["/healthz", "/readyz", "/metrics"] {
        assert_eq!(server.ask("GET", path, "").0, 200, "{path}");
    }
    assert_eq!(server.ask("GET", "/login", "").0, 404, "nothing else is answered there");
    server.address = main;
    server.signal("-TERM");
    assert!(server.process.wait().unwrap().success());
    let both = assize(&["serve", "--bind", "127.0.0.1:0", "--port", "1"]);
    assert_eq!(both.code, 2, "{}", both.stderr);
}
