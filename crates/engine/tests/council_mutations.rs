//! Records that were changed and named anew: nothing that decides changes in silence.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod mutated;

use std::fs;
use std::path::Path;

use assize_engine::council::file::FileError;
use assize_engine::council::verify::Tally;
use assize_engine::council::{CouncilRun, SigningKey};
use assize_methods::council::jury::Decision;
use assize_methods::council::{Profile, Settings, profile_for};
use serde_json::{Value, json};

use mutated::{Base, mutations, put, renamed, reply, sound, whole};

/// Findings that say that a record is not what its writer noted.
const SAID: [&str; 3] = ["outcome_not_noted", "outcome_differs", "ballot_read_again"];

fn read(text: &str) -> Result<CouncilRun, FileError> {
    CouncilRun::from_text(Path::new("record"), text, None)
}

/// All that must not move in silence: who wins with which score, the cap and what the gate says,
/// what a jury decides, and who would have won before a second round.
#[derive(Debug, PartialEq)]
struct Decided {
    tally: Tally,
    jury: Vec<Decision>,
    first_winners: Option<Vec<usize>>,
}

fn decided(run: &CouncilRun) -> Decided {
    let verdict = run.verdict();
    let jury = verdict.jury.iter().flat_map(|jury| &jury.answers);
    Decided {
        tally: Tally::new(run),
        jury: jury.map(|answer| answer.decision).collect(),
        first_winners: verdict.revision.map(|revision| revision.first_winners),
    }
}

fn ranks(run: &CouncilRun) -> Vec<Option<usize>> {
    Tally::new(run).answers.iter().map(|line| line.rank).collect()
}

#[test]
fn a_sound_record_is_read_back_as_it_was() {
    let run = sound();
    let back = read(&renamed(run.to_value(None))).unwrap();
    assert_eq!(decided(&back), decided(&run));
    assert_eq!(ranks(&run), [Some(1), Some(2), Some(3), Some(4)]);
    let codes: Vec<&str> = back.notices.iter().map(|notice| notice.code.as_ref()).collect();
    assert_eq!(codes, ["unsigned"]);
}

/// Without its trust, its second round or a vote it would come to something else.
#[test]
fn a_record_with_everything_in_it_is_read_back_as_it_was() {
    let run = whole();
    let back = read(&renamed(run.to_value(None))).unwrap();
    let codes: Vec<&str> = back.notices.iter().map(|notice| notice.code.as_ref()).collect();
    assert_eq!(codes, ["unsigned"]);
    let found = decided(&run);
    assert_eq!(decided(&back), found);
    assert_eq!(ranks(&run), [Some(1), Some(2), Some(3), Some(4)]);
    assert_eq!(found.first_winners, Some(vec![1]));
    let (yes, no) = (Decision::Yes, Decision::No);
    assert_eq!(found.jury, [yes, no, no, Decision::FailsGate]);
    let equal = CouncilRun { settings: Settings { trust: None, ..run.settings.clone() }, ..run };
    assert_eq!(ranks(&equal)[..2], [Some(2), Some(1)]);
}

#[test]
fn no_mutation_changes_a_winner_a_cap_or_the_gate_in_silence() {
    let mutations = mutations();
    assert!(mutations.len() >= 200, "{} mutations", mutations.len());
    let (expected_sound, expected_whole) = (decided(&sound()), decided(&whole()));
    let (mut refused, mut told, mut silent) = (0, 0, Vec::new());
    for mutation in &mutations {
        let Ok(back) = read(&mutation.text()) else {
            refused += 1;
            continue;
        };
        let expected = match mutation.base {
            Base::Sound => &expected_sound,
            Base::Whole => &expected_whole,
        };
        if decided(&back) != *expected {
            let said = back.notices.iter().any(|notice| SAID.contains(&notice.code.as_ref()));
            if !said {
                silent.push(mutation.id.as_str());
            }
            told += 1;
        }
    }
    assert!(silent.is_empty(), "these go through in silence: {silent:#?}");
    assert!(refused >= 170, "{refused} refused, {told} told");
}

/// Other languages read the records from files.
#[test]
fn the_records_beside_the_table_are_the_ones_that_are_changed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/council-mutations");
    for (base, name) in [(Base::Sound, "sound.json"), (Base::Whole, "whole.json")] {
        let expected = renamed(base.run().to_value(None));
        let found = fs::read_to_string(folder.join(name)).unwrap_or_default();
        let is_same = found.trim_end() == expected;
        // Where a record changes for a good reason, this is what belongs into the file.
        assert!(is_same, "{name} is not the record of the table; expected:\n{expected}");
    }
}

