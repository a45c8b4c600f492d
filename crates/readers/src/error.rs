//! Why a folder is no model that can be run here, and why a text could not be read.

use std::path::PathBuf;

use thiserror::Error;

/// A result with this error, unless another is named.
pub(crate) type Result<T, E = ReaderError> = std::result::Result<T, E>;

/// Why a folder is no model that can be run here, or why a model gave no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReaderError {
    /// A file is missing or cannot be read.
    #[error("{}: cannot be read", file.display())]
    Unreadable {
        file: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file holds something else than it should.
    #[error("{}: {problem}", file.display())]
    Wrong {
        file: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A model of another kind.
    #[error(
        "{}: {what}; encoders of the kinds BERT, RoBERTa, MPNet and XLM-R and classifiers of the \
         kinds BERT, RoBERTa, XLM-R and DeBERTa-v2 (v3) are supported",
        file.display()
    )]
    OtherKind {
        /// The file that says so.
        file: PathBuf,
        /// What it says.
        what: String,
    },
    /// A model that would take more memory than was allowed.
    #[error(
        "{}: {megabytes} MB are more than the {allowed_megabytes} MB that are allowed for a model",
        file.display()
    )]
    TooLarge {
        file: PathBuf,
        /// Its size.
        megabytes: u64,
        /// The limit.
        allowed_megabytes: u64,
    },
    /// The model gave something else than finite numbers.
    #[error("the model `{model}` gives values that are not numbers")]
    NotFinite {
        /// The model's name.
        model: String,
    },
    /// A text could not be cut into tokens.
    #[error("a text could not be cut into tokens: {0}")]
    Tokens(String),
    /// What was read could not be kept or looked up.
    #[error("what was read before cannot be looked up or kept")]
    Cache(#[source] std::io::Error),
    /// Nothing here can answer that kind of question.
    #[error("no {0} is configured")]
    Missing(&'static str),
}

#[cfg(feature = "models")]
impl ReaderError {
    pub(crate) fn wrong(file: impl Into<PathBuf>, problem: impl Into<String>) -> Self {
        Self::Wrong { file: file.into(), problem: problem.into() }
    }

    pub(crate) fn other_kind(file: impl Into<PathBuf>, what: impl Into<String>) -> Self {
        Self::OtherKind { file: file.into(), what: what.into() }
    }
}
