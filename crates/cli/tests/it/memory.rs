//! What somebody else sends must not fill our memory: the binary's peak, as the kernel saw it.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use assize_injector::{Fault, Script, When};

use crate::clerk::Clerk;

/// In kilobytes; the whole process with everything it has mapped.
const PEAK_MAX: u64 = 200_000;

/// Runs the binary and watches its memory. What it said, how it ended, and its peak.
fn watched(arguments: &[String]) -> (String, Option<i32>, u64) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_assize"))
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stderr = child.stderr.take().unwrap();
    let reading = std::thread::spawn(move || std::io::read_to_string(&mut stderr).unwrap());
    let path = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    // The peak only rises, so that the last look before the end is enough.
    let status = loop {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        peak = peak.max(kilobytes.unwrap_or(0));
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    (reading.join().unwrap(), status.code(), peak)
}

fn words(arguments: &[&str]) -> Vec<String> {
    arguments.iter().map(ToString::to_string).collect()
}

/// What eight requests came to that all met the same fault, in one protocol: the reason that is
/// kept with each, and the peak.
fn met(protocol: &str, fault: Fault) -> (String, u64) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("policy.txt"), "Accounts are reviewed every year.").unwrap();
    let criteria = "criteria_id,requirement\nA,One.\nB,Two.\nC,Three.\nD,Four.\nE,Five.\n\
        F,Six.\nG,Seven.\nH,Eight.\n";
    std::fs::write(path("criteria.csv"), criteria).unwrap();
    let clerk = Clerk::start(Script::saying("{}").with(When::Always, fault));
    let settings = format!(
        "[endpoints.local]\nbase_url = '{}'\nprotocol = '{protocol}'\n\
         [endpoints.local.limits]\nretries = 0\n",
        clerk.url()
    );
    std::fs::write(path("assize.toml"), settings).unwrap();
    let (policy, criteria, database) =
        (path("policy.txt"), path("criteria.csv"), path("assize.db"));
    let config = path("assize.toml");
    let (said, code, peak) = watched(&words(&[
        "evaluate",
        &policy,
        "--criteria",
        &criteria,
        "--judge",
        "local/tiny",
        "--database",
        &database,
        "--config",
        &config,
        "--concurrency",
        "8",
    ]));
    assert_eq!(code, Some(3), "{protocol}: {said}");
    let export = ["runs", "export", "1", "--format", "jsonl", "--database", &database];
    (crate::support::assize(&export).stdout, peak)
}

#[test]
fn replies_of_fifty_megabytes_are_refused_before_they_are_read() {
    for protocol in ["openai", "anthropic", "gemini", "ollama"] {
        for fault in [Fault::Huge(50_000_000), Fault::Flood(50_000_000)] {
            let (kept, peak) = met(protocol, fault.clone());
            assert_eq!(
                kept.lines().filter(|item| item.contains("larger than the limit of 4 MB")).count(),
                8,
                "{protocol}: {kept}"
            );
            assert!((1..PEAK_MAX).contains(&peak), "{protocol} {fault:?}: {peak} kB");
        }
    }
}

/// Fifty kilobytes that would be fifty megabytes.
#[test]
fn a_packed_reply_is_never_unpacked() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(&vec![b' '; 50 << 20]).unwrap();
    let bomb = encoder.finish().unwrap();
    for protocol in ["openai", "anthropic", "gemini", "ollama"] {
        let (kept, peak) = met(protocol, Fault::Packed(bomb.clone()));
        let refused = kept.lines().filter(|item| item.contains("it is compressed (`gzip`)"));
        assert_eq!(refused.count(), 8, "{protocol}: {kept}");
        assert!((1..PEAK_MAX).contains(&peak), "{protocol}: {peak} kB");
    }
}

/// A megabyte that would be a gigabyte.
#[test]
fn a_gzip_bomb_is_refused_while_it_is_small() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(&vec![b' '; 8 << 20]).unwrap();
    let member = encoder.finish().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let bomb = folder.path().join("run.trec.gz");
    std::fs::write(&bomb, member.repeat(128)).unwrap();
    let qrels = folder.path().join("qrels.txt");
    std::fs::write(&qrels, "1 0 a 1\n").unwrap();
    let (said, code, peak) =
        watched(&words(&["score", bomb.to_str().unwrap(), qrels.to_str().unwrap()]));
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("expands to more than 100 times its size"), "{said}");
    assert!((1..PEAK_MAX).contains(&peak), "{peak} kB: {said}");
}
