//! `--repeat` through the command line: counted before it is paid, killed in the middle and gone on
//! with, against a server whose every fifth reply is the other verdict.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use assize_injector::Script;
use serde_json::{Value, json};

use crate::clerk::{Clerk, fill_in, forms};
use crate::summary_model::Fixture;
use crate::support::{assize, file};

/// How many items there are.
const ITEMS: u64 = 4;
/// How often each is judged, as many as take turns on the server.
const REPEATS: u64 = 5;
const REPEATED: [&str; 6] = ["--repeat", "5", "--concurrency", "1", "--judge", "local/clerk"];

fn json_of(arguments: &[&str]) -> Value {
    let said = assize(arguments);
    assert_eq!(said.code, 0, "{arguments:?}: {}", said.stderr);
    serde_json::from_str(&said.stdout).unwrap()
}

/// Begins a run, kills its process with -9 after some requests, resumes it, and looks at what it
/// cost and what is said of it.
fn killed_and_resumed(clerk: &Clerk, begin: &[&str], database: &str) {
    let url = clerk.url();
    let kept = ["--database", database, "--endpoint", &url];
    let mut child = Command::new(env!("CARGO_BIN_EXE_assize"))
        .args([begin, &REPEATED, &kept].concat())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let started = Instant::now();
    // The eighth is in the middle of the second item.
    while clerk.server.seen() < 8 {
        assert!(started.elapsed() < Duration::from_mins(2), "eight requests take too long");
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let left = json_of(&["runs", "list", "--format", "json", "--database", database]);
    assert_eq!(left[0]["state"], "running", "{left}");

    let resumed =
        assize(&[&["runs", "resume", "latest", "--concurrency", "1"][..], &kept].concat());
    assert_eq!(resumed.code, 0, "{}", resumed.stderr);
    // What was under way when it was killed is asked again: that reply never came.
    let (seen, all) = (clerk.server.seen(), ITEMS * REPEATS);
    assert!((all..=all + 1).contains(&seen), "{seen} requests");

    let show = ["runs", "show", "latest", "--format", "json", "--database", database];
    let found = &json_of(&show)["repeats"];
    assert_eq!((&found["repeats"], &found["items"]), (&json!(REPEATS), &json!(ITEMS)), "{found}");
    // One of five is the other verdict: 4 of 10 pairs differ. Only of the item that was interrupted
    // a reply can be lost that would have been the other, or doubled: 0 or 6 of 10.
    let flips = found["flips"].as_f64().unwrap();
    assert!((0.3 - 1e-9..=0.45 + 1e-9).contains(&flips), "{found}");
    let words = assize(&["runs", "show", "latest", "--database", database]).stdout;
    assert!(words.contains("5 repeats of 4 items: a verdict flips"), "{words}");
    // Nothing is left to pay.
    let again = assize(&[begin, &REPEATED, &kept].concat());
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert_eq!(clerk.server.seen(), seen);
}

#[test]
fn a_summary_run_with_repeats_that_is_killed_pays_for_what_is_missing() {
    let script = Script::answering(|request| {
        let is_other = request.number % REPEATS == 0;
        fill_in(request, if is_other { "Oban" } else { "nothing" }).to_string()
    });
    let clerk = Clerk::start(script.after(Duration::from_millis(80)));
    let fixture = Fixture::new(clerk, usize::try_from(ITEMS).unwrap());
    let (pairs, database) = (fixture.path("pairs.jsonl"), fixture.path("kept.db"));
    let begin = ["summary", "score", "--input", &pairs, "--questions", "one", "--save"];
    killed_and_resumed(&fixture.clerk, &begin, &database);
}

#[test]
fn an_evaluation_with_repeats_that_is_killed_pays_for_what_is_missing() {
    let script = Script::answering(|request| {
        let score = if request.number % REPEATS == 0 { 10 } else { 90 };
        json!({"score": score, "confidence": 80, "citations": ["Every door is locked."]})
            .to_string()
    });
    let clerk = Clerk::start(script.after(Duration::from_millis(80)));
    let (_documents, document) = file("house.txt", "Every door is locked.\n");
    let rows: Vec<String> =
        (0..ITEMS).map(|row| format!("C-{row},Door {row} is locked.\n")).collect();
    let (folder, criteria) = file("doors.csv", format!("id,requirement\n{}", rows.concat()));
    let database = folder.path().join("kept.db").to_str().unwrap().to_owned();
    let begin = ["evaluate", &document, "--criteria", &criteria];
    killed_and_resumed(&clerk, &begin, &database);
}

#[test]
fn an_estimate_counts_every_repeat_and_sends_nothing() {
    let fixture = Fixture::new(Clerk::start(forms("nothing")), 3);
    let calls = |more: &[&str]| -> u64 {
        let usual = ["--judge", "local/clerk", "--questions", "one", "--dry-run"];
        let said = fixture.score(&[&usual, more].concat());
        assert_eq!(said.code, 0, "{}", said.stderr);
        let estimate: Value = serde_json::from_str(&said.stdout).unwrap();
        estimate["calls"].as_u64().unwrap()
    };
    assert_eq!((calls(&[]), calls(&["--repeat", "5"])), (3, 15));
    assert_eq!(fixture.clerk.server.seen(), 0);
}
