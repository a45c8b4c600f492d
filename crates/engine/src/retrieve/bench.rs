//! One method on a benchmark: what it found, its scoreboard, its characters.

use assize_methods::retrieval::passages::Test;
use assize_search::{Answer, Collection, Prediction};

use super::characters::{Point, curve};
use super::json::json;
use crate::input::Source;
use crate::retrieval::passages::{PassageError, ScoreOptions, score_sources};
use crate::retrieval::scoreboard::Scoreboard;

/// One method's part in a comparison.
#[derive(Debug)]
pub struct Entrant {
    /// What it found, as the scorer reads it.
    pub predictions: Vec<u8>,
    /// Its values, query by query.
    pub board: Scoreboard,
    /// Character precision and recall by cut-off, if gold says where it stands.
    pub characters: Option<Vec<Point>>,
}

/// Scores what a method answered to a benchmark's queries.
///
/// Answers may be deeper than k: the scoreboard counts the first k, the characters all.
pub fn enter(
    collection: &Collection,
    answers: &[Answer],
    (gold, tests): (&Source, &[Test<'_>]),
    options: &ScoreOptions,
) -> Result<Entrant, PassageError> {
    let predictions = |depth: usize| -> Vec<Prediction<'_>> {
        let pairs = tests.iter().zip(answers);
        pairs
            .map(|(test, answer)| {
                let mut prediction = Prediction::new(&test.query, answer, collection);
                prediction.retrieved_passages.truncate(depth);
                prediction
            })
            .collect()
    };
    let written = json(&predictions(options.passages.k.get()), None);
    let source = Source::in_memory("what was retrieved", written);
    let board = score_sources(&source, gold, options)?;
    let characters = curve(&predictions(usize::MAX), tests);
    Ok(Entrant { predictions: source.bytes.to_vec(), board, characters })
}
