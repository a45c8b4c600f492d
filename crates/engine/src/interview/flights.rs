//! Two items that ask the same wait for one reply instead of paying for two.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use assize_models::ExchangeKey;
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

/// The keys that are being asked for at this moment.
#[derive(Debug, Default)]
pub(crate) struct Flights {
    under_way: Mutex<BTreeMap<ExchangeKey, Arc<AsyncMutex<()>>>>,
}

/// While it lives, nobody else asks for the key.
#[derive(Debug)]
pub(crate) struct Flight<'a> {
    flights: &'a Flights,
    key: ExchangeKey,
    turn: Option<OwnedMutexGuard<()>>,
}

impl Flights {
    /// Waits for those who ask for the same.
    pub(crate) async fn board(&self, key: ExchangeKey) -> Flight<'_> {
        let door = {
            let mut under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(under_way.entry(key).or_default())
        };
        Flight { flights: self, key, turn: Some(door.lock_owned().await) }
    }
}

impl Drop for Flight<'_> {
    fn drop(&mut self) {
        self.turn = None;
        let mut under_way = self.flights.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever still waits holds the door too, and takes it away in the end.
        if under_way.get(&self.key).is_some_and(|door| Arc::strong_count(door) == 1) {
            under_way.remove(&self.key);
        }
    }
}
