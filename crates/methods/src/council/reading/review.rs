//! What a reply says of each answer, in the shapes in which reviewers write it.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::score::{Scale, mark};
use crate::council::ballot::{About, Contradiction, Mark, Rejected, Review};
use crate::council::dimension::Dimension;
use crate::council::label::seat;
use crate::reply::lenient::{INCOMPLETE, TWICE};

/// Keys under which the evaluations stand.
const EVALUATIONS: [&str; 7] =
    ["evaluations", "evaluation", "reviews", "responses", "ratings", "marks", "scores"];
/// Keys under which the marks of one answer stand.
const MARKS: [&str; 5] = ["scores", "marks", "ratings", "dimensions", "rubric"];
/// Keys under which one score for the whole stands.
const OVERALL: [&str; 8] = [
    "overall",
    "overall_score",
    "score",
    "total",
    "holistic",
    "weighted_score",
    "final_score",
    "mark",
];
/// Keys under which an answer is named in a list.
const NAMES: [&str; 6] = ["id", "label", "response", "name", "answer", "response_id"];
/// The key under which a juror's vote stands.
const VOTE: &str = "vote";
/// Keys under which words stand.
const NOTES: [&str; 8] =
    ["notes", "note", "comment", "comments", "rationale", "reasoning", "justification", "feedback"];

/// The reviews read so far, by seat.
pub(super) struct Reviews {
    seats: usize,
    scale: Option<Scale>,
    found: BTreeMap<usize, Review>,
    strangers: Vec<String>,
}

impl Reviews {
    pub(super) fn new(seats: usize, scale: Option<Scale>) -> Self {
        Self { seats, scale, found: BTreeMap::new(), strangers: Vec::new() }
    }

    /// Reviews by seat, and names that no answer has.
    pub(super) fn finish(self) -> (Vec<Review>, Vec<String>) {
        (self.found.into_values().collect(), self.strangers)
    }

    /// An object that holds evaluations, or is them.
    pub(super) fn map(&mut self, map: &Map<String, Value>) {
        self.labels_given_twice(map);
        for (key, value) in map {
            // A bare letter is a label only among evaluations.
            let named = if key.trim().len() > 3 { seat(key, self.seats) } else { None };
            match value {
                _ if named.is_some() => self.put(key, value),
                Value::Object(inner) if EVALUATIONS.contains(&key.as_str()) => self.labelled(inner),
                Value::Array(items) if EVALUATIONS.contains(&key.as_str()) => self.list(items),
                _ => {}
            }
        }
    }

    /// `{"Response A": …, "B": …}`, or the same for each dimension.
    fn labelled(&mut self, map: &Map<String, Value>) {
        self.labels_given_twice(map);
        for (key, value) in map {
            match (Dimension::named(key), value) {
                (Some(dimension), Value::Object(marks)) => {
                    for (label, value) in marks {
                        if let Some(seat) = seat(label, self.seats) {
                            let review = self.found.entry(seat).or_insert_with(|| at(seat));
                            dimension_mark(review, dimension, value, self.scale);
                        }
                    }
                }
                _ if key == INCOMPLETE || key == TWICE => {}
                _ => self.put(key, value),
            }
        }
    }

    /// `[{"id": "Response A", …}, …]`
    pub(super) fn list(&mut self, items: &[Value]) {
        for item in items {
            let Value::Object(map) = item else { continue };
            let name = NAMES.iter().find_map(|key| map.get(*key)?.as_str());
            if let Some(name) = name {
                self.put(name, item);
            }
        }
    }

    fn put(&mut self, label: &str, value: &Value) {
        match seat(label, self.seats) {
            None => self.strangers.push(label.chars().take(40).collect()),
            Some(seat) => {
                if let Some(review) = review(seat, value, self.scale) {
                    match self.found.get_mut(&seat) {
                        None => drop(self.found.insert(seat, review)),
                        Some(found) => merge(found, review),
                    }
                }
            }
        }
    }

    /// A label that stands twice in one object: what it said first is gone, so nothing that
    /// is left can be trusted.
    fn labels_given_twice(&mut self, map: &Map<String, Value>) {
        for label in given_twice(map) {
            if let Some(seat) = seat(label, self.seats) {
                let review = self.found.entry(seat).or_insert_with(|| at(seat));
                let said = "its label stands twice".to_owned();
                contradict(review, Contradiction { about: About::Answer, said });
            }
        }
    }
}

/// The keys that an object gives twice with different values.
fn given_twice(map: &Map<String, Value>) -> impl Iterator<Item = &str> {
    let twice = map.get(TWICE).and_then(Value::as_array);
    twice.into_iter().flatten().filter_map(Value::as_str)
}

/// What is said of one answer in two places. Where both speak, they must say the same.
fn merge(found: &mut Review, more: Review) {
    for (dimension, mark) in more.marks {
        put_mark(found, dimension, mark);
    }
    if let Some(mark) = more.stated {
        put_overall(found, mark);
    }
    put_vote(found, more.vote);
    found.appropriate_refusal |= more.appropriate_refusal;
    found.rejected.extend(more.rejected);
    more.contradictions.into_iter().for_each(|said| contradict(found, said));
    note(found, &Value::String(more.notes));
}

