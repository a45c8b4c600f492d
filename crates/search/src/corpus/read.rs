//! Reading a folder: every file below it, in the order of their paths.

use std::fs;
use std::io;
use std::path::Path;

use rayon::prelude::*;
use thiserror::Error;

use super::decode::{Encoding, NotText, decode};
use super::walk::{Found, list_folder};
use super::{Corpus, Document, Remark, Report};

/// The largest single file read unless the caller says otherwise: 2 GiB.
pub(crate) const FILE_BYTES_MAX: u64 = 2 << 30;

/// What a corpus may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The largest single file that is read.
    pub file_bytes_max: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { file_bytes_max: FILE_BYTES_MAX }
    }
}

/// Why a folder could not become a corpus.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CorpusError {
    /// The folder itself cannot be listed.
    #[error("cannot read the corpus folder {folder}")]
    Folder {
        /// The folder as it was given.
        folder: String,
        /// What the system said.
        source: io::Error,
    },
    /// The folder holds no text at all.
    #[error("the corpus folder {folder} contains no readable text ({left_out} files skipped)")]
    NoText {
        /// The folder as it was given.
        folder: String,
        /// How many files were left out, each with a remark.
        left_out: usize,
        /// Why.
        report: Report,
    },
}

/// Reads every file below `folder`; what cannot be read is in the report.
pub fn read_folder(folder: &Path, limits: Limits) -> Result<(Corpus, Report), CorpusError> {
    let (files, mut remarks) = list_folder(folder)?;
    let read: Vec<_> = files.into_par_iter().map(|file| (read_file(&file, limits), file)).collect();
    let mut documents = Vec::with_capacity(read.len());
    for ((document, remark), file) in read {
        documents.extend(document);
        remarks.extend(remark.map(|remark| (file.name, remark)));
    }
    let count = documents.len();
    let corpus = Corpus::new(documents);
    debug_assert_eq!(corpus.documents().len(), count, "names are made distinct when listed");
    remarks.sort_by(|left, right| left.0.cmp(&right.0));
    let report = Report { remarks };
    if corpus.documents().is_empty() {
        let folder = folder.display().to_string();
        return Err(CorpusError::NoText { folder, left_out: report.left_out(), report });
    }
    Ok((corpus, report))
}

/// Reads one file that was found: its document, or why there is none, or both.
pub(crate) fn read_file(file: &Found, limits: Limits) -> (Option<Document>, Option<Remark>) {
    let unreadable = |error: io::Error| (None, Some(Remark::Unreadable(error.to_string())));
    let bytes = match fs::metadata(&file.path) {
        Ok(metadata) => metadata.len(),
        Err(error) => return unreadable(error),
    };
    if bytes > limits.file_bytes_max {
        return (None, Some(Remark::TooLarge { bytes, limit: limits.file_bytes_max }));
    }
    let bytes = match fs::read(&file.path) {
        Ok(bytes) => bytes,
        Err(error) => return unreadable(error),
    };
    match decode(bytes) {
        Err(NotText::Binary(what)) => (None, Some(Remark::Binary(what))),
        Err(NotText::BrokenEncoding(what)) => (None, Some(Remark::BrokenEncoding(what))),
        Ok((text, _)) if is_blank(&text) => (None, Some(Remark::Empty)),
        Ok((text, encoding)) => {
            let remark = (encoding == Encoding::Windows1252).then_some(Remark::Guessed);
            (Some(Document::new(&file.name, text)), remark)
        }
    }
}

fn is_blank(text: &str) -> bool {
    text.chars().all(|character| character.is_whitespace() || character == '\u{feff}')
}
