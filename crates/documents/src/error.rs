//! Why a document could not be read.

use thiserror::Error;

/// A result with this error, unless another is named.
pub(crate) type Result<T, E = DocumentError> = std::result::Result<T, E>;

/// Why a document could not be read: each with a word on what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DocumentError {
    /// No bytes, or no text in them.
    #[error("the document is empty")]
    Empty,
    /// A password is needed.
    #[error("the {0} is encrypted: save it without a password and try again")]
    Encrypted(&'static str),
    /// The file ends too early, or its inside does not hold together.
    #[error("the {kind} is corrupt or truncated: {detail}")]
    Damaged {
        /// What the file was read as.
        kind: &'static str,
        /// What was wrong.
        detail: String,
    },
    /// More would come out of the file than may.
    #[error("the document is too large: {0}")]
    TooLarge(String),
    /// Reading took longer than it may.
    #[error("reading the document took longer than {seconds} s")]
    TooSlow {
        /// The limit.
        seconds: u64,
    },
    /// Pictures of pages, with no text behind them.
    #[error(
        "the PDF has {pages} {} but no text: it is probably a scan; run text recognition (OCR) \
         on it and try again", if *.pages == 1 { "page" } else { "pages" }
    )]
    NoText {
        /// How many pages there are.
        pages: usize,
    },
    /// Not text, and none of the formats that are known.
    #[error("the file is binary and its format is not supported")]
    Binary,
    /// A format that is known but not read.
    #[error("{0} is not supported: save it as {instead}", instead = .1)]
    Unsupported(&'static str, &'static str),
    /// The reader itself failed: its own fault, not the file's.
    #[error("the {0} reader failed on this file")]
    Reader(&'static str),
}

impl DocumentError {
    /// A file of this kind is damaged.
    pub(crate) fn damaged(kind: &'static str, detail: impl Into<String>) -> Self {
        Self::Damaged { kind, detail: detail.into() }
    }
}