fn put_mark(review: &mut Review, dimension: Dimension, mark: Mark) {
    if let Some(earlier) = review.marks.get(&dimension).filter(|said| said.value != mark.value) {
        let said = format!("{} and {}", earlier.value, mark.value);
        contradict(review, Contradiction { about: About::Dimension(dimension), said });
    }
    review.marks.insert(dimension, mark);
}

fn put_overall(review: &mut Review, mark: Mark) {
    if let Some(earlier) = review.stated.as_ref().filter(|said| said.value != mark.value) {
        let said = format!("{} and {}", earlier.value, mark.value);
        contradict(review, Contradiction { about: About::Overall, said });
    }
    review.stated = Some(mark);
}

fn contradict(review: &mut Review, said: Contradiction) {
    if !review.contradictions.contains(&said) {
        review.contradictions.push(said);
    }
}

fn at(seat: usize) -> Review {
    Review { seat, ..Review::default() }
}

/// What is said of one answer; `None` if it breaks off.
fn review(seat: usize, value: &Value, scale: Option<Scale>) -> Option<Review> {
    let mut review = at(seat);
    let Value::Object(map) = value else {
        overall(&mut review, value, scale);
        return Some(review);
    };
    if map.contains_key(INCOMPLETE) {
        return None;
    }
    fields(&mut review, map, scale);
    for inner in MARKS.iter().filter_map(|key| map.get(*key)?.as_object()) {
        fields(&mut review, inner, scale);
    }
    Some(review)
}

fn fields(review: &mut Review, map: &Map<String, Value>, scale: Option<Scale>) {
    for key in given_twice(map) {
        let about = match Dimension::named(key) {
            Some(dimension) => About::Dimension(dimension),
            None if OVERALL.contains(&key) => About::Overall,
            None if key == VOTE => About::Vote,
            None => continue,
        };
        let said = format!("`{key}` stands twice");
        contradict(review, Contradiction { about, said });
    }
    for (key, value) in map {
        let key = key.trim().to_lowercase();
        if let Some(dimension) = Dimension::named(&key) {
            dimension_mark(review, dimension, value, scale);
        } else if OVERALL.contains(&key.as_str()) && !value.is_object() {
            overall(review, value, scale);
        } else if key == "appropriate_refusal" {
            review.appropriate_refusal = is_yes(value);
        } else if key == VOTE {
            put_vote(review, vote(value));
        } else if NOTES.contains(&key.as_str()) {
            note(review, value);
        }
    }
}

fn dimension_mark(review: &mut Review, dimension: Dimension, value: &Value, scale: Option<Scale>) {
    let inner = value.as_object();
    if let Some(map) = inner {
        for said in NOTES.iter().filter_map(|key| map.get(*key)) {
            note(review, said);
        }
    }
    let value = inner
        .and_then(|map| ["score", "mark", "rating", "value"].iter().find_map(|key| map.get(*key)))
        .unwrap_or(value);
    match mark(value, scale) {
        Ok(mark) => put_mark(review, dimension, mark),
        Err(said) => review.rejected.push(Rejected { dimension: Some(dimension), said }),
    }
}

fn overall(review: &mut Review, value: &Value, scale: Option<Scale>) {
    match mark(value, scale) {
        Ok(mark) => put_overall(review, mark),
        Err(said) => review.rejected.push(Rejected { dimension: None, said }),
    }
}

fn note(review: &mut Review, value: &Value) {
    let words: Vec<String> = match value {
        Value::String(words) => vec![words.trim().to_owned()],
        Value::Array(items) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Value::Object(map) => map
            .iter()
            .filter_map(|(key, words)| Some(format!("{key}: {}", words.as_str()?)))
            .collect(),
        _ => return,
    };
    for words in words.into_iter().filter(|words| !words.is_empty()) {
        if !review.notes.is_empty() {
            review.notes.push(' ');
        }
        review.notes.push_str(&words);
    }
}

fn put_vote(review: &mut Review, vote: Option<bool>) {
    if review.vote.zip(vote).is_some_and(|(earlier, vote)| earlier != vote) {
        let said = "yes and no".to_owned();
        contradict(review, Contradiction { about: About::Vote, said });
    }
    review.vote = vote.or(review.vote);
}

/// A vote in the forms in which models write one; anything else is none.
fn vote(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(yes) => Some(*yes),
        Value::String(said) => match said.trim().trim_end_matches('.').to_lowercase().as_str() {
            "yes" | "true" => Some(true),
            "no" | "false" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

fn is_yes(value: &Value) -> bool {
    match value {
        Value::Bool(yes) => *yes,
        Value::String(said) => matches!(said.trim().to_lowercase().as_str(), "true" | "yes"),
        _ => false,
    }
}
