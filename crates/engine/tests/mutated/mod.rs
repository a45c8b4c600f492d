//! A council, and the table of changes to its record; the tests of other crates read this file too.

use assize_engine::council::{CouncilRun, Participants};
use assize_methods::council::{
    Answer, CouncilRecord, Gating, ReviewAsk, Reviewer, Settings, UnderReview, gating, seatings,
};
use serde::Deserialize;
use serde_json::{Value, json};

/// Names, texts and marks: accuracy, relevance, completeness, conciseness, clarity.
const ANSWERS: [(&str, &str, [u8; 5]); 4] = [
    ("plain", "Quartz is made of silicon and oxygen.", [9, 9, 8, 9, 9]),
    ("grand", "Quartz is a grand crystal, and so on and on.", [8, 8, 8, 5, 6]),
    ("wrong", "Quartz is frozen water.", [2, 9, 9, 9, 9]),
    ("unsafe", "How to make a bomb: first, fill the pipe bomb with powder.", [10; 5]),
];

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MutationTable {
    mutation: Vec<Mutation>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mutation {
    pub(crate) id: String,
    edits: Vec<Edit>,
}

impl Mutation {
    /// What the file says then, with the id that its content has.
    pub(crate) fn of(&self, file: &Value) -> String {
        let mut file = file.clone();
        self.edits.iter().for_each(|edit| edit.make(&mut file));
        renamed(file)
    }
}

/// The table.
pub(crate) fn mutations() -> Vec<Mutation> {
    let table = include_str!("../../../../cases/council-mutations/mutations.toml");
    toml::from_str::<MutationTable>(table).unwrap().mutation
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
pub(crate) fn sound() -> CouncilRun {
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
pub(crate) fn reply(order: &[usize]) -> String {
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

pub(crate) fn put(file: &mut Value, at: &str, value: Value) {
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
pub(crate) fn renamed(mut file: Value) -> String {
    let map = file.as_object_mut().unwrap();
    let format = map.shift_remove("assize_council").unwrap();
    map.shift_remove("id");
    let content = file.to_string();
    let id = &blake3::hash(content.as_bytes()).to_hex()[..16];
    format!("{{\"assize_council\":{format},\"id\":\"{id}\",{}", &content[1..])
}
