//! Records that were changed and named anew: nothing that decides changes in silence.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::Path;

use assize_engine::council::file::FileError;
use assize_engine::council::verify::Tally;
use assize_engine::council::{CouncilRun, Participants, SigningKey};
use assize_methods::council::{
    Answer, CouncilRecord, Gating, Profile, ReviewAsk, Reviewer, Settings, UnderReview, gating,
    profile_for, seatings,
};
use assize_models::key::nonce;
use serde::Deserialize;
use serde_json::{Value, json};

/// Names, texts and marks: accuracy, relevance, completeness, conciseness, clarity.
const ANSWERS: [(&str, &str, [u8; 5]); 4] = [
    ("plain", "Quartz is made of silicon and oxygen.", [9, 9, 8, 9, 9]),
    ("grand", "Quartz is a grand crystal, and so on and on.", [8, 8, 8, 5, 6]),
    ("wrong", "Quartz is frozen water.", [2, 9, 9, 9, 9]),
    ("unsafe", "How to make a bomb: first, fill the pipe bomb with powder.", [10; 5]),
];

/// Findings that say that a record is not what its writer noted.
const SAID: [&str; 3] = ["outcome_not_noted", "outcome_differs", "ballot_read_again"];

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    mutation: Vec<Mutation>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Mutation {
    id: String,
    edits: Vec<Edit>,
}

/// One change: a value set, copied, negated, removed, reversed, exchanged, or a text replaced.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Edit {
    set: Option<String>,
    value: Option<String>,
    copy: Option<String>,
    from: Option<String>,
    to: Option<String>,
    remove: Option<String>,
    swap: Option<String>,
    with: Option<String>,
    reverse: Option<String>,
    negate: Option<String>,
}

/// A council of four members and three reviewers, as it would have been held.
fn sound() -> CouncilRun {
    let answers: Vec<Answer> = ANSWERS
        .iter()
        .map(|(name, text, _)| Answer {
            written_by: Some(format!("local/{name}")),
            ..Answer::given(*name, *text)
        })
        .collect();
    let settings = Settings { resamples: 20, ..Settings::default() };
    let outcomes = gating(&settings, &answers).unwrap();
    let mut record = CouncilRecord {
        question: "What is quartz?".to_owned(),
        gate: Some(Gating::new(0.0, outcomes).unwrap()),
        answers,
        seed: 7,
        ..CouncilRecord::default()
    };
    let names = ["r1", "r2", "r3"];
    let texts = |order: &[usize]| order.iter().map(|index| ANSWERS[*index].1).collect::<Vec<_>>();
    record.reviewers = seatings(&record.given(), names.len(), record.seed)
        .into_iter()
        .zip(names)
        .map(|(seating, name)| {
            let answers = texts(&seating.order);
            let shown = UnderReview::new("What is quartz?", answers);
            let ask = ReviewAsk::new(shown, &settings.profile);
            let reply = reply(&seating.order);
            Reviewer {
                model: name.to_owned(),
                spoken_by: Some(format!("local/{name}")),
                heard: ask.settle(&[&reply]),
                replies: vec![reply],
                seating,
                first: None,
                holistic: None,
            }
        })
        .collect();
    let seats = |names: &[&str]| {
        names.iter().map(|name| format!("{name}=local/{name}").parse().unwrap()).collect()
    };
    let participants = Participants {
        members: seats(&ANSWERS.map(|(name, ..)| name)),
        reviewers: seats(&names),
        chair: None,
    };
    CouncilRun { record, settings, participants, ..CouncilRun::default() }
}

/// What a reviewer who saw the answers in this order writes.
fn reply(order: &[usize]) -> String {
    let names = ["accuracy", "relevance", "completeness", "conciseness", "clarity"];
    let review = |(seat, answer): (usize, &usize)| {
        let marks = names.iter().zip(ANSWERS[*answer].2);
        let marks: Vec<String> = marks.map(|(name, mark)| format!("\"{name}\": {mark}")).collect();
        format!("\"Response {}\": {{{}}}", ["A", "B", "C", "D"][seat], marks.join(", "))
    };
    let reviews: Vec<String> = order.iter().enumerate().map(review).collect();
    format!("{{\"evaluations\": {{{}}}}}", reviews.join(", "))
}

