//! Two items that ask the same wait for one reply instead of paying for two.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use assize_models::ExchangeKey;
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

/// The keys that are being asked for at this moment.
#[derive(Debug, Default)]
pub(crate) struct InFlight {
    under_way: Mutex<BTreeMap<ExchangeKey, Arc<AsyncMutex<()>>>>,
}

/// While it lives, nobody else asks for the key.
#[derive(Debug)]
pub(crate) struct Turn<'a> {
    in_flight: &'a InFlight,
    key: ExchangeKey,
    held: Option<OwnedMutexGuard<()>>,
}

impl InFlight {
    /// Waits for those who ask for the same.
    pub(crate) async fn wait_for(&self, key: ExchangeKey) -> Turn<'_> {
        let lock = {
            let mut under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(under_way.entry(key).or_default())
        };
        Turn { in_flight: self, key, held: Some(lock.lock_owned().await) }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.held = None;
        let mut under_way = self.in_flight.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever still waits holds the lock too, and takes it away in the end.
        if under_way.get(&self.key).is_some_and(|lock| Arc::strong_count(lock) == 1) {
            under_way.remove(&self.key);
        }
    }
}
