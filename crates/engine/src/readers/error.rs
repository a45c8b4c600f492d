//! Why a reader could not be installed, found or opened.

use std::io;
use std::path::PathBuf;

use assize_readers::ReaderError;
use thiserror::Error;

/// Why a reader could not be installed, found or opened.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadersError {
    /// Nothing of this name is installed.
    #[error("no reader `{name}` is installed in {}", folder.display())]
    NotInstalled {
        name: String,
        /// Where it was looked for.
        folder: PathBuf,
    },
    /// No encoder is installed.
    #[error("no encoder is installed in {}; `assize readers get minilm-l6` installs one", folder.display())]
    NoEncoder {
        /// Where it was looked for.
        folder: PathBuf,
    },
    /// The manifest does not know the name, and nothing says where to get it.
    #[error("`{0}` is not a known reader; name one of {1}, or say where it is")]
    Unknown(String, String),
    /// A name that cannot be that of a folder.
    #[error("`{0}` is no name for a reader: use letters, digits, `-`, `_` and `.`")]
    Name(String),
    /// It is there already.
    #[error("the reader `{0}` is already installed; remove it first")]
    Installed(String),
    /// No variable says where this user's data is.
    #[error("nothing says where readers are kept; set ASSIZE_READERS to a folder")]
    NoFolder,
    /// The source does not have a file.
    #[error("{0}: there is no such file")]
    NotThere(String),
    /// The source did not answer, or not to the end.
    #[error("{address}: {problem}; what has arrived is kept, run the same command again")]
    Interrupted {
        /// What was asked for.
        address: String,
        /// What happened.
        problem: String,
    },
    /// The bytes are not those that were pinned or recorded.
    #[error("{file} has the sha256 {found}, not {expected} ({because}); it was removed")]
    OtherBytes {
        file: String,
        /// What arrived.
        found: String,
        /// What should have.
        expected: String,
        /// Who says so.
        because: &'static str,
    },
    /// The disk is full.
    #[error("no space is left in {}; nothing was installed", .0.display())]
    NoSpace(PathBuf),
    /// A file could not be read or written.
    #[error("{}: cannot be read or written", .0.display())]
    File(PathBuf, #[source] io::Error),
    /// The folder is no reader.
    #[error(transparent)]
    Reader(#[from] ReaderError),
}

impl ReadersError {
    /// A failure to write, with the full disk apart.
    pub(super) fn writing(path: &std::path::Path, error: io::Error) -> Self {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        match error.kind() {
            StorageFull | QuotaExceeded | FileTooLarge => {
                Self::NoSpace(path.parent().unwrap_or(path).to_owned())
            }
            _ => Self::File(path.to_owned(), error),
        }
    }
}