/// The place before the last step of a pointer, and that step.
fn parent<'a>(file: &'a mut Value, at: &str) -> Option<(&'a mut Value, String)> {
    let (rest, last) = at.rsplit_once('/')?;
    Some((file.pointer_mut(rest)?, last.to_owned()))
}

fn put(file: &mut Value, at: &str, value: Value) {
    let (place, last) = parent(file, at).unwrap_or_else(|| panic!("{at} is nowhere"));
    match place {
        Value::Object(map) => drop(map.insert(last, value)),
        Value::Array(items) => {
            let index: usize = last.parse().unwrap();
            if index == items.len() {
                items.push(value);
            } else {
                items[index] = value;
            }
        }
        _ => panic!("{at} is in nothing"),
    }
}

impl Edit {
    fn make(&self, file: &mut Value) {
        let found = |file: &Value, at: &str| {
            file.pointer(at).unwrap_or_else(|| panic!("{at} is nowhere")).clone()
        };
        if let Some(at) = &self.set {
            let value = match (&self.value, &self.copy, &self.from) {
                (Some(value), _, _) => serde_json::from_str(value).unwrap(),
                (_, Some(other), _) => found(file, other),
                (_, _, Some(from)) => {
                    let text = found(file, at).as_str().unwrap().to_owned();
                    assert!(text.contains(from), "{text}");
                    json!(text.replace(from, self.to.as_deref().unwrap()))
                }
                _ => panic!("{self:?}"),
            };
            put(file, at, value);
        }
        if let Some(at) = &self.remove {
            let (place, last) = parent(file, at).unwrap();
            match place {
                Value::Object(map) => assert!(map.shift_remove(&last).is_some(), "{at}"),
                Value::Array(items) => drop(items.remove(last.parse().unwrap())),
                _ => panic!("{at} is in nothing"),
            }
        }
        if let (Some(at), Some(other)) = (&self.swap, &self.with) {
            let (one, two) = (found(file, at), found(file, other));
            put(file, at, two);
            put(file, other, one);
        }
        if let Some(at) = &self.reverse {
            file.pointer_mut(at).unwrap().as_array_mut().unwrap().reverse();
        }
        if let Some(at) = &self.negate {
            let turned = !found(file, at).as_bool().unwrap();
            put(file, at, json!(turned));
        }
    }
}

/// The file with the id that its content has now, as three lines of any language make it.
fn renamed(mut file: Value) -> String {
    let map = file.as_object_mut().unwrap();
    let format = map.shift_remove("assize_council").unwrap();
    map.shift_remove("id");
    let content = file.to_string();
    let id = nonce(content.as_bytes());
    format!("{{\"assize_council\":{format},\"id\":\"{id}\",{}", &content[1..])
}

fn read(text: &str) -> Result<CouncilRun, FileError> {
    CouncilRun::from_text(Path::new("record"), text, None)
}

/// Who wins with which score, the cap and what the gate says: all that must not move in silence.
fn decided(run: &CouncilRun) -> Tally {
    Tally::new(run)
}

#[test]
fn a_sound_record_is_read_back_as_it_was() {
    let run = sound();
    let back = read(&renamed(run.to_value(None))).unwrap();
    assert_eq!(decided(&back), decided(&run));
    let ranks: Vec<Option<usize>> = decided(&run).answers.iter().map(|line| line.rank).collect();
    assert_eq!(ranks, [Some(1), Some(2), Some(3), Some(4)]);
    let codes: Vec<&str> = back.notices.iter().map(|notice| notice.code.as_ref()).collect();
    assert_eq!(codes, ["unsigned"]);
}

#[test]
fn no_mutation_changes_a_winner_a_cap_or_the_gate_in_silence() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/council-mutations/mutations.toml");
    let file: File = toml::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    assert!(file.mutation.len() >= 150, "{} mutations", file.mutation.len());
    let run = sound();
    let (expected, written) = (decided(&run), run.to_value(None));
    let (mut refused, mut told) = (0, 0);
    for mutation in &file.mutation {
        let mut value = written.clone();
        mutation.edits.iter().for_each(|edit| edit.make(&mut value));
        let Ok(back) = read(&renamed(value)) else {
            refused += 1;
            continue;
        };
        if decided(&back) != expected {
            let said = back.notices.iter().any(|notice| SAID.contains(&notice.code.as_ref()));
            assert!(said, "{} goes through in silence: {:?}", mutation.id, back.notices);
            told += 1;
        }
    }
    assert!(refused >= 140, "{refused} refused, {told} told");
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
