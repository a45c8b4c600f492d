//! Killed with -9 twenty times: what is resumed ends like what was never disturbed.

use std::collections::BTreeMap;
use std::thread::sleep;
use std::time::Duration;

use assize_injector::Script;
use serde_json::{Value, json};

use crate::bed::{Bed, Judge, answer, criterion};

const KILLS: u64 = 20;
const CRITERIA: usize = 60;
const CONCURRENCY: u64 = 2;

/// A policy that answers every third criterion, and the criteria.
fn material(bed: &Bed) -> (String, String) {
    let sentence =
        |number: usize| format!("The officer of room {number} locks door {number} each night. ");
    let policy: String = (0..CRITERIA).filter(|number| number % 3 == 0).map(sentence).collect();
    let rows: String = (0..CRITERIA)
        .map(|number| {
            format!("C-{number},The officer of room {number} locks door {number} each night.\n")
        })
        .collect();
    let criteria = format!("criteria_id,requirement\n{rows}");
    (bed.file("policy.txt", policy), bed.file("criteria.csv", criteria))
}

fn scores(bed: &Bed) -> BTreeMap<String, Value> {
    let run = bed.assize(&["runs", "show", "latest", "--format", "json"]).fine().json();
    assert_eq!(run["state"], "done", "{run}");
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), CRITERIA);
    let pair = |one: &Value| (one["criteria_id"].as_str().unwrap().to_owned(), one.clone());
    results.iter().map(pair).collect()
}

/// Kills whoever works on the latest run, again and again, at moments that look random.
fn kill_again_and_again(bed: &Bed, first: &[&str], resume: &[&str]) {
    let mut moment = 0x5eed_u64;
    let mut child = bed.spawn(first);
    for _ in 0..KILLS {
        moment = moment.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        sleep(Duration::from_millis(150 + (moment >> 33) % 200));
        child.kill().unwrap();
        child.wait().unwrap();
        let planned = bed.assize(&["runs", "list", "--format", "json"]).fine().json();
        let is_planned = !planned.as_array().unwrap().is_empty();
        child = bed.spawn(if is_planned { resume } else { first });
    }
    child.kill().unwrap();
    child.wait().unwrap();
    bed.assize(resume).fine();
}

#[test]
fn a_model_run_killed_twenty_times_asks_nothing_twice_that_was_answered() {
    let say = |request: &assize_injector::Request| {
        let number: usize = criterion(request)[2..].parse().unwrap();
        answer(json!(number), &format!("The officer of room {} locks", number / 3 * 3))
    };
    let script = Script::answering(say).after(Duration::from_millis(60));
    for bed in Bed::both() {
        let judge = Judge::start(script.clone());
        let url = judge.url();
        let (policy, criteria) = material(&bed);
        let asked = ["--endpoint", &url, "--concurrency", "2"];
        let first = ["evaluate", &policy, "--criteria", &criteria, "--judge", "local/clerk"];
        let resume = [&["runs", "resume", "latest"], &asked[..]].concat();
        kill_again_and_again(&bed, &[&first[..], &asked[..]].concat(), &resume);
        let found = scores(&bed);
        for (number, (_, one)) in (0..CRITERIA)
            .map(|number| (number, found.get_key_value(&format!("C-{number}")).unwrap()))
        {
            assert_eq!(one["score"].as_f64(), Some(number as f64));
        }
        // Only what was under way when its process died was asked again.
        let seen = judge.server.seen();
        assert!(
            seen >= CRITERIA as u64 && seen <= CRITERIA as u64 + (KILLS + 1) * CONCURRENCY,
            "{seen}"
        );
        // Everything is kept: the same questions in a new run ask nobody.
        bed.assize(&[&first[..], &asked[..]].concat()).fine();
        assert_eq!(judge.server.seen(), seen);
        assert_eq!(scores(&bed), found);
    }
}

#[test]
fn a_rule_run_killed_twenty_times_ends_like_one_that_was_not() {
    for bed in Bed::both() {
        let (policy, criteria) = material(&bed);
        let first = ["evaluate", &policy, "--criteria", &criteria];
        bed.assize(&first).fine();
        let undisturbed = scores(&bed);
        let other = bed.path("again.txt");
        std::fs::copy(&policy, &other).unwrap();
        let mut moment = 0xfeed_u64;
        for _ in 0..KILLS {
            moment = moment.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let mut child = bed.spawn(&["evaluate", &other, "--criteria", &criteria]);
            sleep(Duration::from_millis((moment >> 33) % 80));
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let runs = bed.assize(&["runs", "list", "--format", "json"]).fine().json();
        let left = runs.as_array().unwrap().iter().filter(|run| run["state"] != "done");
        for run in left {
            bed.assize(&["runs", "resume", run["run"].as_str().unwrap()]).fine();
        }
        bed.assize(&["evaluate", &other, "--criteria", &criteria]).fine();
        for (id, one) in scores(&bed) {
            assert_eq!(one["score"], undisturbed[&id]["score"], "{id}");
        }
    }
}
