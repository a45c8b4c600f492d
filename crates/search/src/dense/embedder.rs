//! What turns texts into vectors: the table compiled in, or an endpoint.

use std::borrow::Cow;
use std::fmt::Debug;

use thiserror::Error;

/// Why texts could not be turned into vectors.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EmbedError {
    /// The endpoint did not answer, or not with vectors.
    #[error("the embeddings endpoint failed: {0}")]
    Endpoint(String),
    /// The model of this machine gave no vectors.
    #[error("{0}")]
    Local(String),
    /// Vectors of another number of dimensions than promised.
    #[error("the embeddings have {found} dimensions instead of {expected}")]
    Dimensions {
        /// What came.
        found: usize,
        /// What was promised.
        expected: usize,
    },
}

/// Something that turns texts into vectors.
///
/// The second implementation, besides the table compiled in, is any embeddings endpoint;
/// it lives where the network is allowed.
pub trait Embedder: Debug + Send + Sync {
    /// How many numbers a vector has.
    fn dimensions(&self) -> usize;

    /// What the cosine counts beside terms in hybrid search, both in deviations from their
    /// mean: half, unless the vectors are known to be better or worse than a model's.
    fn weight(&self) -> f64 {
        0.5
    }

    /// A question as it is embedded: as it stands, unless its signs would count as words.
    fn question<'t>(&self, text: &'t str) -> Cow<'t, str> {
        Cow::Borrowed(text)
    }

    /// One vector for each text, in order; their length does not matter.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError>;
}
