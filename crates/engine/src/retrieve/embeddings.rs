//! Where vectors come from when not from the table compiled in: a folder, or a model elsewhere.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use assize_models::{Endpoints, ModelName, ModelNameError};
use assize_readers::Identity;
use assize_search::dense::Embedder;

use super::endpoint::{EmbedderError, connect};
use super::vectors::{CachedEmbedder, VectorCache};

/// What stands before a folder's path.
const FOLDER: &str = "dir:";

/// A model that turns texts into vectors, as a user names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EmbeddingSource {
    /// `dir:PATH`: the folder of a sentence-transformers model, run in this process.
    Folder(PathBuf),
    /// `PROVIDER/MODEL`: a model behind an endpoint.
    Model(ModelName),
}

impl FromStr for EmbeddingSource {
    type Err = ModelNameError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.strip_prefix(FOLDER) {
            Some(path) => Ok(Self::Folder(PathBuf::from(path))),
            None => text.parse().map(Self::Model),
        }
    }
}

impl fmt::Display for EmbeddingSource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(path) => write!(formatter, "{FOLDER}{}", path.display()),
            Self::Model(model) => write!(formatter, "{model}"),
        }
    }
}

impl EmbeddingSource {
    /// The model, ready to embed; vectors that a cache holds are not computed again.
    pub fn open(
        &self,
        endpoints: &Endpoints,
        cache: Option<&Path>,
    ) -> Result<Arc<dyn Embedder>, EmbedderError> {
        let embedder = match self {
            Self::Folder(path) => in_folder(path)?,
            Self::Model(model) => connect(model.clone(), endpoints)?,
        };
        let Some(folder) = cache else { return Ok(embedder) };
        let identity = self.identity(endpoints, embedder.dimensions())?;
        let cache = VectorCache::open(folder, &identity, embedder.dimensions())?;
        Ok(Arc::new(CachedEmbedder::new(embedder, cache)))
    }

    /// What tells vectors of this model from those of any other: the content of its files, or
    /// its name and where it is asked.
    fn identity(&self, endpoints: &Endpoints, dimensions: usize) -> Result<String, EmbedderError> {
        match self {
            Self::Folder(path) => folder_identity(path),
            Self::Model(model) => {
                let address = endpoints.get(model.provider())?.shown_url();
                Ok(format!("{model} at {address} with {dimensions} dimensions"))
            }
        }
    }
}

/// The content of its files tells vectors of a model from those of any other.
fn folder_identity(folder: &Path) -> Result<String, EmbedderError> {
    Ok(format!("folder {}", Identity::of_folder(folder)?.sha256))
}

#[cfg(feature = "readers")]
fn in_folder(path: &Path) -> Result<Arc<dyn Embedder>, EmbedderError> {
    Ok(Arc::new(super::folder::FolderEmbedder::open(path)?))
}

#[cfg(not(feature = "readers"))]
fn in_folder(_: &Path) -> Result<Arc<dyn Embedder>, EmbedderError> {
    Err(EmbedderError::NoEncoder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_and_a_model_are_told_apart_and_read_back() {
        for name in ["dir:models/minilm", "local/minilm"] {
            let source: EmbeddingSource = name.parse().unwrap();
            assert_eq!(source.to_string(), name);
            assert_eq!(matches!(source, EmbeddingSource::Folder(_)), name.starts_with("dir:"));
        }
        assert!("minilm".parse::<EmbeddingSource>().is_err());
    }
}
