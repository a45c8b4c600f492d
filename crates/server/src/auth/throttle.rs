//! How often somebody may try to sign in.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Tries that may go wrong before one has to wait.
const TRIES: u32 = 5;
/// How long one has to wait then, from the last try.
const PAUSE: Duration = Duration::from_mins(5);
/// Names and addresses that are remembered; beyond, the oldest is forgotten.
const KEPT_MAX: usize = 10_000;

/// Tries that went wrong, by name and by address.
#[derive(Debug, Default)]
pub struct Throttle {
    failures: Mutex<BTreeMap<String, (u32, Instant)>>,
}

impl Throttle {
    /// Whether one of these has to wait at that time.
    pub(crate) fn blocks(&self, keys: &[String], now: Instant) -> bool {
        let failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        keys.iter()
            .filter_map(|key| failures.get(key))
            .any(|(count, last)| *count >= TRIES && now.saturating_duration_since(*last) < PAUSE)
    }

    /// A try went wrong.
    pub(crate) fn failed(&self, keys: &[String], now: Instant) {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        for key in keys {
            let (count, last) = failures.entry(key.clone()).or_insert((0, now));
            if now.saturating_duration_since(*last) >= PAUSE {
                *count = 0;
            }
            (*count, *last) = (*count + 1, now);
        }
        while failures.len() > KEPT_MAX {
            let oldest = failures.iter().min_by_key(|(_, (_, last))| *last);
            let Some(oldest) = oldest.map(|(key, _)| key.clone()) else { break };
            failures.remove(&oldest);
        }
    }

    /// A try went well: the name may fail again from zero. The address may not, or one account
    /// of their own would let somebody try all others.
    pub(crate) fn succeeded(&self, name: &str) {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner).remove(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_five_wrong_tries_a_name_waits_and_then_may_try_again() {
        let (throttle, now) = (Throttle::default(), Instant::now());
        let keys = ["name ann".to_owned()];
        for _ in 0..TRIES {
            assert!(!throttle.blocks(&keys, now));
            throttle.failed(&keys, now);
        }
        assert!(throttle.blocks(&keys, now + Duration::from_mins(4)));
        assert!(!throttle.blocks(&["name bob".to_owned()], now));
        assert!(!throttle.blocks(&keys, now + PAUSE));
        throttle.succeeded("name ann");
        assert!(!throttle.blocks(&keys, now));
    }
}
