//! A text of ten megabytes, as one statement and cut into a hundred thousand: what reading it adds to
//! the process. A file of its own, because the peak is that of the whole process.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::{Path, PathBuf};

use assize_readers::{LocalReader, Pair, Reader, Statement};

const TEXT_BYTES: usize = 10_000_000;
const GROWTH_MEGABYTES_MAX: u64 = 300;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models").join(name)
}

/// A line of the system's account of this process, in megabytes.
fn megabytes(name: &str) -> u64 {
    let account = fs::read_to_string("/proc/self/status").expect("the system's account");
    let line = account.lines().find(|line| line.starts_with(name)).expect(name);
    let kilobytes = line.split_whitespace().nth(1).expect("a number");
    kilobytes.parse::<u64>().expect("a number") / 1_000
}

/// Statements of a hundred bytes. One in fifty is new: what is the same is read once, and takes as
/// much memory as if it were not.
fn text() -> String {
    let statement = |number: usize| {
        let line = format!(
            "In {number} of the rooms all records of kind {} are kept, and then destroyed by whoever runs it",
            number / 7
        );
        format!("{line:_<98.98}. ")
    };
    (0..TEXT_BYTES / 100).map(|number| statement(number % 2_000)).collect()
}

#[test]
fn a_text_of_ten_megabytes_adds_less_than_300_megabytes() {
    let (encoder, entailment) = (folder("bert-encoder"), folder("bert-entailment"));
    let reader = LocalReader::open(Some(&encoder), Some(&entailment), 100).expect("the models");
    let text = text();
    let before = megabytes("VmRSS");

    let cut: Vec<Statement<'_>> = text
        .split_inclusive(". ")
        .map(|text| Statement { text, heading: Some("Records") })
        .collect();
    assert_eq!(cut.len(), TEXT_BYTES / 100);
    let parts = ["Records are kept for 1999 years.", "Backups are tested."];
    let found = reader.shortlist(&parts, &cut, 4).expect("a list");
    assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [4, 4]);
    assert!(found[0].iter().any(|one| one.figure), "{:?}", found[0]);

    // Nobody cut it: only its beginning is looked at.
    let whole = Statement { text: &text, heading: None };
    reader.shortlist(&parts, &[whole], 4).expect("a list");
    let pairs = [(text.as_str(), parts[0]), (parts[0], text.as_str())]
        .map(|(premise, hypothesis)| Pair { premise, hypothesis });
    let read = reader.entail(&pairs).expect("readings");
    assert!(read.iter().all(|one| one.notes.len() == 1), "{read:?}");

    let growth = megabytes("VmHWM").saturating_sub(before);
    assert!(growth < GROWTH_MEGABYTES_MAX, "{growth} MB");
}
