//! Meaning by any embeddings endpoint, in place of the table compiled in.

use std::io;
use std::sync::Arc;

use assize_models::retry::Trials;
use assize_models::{
    EndpointError, Endpoints, ModelName, ProviderError, Remote, RetryPolicy, Timeouts,
};
use assize_search::dense::{EmbedError, Embedder};
use futures_util::{StreamExt, TryStreamExt, stream};
use thiserror::Error;
use tokio::runtime::{Builder, Runtime};
use tokio::time::sleep;

/// Texts in one request: servers commonly take more, small ones take this.
const TEXTS_PER_REQUEST: usize = 32;
/// Requests under way at once.
const REQUESTS_MAX: usize = 4;
/// What is sent to learn how many numbers a vector has.
const FIRST_TEXT: &str = "How long is a vector?";

/// A model that turns texts into vectors, somewhere on the network.
///
/// Calls wait for the network, so it belongs on a thread of its own and not into a task.
#[derive(Debug)]
pub struct EndpointEmbedder {
    runtime: Runtime,
    remote: Remote,
    model: ModelName,
    retry: RetryPolicy,
    dimensions: usize,
}

/// Why a model cannot be used for vectors.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EmbedderError {
    /// Its provider is unknown, or its key is missing.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    /// It gave no vector.
    #[error(transparent)]
    Embed(#[from] EmbedError),
    /// The system lends no thread to wait on.
    #[error("could not start the client for the embeddings endpoint")]
    Runtime(#[source] io::Error),
    /// The folder is no model that can be run here.
    #[error(transparent)]
    Encoder(#[from] assize_readers::ReaderError),
    /// Models in folders are left out of this program.
    #[error("this build does not include local models; build with the feature `readers`")]
    NoEncoder,
    /// The folder in which vectors are kept cannot be used.
    #[error("cannot use the folder for cached embeddings")]
    Cache(#[from] io::Error),
}

/// The model as something that searches can use.
pub fn connect(
    model: ModelName,
    endpoints: &Endpoints,
) -> Result<Arc<dyn Embedder>, EmbedderError> {
    Ok(Arc::new(EndpointEmbedder::connect(model, endpoints)?))
}

impl EndpointEmbedder {
    /// Asks the model for one vector, so that what is wrong shows before a corpus is cut.
    pub fn connect(model: ModelName, endpoints: &Endpoints) -> Result<Self, EmbedderError> {
        let remote = endpoints.remote(model.provider(), Timeouts::default())?;
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(EmbedderError::Runtime)?;
        let retry = RetryPolicy::default();
        let mut embedder = Self { runtime, remote, model, retry, dimensions: 0 };
        let first = embedder.runtime.block_on(embedder.request(&[FIRST_TEXT], 0))?;
        embedder.dimensions = first.first().map_or(0, Vec::len);
        if embedder.dimensions == 0 {
            return Err(EmbedError::Endpoint("its embeddings are empty".to_owned()).into());
        }
        Ok(embedder)
    }

    /// One request, again while there is hope.
    async fn request(&self, texts: &[&str], seed: u64) -> Result<Vec<Vec<f32>>, EmbedError> {
        let mut trials = Trials::default();
        loop {
            let error: ProviderError = match self.remote.embed(&self.model, texts).await {
                Ok(vectors) => return Ok(vectors),
                Err(error) => error,
            };
            trials.note(&error, false);
            let Some(wait) = self.retry.wait(&error, trials, seed) else {
                return Err(EmbedError::Endpoint(with_cause(&error)));
            };
            trials.waited += wait;
            sleep(wait).await;
        }
    }

    async fn requests(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        // A text of nothing but space has no direction, and some servers refuse it.
        let spoken: Vec<&str> =
            texts.iter().copied().filter(|text| !text.trim().is_empty()).collect();
        let batches = spoken.chunks(TEXTS_PER_REQUEST).zip(0_u64..);
        let answers = stream::iter(batches.map(|(batch, seed)| self.request(batch, seed)));
        let vectors: Vec<Vec<Vec<f32>>> = answers.buffered(REQUESTS_MAX).try_collect().await?;
        let mut vectors = vectors.into_iter().flatten();
        let silent = || vec![0.0; self.dimensions];
        Ok(texts
            .iter()
            .map(|text| {
                if text.trim().is_empty() {
                    silent()
                } else {
                    vectors.next().unwrap_or_else(silent)
                }
            })
            .collect())
    }
}

impl Embedder for EndpointEmbedder {
    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.runtime.block_on(self.requests(texts))
    }
}

/// An error and what caused it, in one line.
fn with_cause(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(cause) => format!("{error}: {}", with_cause(cause)),
        None => error.to_string(),
    }
}
