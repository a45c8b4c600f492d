//! Data sets of compared answers in files, in the shapes in which they are published.
//!
//! A record is one comparison by one or more judges ([`shapes`]). Records about the same two
//! answers come together here, also where they stand the other way round.

mod shapes;

use std::collections::BTreeMap;
use std::path::Path;

use assize_methods::council::bench::{Candidate, Choice, Comparison, Opinion};
use serde_json::Value;
use thiserror::Error;

use self::shapes::{Judged, Said};
use crate::summary::input::{PairsError, RecordError, Records};

/// The most comparisons that are read from one file.
const COMPARISONS_MAX: usize = 200_000;

/// How judges' names in a file are understood.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reading {
    /// Judges who are people, by name or by the beginning of one; without any, those that data
    /// sets call authors, experts and humans, and numbers.
    pub people: Vec<String>,
    /// The best mark on the scale of the file, where that is not 10.
    pub best_mark: Option<f64>,
}

/// Why a data set cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BenchError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] PairsError),
    /// A record is no record.
    #[error("{0}")]
    Record(#[from] RecordError),
    /// A record is no comparison.
    #[error("{file}, record {record}: {problem}")]
    Shape {
        /// Which file.
        file: String,
        /// Which record, from 1.
        record: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// There is nothing to compare.
    #[error("{0}: contains no comparison of two answers")]
    Nothing(String),
}

/// Reads every comparison of a file.
pub fn read(path: &Path, reading: &Reading) -> Result<Vec<Comparison>, BenchError> {
    let mut values = Vec::new();
    for record in Records::open(path, None)? {
        values.push(record?.value()?);
    }
    comparisons(&path.display().to_string(), &values, reading)
}

/// The same from records that are there already.
pub fn from_values(values: &[Value], reading: &Reading) -> Result<Vec<Comparison>, BenchError> {
    comparisons("comparisons", values, reading)
}

fn comparisons(
    file: &str,
    values: &[Value],
    reading: &Reading,
) -> Result<Vec<Comparison>, BenchError> {
    let mut merged = Merged::default();
    for (index, value) in values.iter().enumerate() {
        let shape =
            |problem| BenchError::Shape { file: file.to_owned(), record: index + 1, problem };
        for judged in shapes::judged(value, reading.best_mark).map_err(shape)? {
            merged.put(judged, reading);
        }
        if merged.found.len() > COMPARISONS_MAX {
            return Err(shape(format!("more than {COMPARISONS_MAX} comparisons in one file")));
        }
    }
    let comparisons = merged.finish();
    if comparisons.is_empty() {
        return Err(BenchError::Nothing(file.to_owned()));
    }
    Ok(comparisons)
}

/// Comparisons by question and answers.
#[derive(Default)]
struct Merged {
    places: BTreeMap<(String, Candidates), usize>,
    found: Vec<(Comparison, Vec<Choice>)>,
}

/// Both answers as they are told apart: system and text.
type Candidates = [(String, String); 2];

impl Merged {
    fn put(&mut self, judged: Judged, reading: &Reading) {
        let key = |answer: &Candidate| (answer.system.clone(), answer.text.clone());
        let sides: Candidates = [key(&judged.answers[0]), key(&judged.answers[1])];
        let turned: Candidates = [sides[1].clone(), sides[0].clone()];
        let known = self.places.get(&(judged.question.clone(), turned));
        let is_turned = known.is_some();
        let place = if let Some(place) = known {
            *place
        } else {
            let next = self.found.len();
            let place = *self.places.entry((judged.question.clone(), sides)).or_insert(next);
            if place == next {
                self.found.push((judged.comparison(next), Vec::new()));
            }
            place
        };
        let (comparison, votes) = &mut self.found[place];
        let gold = judged.gold.map(|choice| if is_turned { choice.turned() } else { choice });
        votes.extend(gold);
        for (judge, said) in judged.said {
            let said = if is_turned { said.turned() } else { said };
            if is_person(&judge, &reading.people) {
                votes.extend(said.choice());
            } else {
                put_opinion(comparison.opinions.entry(judge).or_default(), said, is_turned);
            }
        }
    }

    /// What most people prefer is what people prefer.
    fn finish(self) -> Vec<Comparison> {
        let decided = |(mut comparison, votes): (Comparison, Vec<Choice>)| {
            let total: f64 = votes.iter().map(|vote| vote.sign()).sum();
            comparison.people = (!votes.is_empty()).then(|| Choice::by_marks(total, 0.0));
            comparison
        };
        self.found.into_iter().map(decided).collect()
    }
}

/// Puts what was said where the order of the answers says. What was said first holds.
fn put_opinion(opinion: &mut Opinion, said: Said, is_turned: bool) {
    let (marks, choice) = if is_turned {
        (&mut opinion.marks_turned, &mut opinion.choice_turned)
    } else {
        (&mut opinion.marks, &mut opinion.choice)
    };
    *marks = marks.or(said.marks);
    *choice = choice.or(said.choice);
    if let Some(other) = said.other_order {
        let (marks, choice) = if is_turned {
            (&mut opinion.marks, &mut opinion.choice)
        } else {
            (&mut opinion.marks_turned, &mut opinion.choice_turned)
        };
        *marks = marks.or(other.0);
        *choice = choice.or(other.1);
    }
}

fn is_person(judge: &str, people: &[String]) -> bool {
    let judge = judge.to_lowercase();
    if !people.is_empty() {
        return people.iter().any(|name| judge.starts_with(&name.to_lowercase()));
    }
    let is_number = !judge.is_empty() && judge.bytes().all(|byte| byte.is_ascii_digit());
    is_number || ["author", "expert", "human"].iter().any(|start| judge.starts_with(start))
}

#[cfg(test)]
mod tests;
