//! An index on disk: for corpora that outgrow memory, or one session.
//!
//! Read in this order: passages lie in [`segment`]s, files that never change; a list says
//! which of them make up the index ([`manifest`]); a folder is brought into the index and kept
//! up to date ([`update`]), small segments are joined ([`merge`]), and all are searched as
//! one ([`search`]). Terms, formula and order are those of BM25 by stems in memory.

mod bytes;
mod manifest;
mod merge;
mod search;
mod segment;
mod update;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use self::manifest::{Lock, Manifest, SegmentEntry};
use self::segment::Segment;
use crate::chunk::{Chunking, ChunkingError};
use crate::corpus::CorpusError;
use crate::tokens::{StopWords, Tokenizer};

pub use self::search::DiskHit;
pub use self::update::{Progress, Updated};

/// What kind of index this is; another number means it must be built anew.
const FORMAT: u32 = 2;
/// The file that says which segments make up the index, and how it was made.
const LIST: &str = "assize-index.json";
/// The terms of `--method bm25` as it is unless somebody says otherwise.
const TOKENIZER: Tokenizer = Tokenizer::Words(StopWords::English);

/// A result with this error, unless another is named.
pub(crate) type Result<T, E = DiskError> = std::result::Result<T, E>;

/// Why an index on disk could not be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DiskError {
    /// The folder of the index cannot be read or written.
    #[error("the index folder cannot be used")]
    Folder(#[from] io::Error),
    /// The corpus cannot be read.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// The list of segments cannot be read.
    #[error("{LIST} in the index folder is corrupt; delete the index and rebuild it")]
    List(#[from] serde_json::Error),
    /// The chunking on the list is none of ours.
    #[error("{LIST} in the index folder is corrupt; delete the index and rebuild it")]
    Chunking(#[from] ChunkingError),
    /// A file of the index is not as it was written.
    #[error("{file} in the index folder is corrupt ({why}); delete the index and rebuild it")]
    Damaged {
        file: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// Another process changes the index.
    #[error("the index is being updated by another process")]
    Busy,
    /// Made by another version of this program.
    #[error("the index has format {found}, this program reads {FORMAT}; rebuild it")]
    Format {
        /// The format found.
        found: u32,
    },
    /// The same folder was indexed with other passages.
    #[error("the index was built with {found}, not {wanted}; use another folder")]
    OtherChunking {
        /// How the index was cut.
        found: Chunking,
        /// How it should be cut.
        wanted: Chunking,
    },
    /// There is no index in the folder.
    #[error("no index in {0}; build one with `assize index`")]
    Missing(String),
}

pub struct DiskIndex {
    folder: PathBuf,
    chunking: Chunking,
    /// The number of the next segment.
    next: u64,
    segments: Vec<Segment>,
}

impl DiskIndex {
    /// Opens the index in a folder, or makes an empty one there.
    pub fn open_or_create(folder: &Path, chunking: Chunking) -> Result<Self> {
        fs::create_dir_all(folder)?;
        if !folder.join(LIST).exists() {
            create(folder, chunking)?;
        }
        Self::open(folder)?.cut_by(chunking)
    }

    /// Opens the index in a folder.
    pub fn open(folder: &Path) -> Result<Self> {
        let mut manifest = Manifest::read(folder)?;
        let segments = loop {
            let found = open_all(folder, &manifest.segments);
            // Between list and segments another process may have replaced both.
            let now = if found.is_err() { Manifest::read(folder)? } else { manifest.clone() };
            if now == manifest {
                break found?;
            }
            manifest = now;
        };
        let chunking = manifest.chunking.parse()?;
        Ok(Self { folder: folder.to_owned(), chunking, next: manifest.next, segments })
    }

    /// How the passages of the index are cut.
    pub fn chunking(&self) -> Chunking {
        self.chunking
    }

    /// The files in the index and the fingerprints of their bytes.
    pub fn files(&self) -> BTreeMap<String, u64> {
        let files = self.segments.iter().flat_map(Segment::live_files);
        files.map(|(_, file)| (file.name.clone(), file.fingerprint)).collect()
    }

    /// The index, if its passages are cut like this.
    fn cut_by(self, wanted: Chunking) -> Result<Self> {
        if self.chunking == wanted {
            Ok(self)
        } else {
            Err(DiskError::OtherChunking { found: self.chunking, wanted })
        }
    }

    fn write_list(&self) -> Result<()> {
        let chunking = self.chunking.to_string();
        let segments = self.segments.iter().map(Segment::listed).collect();
        Manifest { chunking, next: self.next, segments }.write(&self.folder)
    }
}

fn open_all(folder: &Path, segments: &[SegmentEntry]) -> Result<Vec<Segment>> {
    segments.iter().map(|listed| Segment::open(folder, listed.clone())).collect()
}

/// Makes an empty index, unless somebody was quicker.
fn create(folder: &Path, chunking: Chunking) -> Result<()> {
    let _lock = Lock::take(folder)?;
    if folder.join(LIST).exists() {
        return Ok(());
    }
    let segments = Vec::new();
    Manifest { chunking: chunking.to_string(), next: 1, segments }.write(folder)
}
