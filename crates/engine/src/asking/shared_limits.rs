//! What all processes together may ask of a provider: rows of the database, taken in chunks.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use assize_models::{ChatRequest, ModelName};
use assize_store::{Rates, Store, StoreError, Taken};
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::judge::Judge;

/// Chunks last about so long, in parts of a minute: a process that dies loses no more.
const CHUNKS_A_MINUTE: u32 = 240;
/// How often a process looks whether another was told to slow down.
const LOOK: Duration = Duration::from_secs(1);

/// What this process holds of the limits of each model.
#[derive(Debug, Default)]
pub(crate) struct SharedLimits(std::sync::Mutex<BTreeMap<ModelName, Arc<Mutex<Chunk>>>>);

/// Requests that may go out without asking the database.
#[derive(Debug, Default)]
struct Chunk {
    requests: u32,
    looked: Option<Instant>,
}

impl SharedLimits {
    /// Takes leave for one request. Some: there is none yet, and it is worth trying after so
    /// long.
    pub(crate) async fn wait(
        &self,
        store: &Store,
        judge: &Judge,
        request: &ChatRequest,
    ) -> Result<Option<Duration>, StoreError> {
        let chunk = self.of(&judge.name);
        let mut chunk = chunk.lock().await;
        let name = [judge.name.provider(), judge.name.model()];
        let rates = Rates {
            requests_a_minute: judge.limits.requests_a_minute,
            tokens_a_minute: judge.limits.tokens_a_minute,
        };
        if !rates.is_any() {
            // Nothing is counted, but somebody may have been told to wait.
            if chunk.looked.is_some_and(|looked| looked.elapsed() < LOOK) {
                return Ok(None);
            }
            let paused = match store.limits().paused(name).await {
                // It is away for a moment, and so are those who could have complained.
                Err(StoreError::Unreachable(_)) => None,
                paused => paused?,
            };
            if paused.is_none() {
                chunk.looked = Some(Instant::now());
            }
            return Ok(paused.map(|wait| wait.min(LOOK)));
        }
        if chunk.requests == 0 {
            let wanted = rates.requests_a_minute.map_or(1, |rate| rate / CHUNKS_A_MINUTE).max(1);
            // Tokens are taken for what is about to be sent, so that a chunk is one request.
            let wanted = if rates.tokens_a_minute.is_some() { 1 } else { wanted };
            #[expect(clippy::cast_precision_loss, reason = "an estimate")]
            let tokens = request.estimate().total() as f64;
            match store.limits().take(name, &rates, wanted, tokens).await {
                Ok(Taken::Requests(requests)) => chunk.requests = requests,
                Ok(Taken::After(wait)) => return Ok(Some(wait)),
                Err(StoreError::Unreachable(_)) => return Ok(Some(LOOK)),
                Err(error) => return Err(error),
            }
        }
        chunk.requests -= 1;
        Ok(None)
    }

    /// A provider asked to slow down. If it does so again and again, all processes wait.
    pub(crate) async fn complained(&self, store: &Store, judge: &Judge) -> Result<(), StoreError> {
        match judge.throttle.paused_for() {
            Some(wait) => {
                let name = [judge.name.provider(), judge.name.model()];
                match store.limits().pause(name, wait).await {
                    Err(StoreError::Unreachable(_)) => Ok(()),
                    paused => paused,
                }
            }
            None => Ok(()),
        }
    }

    fn of(&self, model: &ModelName) -> Arc<Mutex<Chunk>> {
        let mut chunks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(chunks.entry(model.clone()).or_default())
    }
}
