//! What can go wrong with predictions and gold.

use std::path::PathBuf;

use assize_methods::retrieval::passages::PairingError;
use thiserror::Error;

use crate::input::{InputError, short};
use crate::retrieval::ranked::Disjoint;

/// Where something is wrong that belongs to no part.
pub(super) const WHOLE: &str = "the whole file";

/// Why passages could not be scored.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PassageError {
    /// A file could not be read at all.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A measure gave NaN or infinity.
    #[error(transparent)]
    NotFinite(#[from] assize_score::NotFinite),
    /// Both files are standard input.
    #[error("predictions and gold cannot both be read from standard input")]
    BothFromStandardInput,
    /// The text is not JSON.
    #[error("{}:{line}:{column}: not valid JSON: {}", file.display(), short(problem))]
    Syntax {
        /// The file's name.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What was expected there.
        problem: String,
    },
    /// A table of passages cannot be read.
    #[error("{}: {problem}", file.display())]
    Table {
        /// The file's name.
        file: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// The JSON does not have the shape of predictions or gold.
    #[error("{}:{line}:{column}: {place}: {}", file.display(), short(problem))]
    Shape {
        /// The file's name.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// The record and its field: `record 3, field retrieved_passages, item 2`.
        place: String,
        /// What was found and what was expected.
        problem: String,
    },
    /// A record lacks a key.
    #[error(
        "{}:{line}:{column}: {place}: missing field `{key}`{}",
        file.display(),
        short(&listed(found))
    )]
    NoKey {
        /// The file's name.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// The record.
        place: String,
        /// The key that is missing.
        key: String,
        /// The keys that are there.
        found: Vec<String>,
    },
    /// A passage lacks what the asked-for measures need.
    #[error("{}: record {record}, field {field}, item {item}: {problem}", file.display())]
    Lacking {
        /// The file's name.
        file: PathBuf,
        /// The record, from 1.
        record: usize,
        /// The list that holds the passage.
        field: &'static str,
        /// The passage in that list, from 1.
        item: usize,
        /// What it lacks.
        problem: &'static str,
    },
    /// Predictions and gold do not belong together.
    #[error("{} does not match {}", predictions.display(), gold.display())]
    Pairing {
        /// The predictions' name.
        predictions: PathBuf,
        /// The gold's name.
        gold: PathBuf,
        /// The prediction that does not fit.
        source: PairingError,
    },
    /// The passages and their gold have no file in common.
    #[error("{}", super::overlap::said(.0))]
    NoFileInCommon(Box<Disjoint>),
    /// No query is left to score.
    #[error("{} and {} leave no query to score: {because}", predictions.display(), gold.display())]
    NothingToScore {
        /// The predictions' name.
        predictions: PathBuf,
        /// The gold's name.
        gold: PathBuf,
        /// Why none is left.
        because: &'static str,
    },
    /// No query fits what the user asked to see.
    #[error("no query matches \"{asked}\"; choose one of {count} by number or part of its text")]
    NoSuchQuery {
        /// What the user asked for.
        asked: String,
        /// How many queries there are.
        count: usize,
    },
    /// Several queries fit what the user asked to see.
    #[error("{count} queries match \"{asked}\": choose one by number, such as {numbers}")]
    SeveralQueries {
        /// What the user asked for.
        asked: String,
        /// How many fit.
        count: usize,
        /// The numbers of the first few.
        numbers: String,
    },
}

impl PassageError {
    /// The same of one record among several, whose place was counted from its own beginning.
    pub(super) fn move_down(&mut self, lines: usize, record: usize) {
        match self {
            Self::Syntax { line, .. } => *line += lines,
            Self::Shape { line, place, .. } | Self::NoKey { line, place, .. } => {
                *line += lines;
                *place = match place.as_str() {
                    WHOLE => format!("record {record}"),
                    _ => format!("record {record}, {place}"),
                };
            }
            _ => {}
        }
    }
}

fn listed(keys: &[String]) -> String {
    match keys {
        [] => String::new(),
        keys => format!("; the record has `{}`", keys.join("`, `")),
    }
}
