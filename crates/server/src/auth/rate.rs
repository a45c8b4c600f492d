//! How often somebody may ask: a bucket for each token or person that fills again.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::Caller;

/// Buckets that are kept; beyond, the full ones are forgotten.
const KEPT_MAX: usize = 10_000;

/// Requests of each token or person.
#[derive(Debug)]
pub struct Rate {
    per_second: f64,
    buckets: Mutex<BTreeMap<String, (f64, Instant)>>,
}

impl Rate {
    /// So many a second, and four times as many at once.
    pub(crate) fn new(per_second: f64) -> Self {
        Self { per_second, buckets: Mutex::default() }
    }

    /// Whether one more is allowed. The one person of a loopback server is not counted.
    pub(crate) fn allows(&self, caller: &Caller) -> bool {
        if caller.scope.is_none() && caller.user.is_none() {
            return true;
        }
        self.takes(&format!("{} {}", caller.organisation, caller.who), Instant::now())
    }

    /// Whether one more is allowed to whoever that is.
    pub(crate) fn takes(&self, key: &str, now: Instant) -> bool {
        let full = self.per_second * 4.0;
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() > KEPT_MAX {
            buckets.retain(|_, (_, last)| now.saturating_duration_since(*last).as_secs() < 10);
        }
        let (left, last) = buckets.entry(key.to_owned()).or_insert((full, now));
        let filled = now.saturating_duration_since(*last).as_secs_f64() * self.per_second;
        (*left, *last) = ((*left + filled).min(full), now);
        if *left < 1.0 {
            return false;
        }
        *left -= 1.0;
        true
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_bucket_empties_and_fills_again_and_is_nobody_elses() {
        let (rate, now) = (Rate::new(2.0), Instant::now());
        assert_eq!((0..20).filter(|_| rate.takes("a", now)).count(), 8);
        assert!(rate.takes("b", now));
        let later = now + Duration::from_secs(1);
        assert_eq!((0..20).filter(|_| rate.takes("a", later)).count(), 2);
    }
}
