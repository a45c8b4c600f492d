//! Why something could not be done with a run.

use assize_store::{Instrument, Run, StoreError};
use thiserror::Error;

use crate::asking::AskError;
use crate::request::FieldError;

/// A result with this error, unless another is named.
pub(crate) type Result<T, E = RunError> = std::result::Result<T, E>;

/// Why something could not be done with a run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Its judge cannot be asked.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// There is no such run.
    #[error("no run `{0}`; `assize runs list` shows all runs")]
    Missing(String),
    /// There is none at all.
    #[error("there are no runs yet (see `assize runs list`)")]
    NoRuns,
    /// Several could be meant.
    #[error("several run ids end in `{0}`: give more of the id, or use the number")]
    Ambiguous(String),
    /// It measures something else.
    #[error("run #{number} is a {instrument} run")]
    Instrument {
        /// Which one.
        number: i64,
        /// What it measures.
        instrument: Instrument,
    },
    /// Not a name.
    #[error(
        "invalid run name `{0}`: use up to 100 characters without leading or trailing spaces; a \
         number or `latest` is not allowed"
    )]
    Name(String),
    /// Another run has that name.
    #[error("a run named `{0}` already exists: choose another name")]
    NameTaken(String),
    /// Nothing is measured under that name.
    #[error("cannot sort by `{measure}`: run #{number} has the measures {}", known.join(", "))]
    Measure {
        /// Which run.
        number: i64,
        /// What was asked for.
        measure: String,
        /// What there is.
        known: Vec<String>,
    },
    /// A field of a request is refused.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// A rescore would change nothing.
    #[error("nothing would change: set `{}`", super::rescore_fields(*.0).join("` or `"))]
    Unchanged(Instrument),
    /// What is wanted makes no sense for this run.
    #[error("{0}")]
    Refused(String),
    /// A part of a package is not as it should be.
    #[error("the package is refused: {part}: {problem}")]
    Package {
        part: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A file could not be written.
    #[error("the file could not be written")]
    Io(#[from] std::io::Error),
    /// What was stored cannot be understood.
    #[error("the stored data of run #{number} cannot be read: {because}")]
    Unreadable {
        /// Which one.
        number: i64,
        /// Why.
        because: String,
    },
}

impl RunError {
    pub(crate) fn of_another_kind(run: &Run) -> Self {
        Self::Instrument { number: run.number, instrument: run.instrument }
    }

    pub(crate) fn unreadable(run: &Run, because: &(impl ToString + ?Sized)) -> Self {
        Self::Unreadable { number: run.number, because: because.to_string() }
    }
}
