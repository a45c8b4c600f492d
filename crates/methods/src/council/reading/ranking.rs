//! The ranking a reviewer wrote down, ties included.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::council::label::seat;
use crate::reply::lenient::INCOMPLETE;

/// Groups of seats, best first, and names that no answer has. A seat counts where it is
/// named first.
pub(super) fn of(map: &Map<String, Value>, seats: usize) -> (Vec<Vec<usize>>, Vec<String>) {
    let mut ranking =
        Ranking { seats, seen: BTreeSet::new(), groups: Vec::new(), strangers: Vec::new() };
    // Of a list that stands last in an object that breaks off, the end may be missing.
    let broken = map.keys().next_back().is_some_and(|key| key == INCOMPLETE)
        && map.keys().nth_back(1).is_some_and(|key| key == "ranking");
    if !broken && let Some(value) = map.get("ranking") {
        ranking.read(value);
    }
    (ranking.groups, ranking.strangers)
}

struct Ranking {
    seats: usize,
    seen: BTreeSet<usize>,
    groups: Vec<Vec<usize>>,
    strangers: Vec<String>,
}

impl Ranking {
    fn read(&mut self, value: &Value) {
        match value {
            Value::Array(items) => {
                for item in items {
                    let labels = labels(item);
                    self.group(&labels);
                }
            }
            Value::String(said) => {
                for group in said.split('>') {
                    let labels: Vec<&str> = group.split(['=', ',']).collect();
                    self.group(&labels);
                }
            }
            Value::Object(ranks) => {
                let mut ranks: Vec<(f64, &str)> = ranks
                    .iter()
                    .filter_map(|(label, rank)| Some((rank.as_f64()?, label.as_str())))
                    .collect();
                ranks.sort_by(|left, right| left.0.total_cmp(&right.0));
                for group in ranks.chunk_by(|left, right| left.0 == right.0) {
                    let labels: Vec<&str> = group.iter().map(|(_, label)| *label).collect();
                    self.group(&labels);
                }
            }
            _ => {}
        }
    }

    fn group(&mut self, labels: &[&str]) {
        let mut group = Vec::new();
        for label in labels {
            match seat(label, self.seats) {
                None => self.strangers.push(label.trim().chars().take(40).collect()),
                Some(seat) if self.seen.insert(seat) => group.push(seat),
                Some(_) => {}
            }
        }
        if !group.is_empty() {
            self.groups.push(group);
        }
    }
}

/// The labels of one place: one, or several that are level.
fn labels(item: &Value) -> Vec<&str> {
    match item {
        Value::String(label) => vec![label],
        Value::Array(level) => level.iter().filter_map(Value::as_str).collect(),
        Value::Object(map) => {
            let name = ["label", "id", "response", "name"].iter().find_map(|key| map.get(*key));
            name.and_then(Value::as_str).into_iter().collect()
        }
        _ => Vec::new(),
    }
}
