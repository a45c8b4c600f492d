//! Two councils, and the table of changes to their records; the tests of other crates read this file
//! too.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use assize_engine::council::{ChairSaid, CouncilRun, Participants};
use assize_methods::council::{
    Answer, CouncilRecord, Exhibit, Gating, Jury, Profile, ReviewAsk, Reviewer, Settings, Trust,
    gating, profile_for, seatings,
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

const REVIEWERS: [&str; 3] = ["r1", "r2", "r3"];

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MutationTable {
    mutation: Vec<Mutation>,
}

/// Which council's record is changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Base {
    /// [`sound`].
    #[default]
    Sound,
    /// [`whole`].
    Whole,
}

impl Base {
    pub(crate) fn run(self) -> CouncilRun {
        match self {
            Self::Sound => sound(),
            Self::Whole => whole(),
        }
    }

    /// Its record as it was written.
    fn written(self) -> &'static Value {
        static SOUND: LazyLock<Value> = LazyLock::new(|| Base::Sound.run().to_value(None));
        static WHOLE: LazyLock<Value> = LazyLock::new(|| Base::Whole.run().to_value(None));
        match self {
            Self::Sound => &SOUND,
            Self::Whole => &WHOLE,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mutation {
    pub(crate) id: String,
    #[serde(default)]
    pub(crate) base: Base,
    edits: Vec<Edit>,
}

impl Mutation {
    /// What the file says then, with the id that its content has.
    pub(crate) fn text(&self) -> String {
        let mut file = self.base.written().clone();
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
    let orders = seatings(&record.given(), REVIEWERS.len(), record.seed);
    record.reviewers = orders
        .into_iter()
        .zip(REVIEWERS)
        .map(|(seating, name)| {
            let ask = ReviewAsk::new(record.under_review(&seating), &settings.profile);
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
        reviewers: seats(&REVIEWERS),
        chair: None,
    };
    CouncilRun { record, settings, participants, ..CouncilRun::default() }
}

/// The same council with everything that can be asked for: evidence, a rubric that the question
/// chose, a jury, trust, the learned stage of the gate, a second round and a chair. Only the first
/// reviewer prefers `plain`; it is trusted five times as much as each of the others, and so decides.
/// In the first round it preferred `grand` with them.
pub(crate) fn whole() -> CouncilRun {
    let mut run = sound();
    let (name, choice) = profile_for(&run.record.question);
    let weights: BTreeMap<String, f64> = REVIEWERS
        .iter()
        .zip([5.0, 1.0, 1.0])
        .map(|(name, weight)| ((*name).to_owned(), weight))
        .collect();
    run.settings = Settings {
        profile: Profile::built_in(&name).unwrap(),
        profile_choice: Some(choice),
        rounds: 2,
        jury: Some(Jury::new("May it be published?".to_owned(), 0.6).unwrap()),
        gate_learned: Some(0.01),
        trust: Some(Trust::new("a bench".to_owned(), weights).unwrap()),
        ..run.settings
    };
    let text = "Quartz is silicon dioxide.".to_owned();
    run.record.evidence = vec![Exhibit { name: "minerals.txt".to_owned(), text }];
    let outcomes = gating(&run.settings, &run.record.answers).unwrap();
    run.record.gate = Some(Gating::new(0.0, outcomes).unwrap());
    let record = run.record.clone();
    for (place, reviewer) in run.record.reviewers.iter_mut().enumerate() {
        let ask = ReviewAsk::new(record.under_review(&reviewer.seating), &run.settings.profile);
        let ask = ask.with_jury(run.settings.jury.as_ref());
        let replies = [false, place == 0].map(|prefers_plain| {
            written(&reviewer.seating.order, |answer| Review {
                marks: match (answer, prefers_plain) {
                    (0, true) | (1, false) => [9, 9, 8, 9, 9],
                    (0 | 1, _) => [6; 5],
                    _ => ANSWERS[answer].2,
                },
                // Two of three would publish the first.
                vote: Some(answer == 0 && place != 2),
            })
        });
        let [first, second] = replies;
        (reviewer.heard, reviewer.replies) = (ask.settle(&[&first]), vec![first]);
        reviewer.revise(vec![second.clone()], ask.settle(&[&second]));
    }
    let saw = vec![0, 1, 2];
    run.chair = Some(ChairSaid::Wrote { text: "Silicon and oxygen.".to_owned(), saw });
    run.participants.chair = Some("chair=local/chair".parse().unwrap());
    run
}

/// What a reviewer says of one answer.
struct Review {
    marks: [u8; 5],
    /// How it votes, if there is a jury.
    vote: Option<bool>,
}

/// What a reviewer who saw the answers in this order writes.
pub(crate) fn reply(order: &[usize]) -> String {
    written(order, |answer| Review { marks: ANSWERS[answer].2, vote: None })
}

fn written(order: &[usize], said: impl Fn(usize) -> Review) -> String {
    let names = ["accuracy", "relevance", "completeness", "conciseness", "clarity"];
    let review = |(seat, answer): (usize, &usize)| {
        let Review { marks, vote } = said(*answer);
        let marks = names.iter().zip(marks).map(|(name, mark)| format!("\"{name}\": {mark}"));
        let vote = vote.map(|yes| format!("\"vote\": \"{}\"", if yes { "yes" } else { "no" }));
        let fields: Vec<String> = marks.chain(vote).collect();
        format!("\"Response {}\": {{{}}}", ["A", "B", "C", "D"][seat], fields.join(", "))
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