/// With the operator's key no changed content is read, whatever was changed in it.
#[test]
fn no_mutation_of_a_signed_record_is_read() {
    let mut refused = 0;
    let key = SigningKey::new("the operator's own secret").unwrap();
    for base in [Base::Sound, Base::Whole] {
        let written = base.run().to_value(Some(&key));
        let signature = written["signature"].as_str().unwrap();
        for mutation in mutations().iter().filter(|mutation| mutation.base == base) {
            let text = mutation.text();
            let (head, content) = text.split_once(",\"").unwrap();
            let (id, content) = content.split_once(',').unwrap();
            let signed = format!("{head},\"{id},\"signature\":\"{signature}\",{content}");
            let end = CouncilRun::from_text(Path::new("record"), &signed, Some(&key));
            match end {
                // What stands before the content, such as the format, is not signed.
                Ok(run) => assert_eq!(run.to_value(Some(&key)), written, "{}", mutation.id),
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused >= 210, "{refused} refused");
}

/// The same council with a second round, in which everybody stays with its marks.
fn in_two_rounds() -> CouncilRun {
    let mut run = sound();
    run.settings.rounds = 2;
    for reviewer in &mut run.record.reviewers {
        let (replies, heard) = (reviewer.replies.clone(), reviewer.heard.clone());
        reviewer.revise(replies, heard);
    }
    run
}

#[test]
fn both_rounds_are_read_again_and_the_first_cannot_stand_in_for_the_second() {
    let run = in_two_rounds();
    let order: Vec<usize> = run.record.reviewers[0].seating.order.iter().rev().copied().collect();
    let written = run.to_value(None);
    assert!(read(&renamed(written.clone())).is_ok());
    let reviewer = "/record/reviewers/0";
    let other_reply = json!([reply(&order)]);
    let mark = "ballot/reviews/0/marks/accuracy/value";
    for (at, value, part) in [
        (format!("{reviewer}/first/heard/{mark}"), json!(1.0), "reviewers[0].first"),
        (format!("{reviewer}/first/replies"), other_reply.clone(), "reviewers[0].first"),
        (format!("{reviewer}/first/replies"), json!([]), "reviewers[0].first"),
        (format!("{reviewer}/heard/{mark}"), json!(1.0), "reviewers[0].heard"),
        (format!("{reviewer}/replies"), other_reply, "reviewers[0].heard"),
        ("/settings/rounds".to_owned(), json!(1), "reviewers[0].first"),
    ] {
        let mut file = written.clone();
        put(&mut file, &at, value);
        let error = read(&renamed(file)).expect_err(&at).to_string();
        assert!(error.contains(&format!("record.{part} does not match")), "{at}: {error}");
    }
    // Replies of the second round that went missing leave the marks of the first.
    let mut file = written;
    put(&mut file, &format!("{reviewer}/replies"), json!([]));
    assert_eq!(decided(&read(&renamed(file)).unwrap()), decided(&run));
}

/// A rubric that the question chose follows from the question.
#[test]
fn a_rubric_that_the_question_does_not_choose_is_refused() {
    let mut run = sound();
    let (name, choice) = profile_for(&run.record.question);
    run.settings.profile = Profile::built_in(&name).unwrap();
    run.settings.profile_choice = Some(choice);
    // Other weights were in the prompt, and the replies stay what they are.
    let written = run.to_value(None);
    assert!(read(&renamed(written.clone())).is_ok());
    let mut file = written;
    put(&mut file, "/record/question", json!("Write a haiku about quartz."));
    let error = read(&renamed(file)).unwrap_err().to_string();
    assert!(error.contains("settings.profile_choice does not match"), "{error}");
}

#[test]
fn a_refusal_names_the_part_that_disagrees() {
    for (at, value, part) in [
        ("/record/reviewers/0/heard/ballot/reviews/0/marks/accuracy/value", json!(1.0), "heard"),
        ("/record/reviewers/0/seating/order", json!([0, 1, 2, 3]), "seating"),
        ("/record/seed", json!(8), "seating"),
        ("/record/gate/outcomes/3/passed", json!(true), "record.gate"),
        ("/record/gate/cap", json!(5.0), "outcome"),
        ("/settings/profile/ceiling/steps", json!([]), "settings.profile"),
        ("/seats/members/0/model", json!("local/other"), "seats.members"),
    ] {
        let mut file = sound().to_value(None);
        put(&mut file, at, value);
        let error = read(&renamed(file)).unwrap_err().to_string();
        let start = error.split(" does not match").next().unwrap();
        assert!(start.ends_with(part), "{at}: {error}");
    }
}

/// Whoever rewrites everything consistently still lacks the operator's key.
#[test]
fn a_record_that_is_signed_cannot_be_rewritten() {
    let key = SigningKey::new("the operator's own secret").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.json");
    sound().write(Some(&path), Some(&key)).unwrap();
    let signed = CouncilRun::read(&path, Some(&key)).unwrap();
    assert!(signed.notices.is_empty(), "{:?}", signed.notices);
    let text = fs::read_to_string(&path).unwrap();
    let mut forged = sound();
    forged.record.question = "What is glass?".to_owned();
    let mut value = forged.to_value(None);
    let stolen: Value = serde_json::from_str(&text).unwrap();
    let signature = stolen["signature"].as_str().unwrap();
    let id = value["id"].as_str().unwrap().to_owned();
    let map = value.as_object_mut().unwrap();
    map.shift_remove("assize_council");
    map.shift_remove("id");
    let content = value.to_string();
    let forged = format!(
        "{{\"assize_council\":2,\"id\":\"{id}\",\"signature\":\"{signature}\",{}",
        &content[1..]
    );
    let error = CouncilRun::from_text(&path, &forged, Some(&key)).unwrap_err().to_string();
    assert!(error.contains("signature"), "{error}");
    let notices = read(&forged).unwrap().notices;
    assert_eq!(notices[0].code.as_ref(), "unsigned");
}
