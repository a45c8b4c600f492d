//! `assize serve` while its database is ill, and after: told while it lasts, well when it ends.

use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use assize_testbed::Postgres;
use serde_json::json;
use tempfile::tempdir;

use crate::serve::Server;

/// How soon the server is well after the cause ended.
const WELL_AFTER: Duration = Duration::from_secs(5);
/// Longer than a probe's answer stands.
const A_MOMENT: Duration = Duration::from_millis(1_100);

fn make_set(server: &Server, name: &str) -> u16 {
    server.ask("POST", "/api/v1/document-sets", &json!({"name": name}).to_string()).0
}

/// While it lasts nothing is written, and the server says so; reading goes on if `reads`.
fn is_ill(server: &Server, reads: u16) {
    for name in ["lost one", "lost two", "lost three"] {
        let status = make_set(server, name);
        assert!(status >= 500, "{name}: {status}");
        assert_eq!(server.ask("GET", "/readyz", "").0, 503);
        assert_eq!(server.ask("GET", "/healthz", "").0, 200);
        assert_eq!(server.ask("GET", "/api/v1/document-sets", "").0, reads);
        sleep(A_MOMENT);
    }
}

/// What was told is true: what was kept is there, what was refused is not.
fn gets_well(server: &Server) {
    let ended = Instant::now();
    while server.ask("GET", "/readyz", "").0 != 200 {
        assert!(ended.elapsed() < WELL_AFTER, "not ready {:?} after the cause", ended.elapsed());
        sleep(Duration::from_millis(100));
    }
    assert_eq!(make_set(server, "after"), 201);
    let sets = server.json("/api/v1/document-sets").to_string();
    assert!(sets.contains("before") && sets.contains("after") && !sets.contains("lost"), "{sets}");
}

fn start(folder: &Path, more: &[&str]) -> Server {
    // A process that must not write more gets a signal that would end it, unless it is ignored.
    let server = Server::start_by("trap '' XFSZ; exec \"$0\" \"$@\"", folder, more);
    assert_eq!(make_set(&server, "before"), 201);
    assert_eq!(server.ask("GET", "/readyz", "").0, 200);
    sleep(A_MOMENT);
    server
}

/// The largest file that a process may write: what is beyond fails as on a disk that is full.
fn limit_files(server: &Server, bytes: &str) {
    let id = format!("--pid={}", server.id());
    let limit = format!("--fsize={bytes}:unlimited");
    assert!(Command::new("prlimit").args([id, limit]).status().unwrap().success());
}

#[test]
fn a_disk_that_cannot_be_written_to_is_told_and_all_is_well_when_it_can() {
    let folder = tempdir().unwrap();
    let server = start(folder.path(), &[]);
    limit_files(&server, "4096");
    is_ill(&server, 200);
    limit_files(&server, "unlimited");
    gets_well(&server);
}

#[test]
fn a_server_of_postgresql_that_only_reads_or_is_gone_is_told_and_all_is_well_after() {
    let (folder, postgres) = (tempdir().unwrap(), Postgres::start());
    let url = postgres.database();
    let server = start(folder.path(), &["--database", &url]);
    let name = url.split(['/', '?']).nth(3).unwrap();
    let change = |setting: &str| {
        let altered = format!("BEGIN READ WRITE; ALTER DATABASE {name} {setting}; COMMIT");
        postgres.ask(&url, &altered);
        postgres.ask(
            &url,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'assize'",
        );
    };
    change("SET default_transaction_read_only = on");
    is_ill(&server, 200);
    change("RESET default_transaction_read_only");
    gets_well(&server);
    postgres.stop();
    assert_eq!(server.ask("GET", "/readyz", "").0, 503);
    postgres.resume();
    let ended = Instant::now();
    while server.ask("GET", "/readyz", "").0 != 200 {
        assert!(ended.elapsed() < WELL_AFTER, "not ready {:?} after the cause", ended.elapsed());
        sleep(Duration::from_millis(100));
    }
    assert_eq!(make_set(&server, "at last"), 201);
}
