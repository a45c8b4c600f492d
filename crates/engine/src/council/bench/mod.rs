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
            merged.put(judged, reading).map_err(shape)?;
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
    fn put(&mut self, judged: Judged, reading: &Reading) -> Result<(), String> {
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
                let opinion = comparison.opinions.entry(judge.clone()).or_default();
                put_opinion(opinion, said, is_turned).map_err(|()| {
                    format!(
                        "`{judge}` judges these two answers a second time and says something \
                         else: several judges under one name are not merged"
                    )
                })?;
            }
        }
        Ok(())
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

/// Puts what was said where the order of the answers says. Who says two things about one order
/// is two judges under one name, or none that can be believed.
fn put_opinion(opinion: &mut Opinion, said: Said, is_turned: bool) -> Result<(), ()> {
    let Opinion { marks, choice, marks_turned, choice_turned } = opinion;
    let (straight, turned) = if is_turned {
        ((marks_turned, choice_turned), (marks, choice))
    } else {
        ((marks, choice), (marks_turned, choice_turned))
    };
    put_once(straight.0, said.marks)?;
    put_once(straight.1, said.choice)?;
    if let Some((marks, choice)) = said.other_order {
        put_once(turned.0, marks)?;
        put_once(turned.1, choice)?;
    }
    Ok(())
}

fn put_once<T: PartialEq>(place: &mut Option<T>, said: Option<T>) -> Result<(), ()> {
    match (place.is_some(), said) {
        (_, None) => Ok(()),
        (false, said) => {
            *place = said;
            Ok(())
        }
        (true, said) => {
            if *place == said {
                Ok(())
            } else {
                Err(())
            }
        }
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
