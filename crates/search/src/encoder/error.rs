//! Why a folder is no model that can be run here.

use std::path::PathBuf;

use thiserror::Error;

/// Why a folder is no model that can be run here.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EncoderError {
    /// A file is missing or cannot be read.
    #[error("{}: cannot be read", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file holds something else than it should.
    #[error("{}: {problem}", file.display())]
    Wrong {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A model of another kind.
    #[error(
        "{}: {what}; only BERT models with WordPiece tokens are supported (all-MiniLM, bge, gte, \
         e5)",
        file.display()
    )]
    OtherKind {
        /// The file that says so.
        file: PathBuf,
        /// What it says.
        what: String,
    },
}

impl EncoderError {
    pub(super) fn wrong(file: impl Into<PathBuf>, problem: impl Into<String>) -> Self {
        Self::Wrong { file: file.into(), problem: problem.into() }
    }

    pub(super) fn other_kind(file: impl Into<PathBuf>, what: impl Into<String>) -> Self {
        Self::OtherKind { file: file.into(), what: what.into() }
    }
}
