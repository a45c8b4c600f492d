//! The texts to search: a folder of files, or one file of records as BEIR and MS MARCO have it.

use std::path::Path;

use assize_search::Corpus;
use assize_search::corpus::{CorpusError, Limits, RecordError, Report, read_folder, read_records};
use thiserror::Error;

use crate::input::{InputError, Source};

/// What BEIR calls its corpus.
const BEIR_CORPUS: &str = "corpus.jsonl";

/// Why texts could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TextsError {
    /// The folder could not be read.
    #[error(transparent)]
    Folder(#[from] CorpusError),
    /// The file could not be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The file holds something else than records.
    #[error("{file}: {source}")]
    Records {
        /// The path as it was given.
        file: String,
        /// Where it is wrong.
        source: RecordError,
    },
}

/// Reads a folder of texts, a folder of BEIR, or a file of records (which may be compressed).
pub fn read_texts(path: &Path, limits: Limits) -> Result<(Corpus, Report), TextsError> {
    let beir = path.join(BEIR_CORPUS);
    if beir.is_file() {
        records(&beir)
    } else if path.is_file() {
        records(path)
    } else {
        Ok(read_folder(path, limits)?)
    }
}

fn records(path: &Path) -> Result<(Corpus, Report), TextsError> {
    let source = Source::open(path)?;
    let file = path.display().to_string();
    let corpus =
        read_records(source.text()?).map_err(|source| TextsError::Records { file, source })?;
    Ok((corpus, Report::default()))
}
