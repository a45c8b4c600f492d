//! An index on disk: for corpora that outgrow memory, or one session.
//!
//! Read in this order: what is stored ([`schema`]), how a folder is brought into the
//! index and kept up to date ([`update`]), how it is searched ([`search`]). The engine
//! is tantivy; passages, tokens, order of hits and explanations are ours.

mod explain;
mod schema;
mod search;
mod terms;
mod update;

use std::fs;
use std::io;
use std::path::Path;

use tantivy::directory::MmapDirectory;
use tantivy::{Index, IndexReader, TantivyError};
use thiserror::Error;

use self::schema::Fields;
use crate::chunk::{Chunking, ChunkingError};
use crate::corpus::CorpusError;

pub use self::search::DiskHit;
pub use self::update::{Progress, Updated};

/// What kind of index this is; another number means it must be built anew.
const FORMAT: u32 = 1;
/// The file beside tantivy's own that says how the index was made.
const SETTINGS: &str = "assize-index.json";

/// Why an index on disk could not be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DiskError {
    /// The engine refused.
    #[error("the index engine failed")]
    Engine(#[from] TantivyError),
    /// The folder of the index cannot be read or written.
    #[error("the index folder cannot be used")]
    Folder(#[from] io::Error),
    /// The corpus cannot be read.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// The settings of the index cannot be read.
    #[error("{SETTINGS} in the index folder is damaged; delete the index and build it again")]
    Settings(#[from] serde_json::Error),
    /// The chunking in the settings is none of ours.
    #[error("{SETTINGS} in the index folder is damaged; delete the index and build it again")]
    Chunking(#[from] ChunkingError),
    /// Made by another version of this program.
    #[error("the index has format {found}, this program reads {FORMAT}; build it again")]
    Format {
        /// The format found.
        found: u32,
    },
    /// The same folder was indexed with other passages.
    #[error("the index holds passages cut by {found}, not {wanted}; use another folder")]
    OtherChunking {
        /// How the index was cut.
        found: Chunking,
        /// How it should be cut.
        wanted: Chunking,
    },
    /// There is no index in the folder.
    #[error("there is no index in {0}; build it with `assize index`")]
    Missing(String),
}

#[derive(serde::Serialize, serde::Deserialize)]
struct Settings {
    format: u32,
    chunking: String,
}

/// An index on disk.
pub struct DiskIndex {
    index: Index,
    reader: IndexReader,
    fields: Fields,
    chunking: Chunking,
}

impl DiskIndex {
    /// Opens the index in a folder, or makes an empty one there.
    pub fn open_or_create(folder: &Path, chunking: Chunking) -> Result<Self, DiskError> {
        fs::create_dir_all(folder)?;
        if !folder.join(SETTINGS).exists() {
            let settings = Settings { format: FORMAT, chunking: chunking.to_string() };
            Index::open_or_create(
                MmapDirectory::open(folder).map_err(TantivyError::from)?,
                Fields::schema(),
            )?;
            fs::write(folder.join(SETTINGS), serde_json::to_vec(&settings)?)?;
        }
        let index = Self::open(folder)?;
        if index.chunking != chunking {
            return Err(DiskError::OtherChunking { found: index.chunking, wanted: chunking });
        }
        Ok(index)
    }

    /// Opens the index in a folder.
    pub fn open(folder: &Path) -> Result<Self, DiskError> {
        let settings = match fs::read(folder.join(SETTINGS)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(DiskError::Missing(folder.display().to_string()));
            }
            settings => settings?,
        };
        let settings: Settings = serde_json::from_slice(&settings)?;
        if settings.format != FORMAT {
            return Err(DiskError::Format { found: settings.format });
        }
        let index = Index::open_in_dir(folder)?;
        index.tokenizers().register(terms::NAME, terms::Stems::default());
        let fields = Fields::of(&index.schema())?;
        let reader = index.reader()?;
        Ok(Self { index, reader, fields, chunking: settings.chunking.parse()? })
    }

    /// How the passages of the index are cut.
    pub fn chunking(&self) -> Chunking {
        self.chunking
    }
}
