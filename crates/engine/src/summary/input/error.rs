//! What can be wrong with a file of pairs, and with one of its records.

use std::fmt;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::Place;
use crate::input::InputError;

/// Why a file of pairs cannot be read, or not any further.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PairsError {
    /// The file cannot be opened.
    #[error(transparent)]
    Input(#[from] InputError),
    /// Reading stopped in the middle.
    #[error("{}: cannot be read to the end", file.display())]
    Interrupted {
        /// The path as it was given.
        file: PathBuf,
        /// What the system or the decoder said.
        source: io::Error,
    },
    /// A table whose frame is damaged.
    #[error("{}: {problem}", file.display())]
    Table {
        /// The path as it was given.
        file: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// No record has a field: one cause, told once and not for every record.
    #[error("{}: no column `{field}`; the columns are `{}`{}", file.display(), known.join("`, `"), meant(near))]
    NoColumn {
        /// The path as it was given.
        file: PathBuf,
        /// The field that is looked for.
        field: String,
        /// The columns that there are.
        known: Vec<String>,
        /// Those of them that may be meant.
        near: Vec<String>,
    },
}

fn meant(near: &[String]) -> String {
    match near {
        [] => String::new(),
        near => format!("; did you mean `{}`?", near.join("` or `")),
    }
}

/// Why one record cannot be used; the run goes on without it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// It is not a record at all.
    #[error("malformed_record: {place}: {problem}")]
    Unreadable {
        /// Where it stands.
        place: Place,
        /// What is wrong with it.
        problem: String,
    },
    /// A field is missing, or holds something else than it should.
    #[error("malformed_record: {place}: field `{field}` {problem}")]
    Field {
        /// Where it stands.
        place: Place,
        /// The field as the user named it.
        field: String,
        /// What is wrong with it.
        problem: String,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(formatter, "line {line}"),
            Self::Row(row) => write!(formatter, "row {row}"),
        }
    }
}
