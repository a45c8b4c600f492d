//! Many at once: bodies that never come, large uploads, watchers.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::tempdir;

use super::patient::{Patient, make_set};
use crate::serve::Server;

/// A server and a test have a handle for each connection.
const MANY_HANDLES: &str = "ulimit -n 4096; exec \"$0\" \"$@\"";
const WATCHERS: usize = 1_000;

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
    let server = Server::start_by(MANY_HANDLES, folder.path(), &["--auth", "accounts"]);
    let slow: Vec<TcpStream> = (0..2_048).map(|_| slow_body(server.address())).collect();
    for _ in 0..5 {
        probe(&server);
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

/// The server still answers a probe at once.
fn probe(server: &Server) {
    let begun = Instant::now();
    assert_eq!(server.ask("GET", "/healthz", "").0, 200);
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
}

/// Reads a stream of events to its end: how many there were, and what the last one said.
fn watch(mut stream: TcpStream) -> (usize, String) {
    let mut whole = String::new();
    stream.read_to_string(&mut whole).unwrap();
    assert!(whole.starts_with("HTTP/1.0 200"), "{whole}");
    let last = whole.rsplit("data: ").next().unwrap_or_default().to_owned();
    (whole.matches("event: ").count(), last)
}

/// Each is told of the run's progress and of its end, and nobody keeps a probe waiting.
#[test]
fn a_thousand_watch_a_run_to_its_end_and_keep_no_probe_waiting() {
    let patient = Patient::admit(tempdir().unwrap(), MANY_HANDLES, "assize.db");
    let server = &patient.server;
    let open = |_| {
        let mut stream = TcpStream::connect(server.address()).unwrap();
        let host = server.address();
        write!(stream, "GET /api/v1/runs/1/events HTTP/1.0\r\nHost: {host}\r\n\r\n").unwrap();
        stream
    };
    let watchers: Vec<TcpStream> = (0..WATCHERS).map(open).collect();
    for _ in 0..5 {
        probe(server);
        sleep(Duration::from_millis(300));
    }
    patient.has_finished();
    for stream in watchers {
        let (events, last) = watch(stream);
        assert!(events >= 1 && last.contains("\"state\":\"done\""), "{events}: {last}");
    }
    probe(server);
}
