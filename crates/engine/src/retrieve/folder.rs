//! Vectors by the model of a folder, run in this process.

use std::borrow::Cow;
use std::path::Path;

use assize_readers::{Encoder, ReaderError};
use assize_search::dense::{EmbedError, Embedder};

/// An encoder as something that searches can use.
#[derive(Debug)]
pub(super) struct FolderEmbedder(Encoder);

impl FolderEmbedder {
    /// Reads the folder of a model.
    pub(super) fn open(folder: &Path) -> Result<Self, ReaderError> {
        Encoder::open(folder).map(Self)
    }
}

impl Embedder for FolderEmbedder {
    fn dimensions(&self) -> usize {
        self.0.dimensions()
    }

    /// As much as terms: the least that was as good as any on a collection of news; on four others
    /// it gained too. docs/adr/0005 has the figures.
    fn weight(&self) -> f64 {
        1.0
    }

    /// What the folder says is put before a question.
    fn question<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.0.question(text)
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.0.vectors(texts).map_err(|error| EmbedError::Local(error.to_string()))
    }
}
