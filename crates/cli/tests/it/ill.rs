//! `assize serve` while its database is ill, and after: told while it lasts, well when it ends.

use std::io::{Read, Write};
use std::net::TcpStream;
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
/// How long a fault lasts.
const LASTS: Duration = Duration::from_secs(10);
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

/// A process that must not write more gets a signal that would end it, unless it is ignored.
const PLAIN: &str = "trap '' XFSZ; exec \"$0\" \"$@\"";
/// In the folder `disk` is a small disk that the server alone sees.
const ON_A_SMALL_DISK: &str = "mkdir disk; exec unshare --user --map-root-user --mount sh -c \
    'mount -t tmpfs -o size=8m none disk && exec \"$0\" \"$@\"' \"$0\" \"$@\"";

fn start(folder: &Path, more: &[&str]) -> Server {
    started(PLAIN, folder, more)
}

fn started(script: &str, folder: &Path, more: &[&str]) -> Server {
    let server = Server::start_by(script, folder, more);
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
fn a_disk_that_is_full_is_told_and_all_is_well_when_there_is_room() {
    let folder = tempdir().unwrap();
    let server = started(ON_A_SMALL_DISK, folder.path(), &["--database", "disk/assize.db"]);
    let filler = format!("/proc/{}/root{}/disk/filler", server.id(), folder.path().display());
    let mut file = std::fs::File::create(&filler).unwrap();
    while file.write_all(&[0; 4096]).is_ok() {}
    is_ill(&server, 200);
    drop(file);
    std::fs::remove_file(filler).unwrap();
    gets_well(&server);
}

/// What the system says then is that writing failed, and not that there is no room.
#[test]
fn a_disk_that_cannot_be_written_to_is_told_and_all_is_well_when_it_can() {
    let folder = tempdir().unwrap();
    let server = start(folder.path(), &[]);
    limit_files(&server, "4096");
    is_ill(&server, 200);
    let figures = server.ask("GET", "/metrics", "").1;
    let failures =
        figures.lines().find_map(|line| line.strip_prefix("assize_write_failures_total "));
    assert!(failures.unwrap().parse::<u64>().unwrap() >= 3, "{figures}");
    assert!(figures.contains("assize_panics_total 0"), "{figures}");
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
        // A connection that was idle for less than a tenth of a second is taken as it is, and whoever
        // is given one that has just been ended is refused.
        sleep(Duration::from_millis(200));
    };
    change("SET default_transaction_read_only = on");
    is_ill(&server, 200);
    change("RESET default_transaction_read_only");
    gets_well(&server);
    sleep(A_MOMENT);
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

/// Readiness is asked for on a connection that is there already: no other can be accepted.
#[test]
fn a_process_without_file_handles_is_not_ready_and_all_is_well_when_there_are_some() {
    let folder = tempdir().unwrap();
    let server = start(folder.path(), &[]);
    let mut held = TcpStream::connect(server.address()).unwrap();
    let mut ask = |path: &str| {
        write!(held, "GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", server.address()).unwrap();
        let (mut answer, mut piece) = (Vec::new(), [0; 4096]);
        while !String::from_utf8_lossy(&answer).contains('}') {
            let count = held.read(&mut piece).unwrap();
            assert_ne!(count, 0, "closed after {answer:?}");
            answer.extend_from_slice(&piece[..count]);
        }
        String::from_utf8_lossy(&answer)[9..12].parse::<u16>().unwrap()
    };
    assert_eq!(ask("/healthz"), 200);
    let limit = |handles: &str| {
        let id = format!("--pid={}", server.id());
        let status = Command::new("prlimit").args([id, format!("--nofile={handles}:")]).status();
        assert!(status.unwrap().success());
    };
    limit("3");
    let begun = Instant::now();
    while begun.elapsed() < LASTS {
        sleep(A_MOMENT);
        assert_eq!((ask("/readyz"), ask("/healthz")), (503, 200));
    }
    limit("1024");
    gets_well(&server);
}

/// A server that is there and says nothing is the worst: connections to it stay open.
#[test]
fn a_server_of_postgresql_that_freezes_is_told_and_all_is_well_when_it_goes_on() {
    let (folder, postgres) = (tempdir().unwrap(), Postgres::start());
    let server = start(folder.path(), &["--database", &postgres.database()]);
    let frozen = postgres.freeze();
    std::thread::scope(|scope| {
        let meanwhile = scope.spawn(|| make_set(&server, "meanwhile"));
        let begun = Instant::now();
        while begun.elapsed() < LASTS {
            assert_eq!(server.ask("GET", "/readyz", "").0, 503);
            assert_eq!(server.ask("GET", "/healthz", "").0, 200);
            sleep(A_MOMENT);
        }
        drop(frozen);
        gets_well(&server);
        // What was told is true, whichever it is.
        let is_made = meanwhile.join().unwrap() == 201;
        let sets = server.json("/api/v1/document-sets").to_string();
        assert_eq!(sets.matches("meanwhile").count(), usize::from(is_made), "{sets}");
    });
}

/// Opens a request whose body never comes.
fn slow_body(address: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    let head = format!(
        "POST /login HTTP/1.1\r\nHost: {address}\r\nContent-Length: 50000\r\n\
         Content-Type: application/x-www-form-urlencoded\r\n\r\nname=a"
    );
    // Who is refused already may find the connection closed.
    let _ = stream.write_all(head.as_bytes());
    stream
}

#[test]
fn two_thousand_bodies_that_never_come_keep_no_probe_waiting() {
    let folder = tempdir().unwrap();
    let script = "ulimit -n 4096; exec \"$0\" \"$@\"";
    let server = Server::start_by(script, folder.path(), &["--auth", "accounts"]);
    let slow: Vec<TcpStream> = (0..2_048).map(|_| slow_body(server.address())).collect();
    for _ in 0..5 {
        let begun = Instant::now();
        assert_eq!(server.ask("GET", "/healthz", "").0, 200);
        assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
        sleep(Duration::from_millis(300));
    }
    assert_eq!(slow.len(), 2_048);
}

/// The most memory that a process had, in MiB.
fn peak_mib(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    let kib: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    kib / 1024
}

#[test]
fn twelve_uploads_at_once_stay_within_memory() {
    let folder = tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    assert_eq!(make_set(&server, "large"), 201);
    // No document: what is measured is how it comes in.
    let noise = (0_u32..30 << 20).map(|place| place.wrapping_mul(2_654_435_761).to_le_bytes()[2]);
    let mut body = b"--x\r\nContent-Disposition: form-data; name=\"file\"; \
        filename=\"a.pdf\"\r\n\r\n"
        .to_vec();
    body.extend(noise);
    body.extend_from_slice(b"\r\n--x--\r\n");
    let address = server.address();
    std::thread::scope(|scope| {
        let uploads: Vec<_> = (0..12)
            .map(|_| {
                scope.spawn(|| {
                    let mut stream = TcpStream::connect(address).unwrap();
                    let head = format!(
                        "POST /api/v1/document-sets/large/documents HTTP/1.1\r\nHost: {address}\r\n\
                         Connection: close\r\nContent-Length: {}\r\n\
                         Content-Type: multipart/form-data; boundary=x\r\n\r\n",
                        body.len()
                    );
                    stream.write_all(head.as_bytes()).unwrap();
                    // Where nothing is optimised, those who wait longest are sent away.
                    let _ = stream.write_all(&body);
                    let mut answer = String::new();
                    stream.read_to_string(&mut answer).unwrap();
                    answer.split(' ').nth(1).unwrap().parse::<u16>().unwrap()
                })
            })
            .collect();
        for upload in uploads {
            let status = upload.join().unwrap();
            assert!((400..500).contains(&status), "{status}");
        }
    });
    let peak = peak_mib(&server);
    assert!(peak < 300, "{peak} MiB");
}
