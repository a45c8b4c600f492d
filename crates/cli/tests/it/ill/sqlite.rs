//! What can happen to a database that is a file.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::thread::sleep;
use std::time::Instant;

use tempfile::tempdir;

use super::patient::{A_MOMENT, FailingCalls, LASTS, PLAIN, Patient, side_by_side};
use crate::serve::Server;

const FILE: &str = "assize.db";

#[test]
fn a_server_over_a_file_says_that_it_is_ill_and_recovers_with_nothing_lost_or_doubled() {
    side_by_side(&[
        ("the disk is full", the_disk_is_full),
        ("files cannot grow", files_cannot_grow),
        ("the disk fails", the_disk_fails),
        ("the disk only reads", the_disk_only_reads),
        ("somebody holds the file", somebody_holds_the_file),
        ("no handles are left", no_handles_are_left),
    ]);
}

/// The words that give a process disks of its own. Where the machine refuses that, a full disk
/// cannot be had, and the test fails rather than says that all is well.
fn own_disks() -> &'static str {
    let ways = ["unshare --mount", "unshare --user --map-root-user --mount"];
    let mut refusals = String::new();
    for way in ways {
        let said = Command::new("sh").args(["-c", &format!("{way} true")]).output().unwrap();
        if said.status.success() {
            return way;
        }
        let words = String::from_utf8_lossy(&said.stderr);
        refusals.extend(["\n", way, ": ", words.trim()]);
    }
    panic!(
        "no process can have a disk of its own here, and this test is not skipped: run it as root, \
         or allow user namespaces (`sysctl kernel.apparmor_restrict_unprivileged_userns=0` on \
         Ubuntu){refusals}"
    );
}

/// In the folder `disk` is a small disk that the server alone sees.
fn the_disk_is_full() {
    let script = format!(
        "mkdir disk; exec {} sh -c 'mount -t tmpfs -o size=32m none disk && exec \"$0\" \"$@\"' \
         \"$0\" \"$@\"",
        own_disks()
    );
    let patient = Patient::admit(tempdir().unwrap(), &script, "disk/assize.db");
    let filler = format!("/proc/{}/cwd/disk/filler", patient.server.id());
    let mut file = std::fs::File::create(&filler).unwrap();
    while file.write_all(&[0; 4096]).is_ok() {}
    patient.is_ill(200..=200);
    drop(file);
    std::fs::remove_file(filler).unwrap();
    patient.gets_well();
    patient.has_finished();
    assert!(patient.failed_writes() >= 3);
}

/// What is beyond this limit fails. What the system says then is that writing failed, and not that
/// there is no room.
fn limit_files(server: &Server, bytes: &str) {
    let id = format!("--pid={}", server.id());
    let limit = format!("--fsize={bytes}:unlimited");
    assert!(Command::new("prlimit").args([id, limit]).status().unwrap().success());
}

fn files_cannot_grow() {
    let patient = Patient::admit(tempdir().unwrap(), PLAIN, FILE);
    limit_files(&patient.server, "4096");
    patient.is_ill(200..=200);
    limit_files(&patient.server, "unlimited");
    patient.gets_well();
    patient.has_finished();
    assert!(patient.failed_writes() >= 3);
}

/// Every write of the database and of its journal fails.
fn writes_fail(error: &str) {
    let patient = Patient::admit(tempdir().unwrap(), PLAIN, FILE);
    let file = |end: &str| patient.path().join(format!("{FILE}{end}")).to_str().unwrap().to_owned();
    let files = ["", "-wal"].map(file);
    let failing = FailingCalls::start(&[patient.server.id()], error, &files);
    patient.is_ill(200..=200);
    drop(failing);
    patient.gets_well();
    patient.has_finished();
    assert!(patient.failed_writes() >= 3);
}

fn the_disk_fails() {
    writes_fail("EIO");
}

/// As when the system finds a disk sick and lets nobody write to it any more.
fn the_disk_only_reads() {
    writes_fail("EROFS");
}

/// Another process writes, and does not get to its end.
fn somebody_holds_the_file() {
    use sqlx::Connection;
    let patient = Patient::admit(tempdir().unwrap(), PLAIN, FILE);
    let holder = patient.clerk.runtime.block_on(async {
        let url = format!("sqlite:{}", patient.path().join(FILE).display());
        let mut holder = sqlx::SqliteConnection::connect(&url).await.unwrap();
        sqlx::query("BEGIN IMMEDIATE").execute(&mut holder).await.unwrap();
        holder
    });
    patient.is_frozen(holder);
    patient.has_finished();
}

/// Readiness is asked for on a connection that is there already: no other can be accepted.
fn no_handles_are_left() {
    let patient = Patient::admit(tempdir().unwrap(), PLAIN, FILE);
    runs_out_of_handles(&patient);
}

pub(super) fn runs_out_of_handles(patient: &Patient) {
    let server = &patient.server;
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
    patient.gets_well();
    patient.has_finished();
}
