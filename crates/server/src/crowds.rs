//! How many of something one address may have at a time.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::auth::throttle::network;

/// What each address has.
#[derive(Debug)]
pub(crate) struct Crowds {
    max: usize,
    counts: Mutex<BTreeMap<IpAddr, usize>>,
}

/// One of them, until it is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    crowds: Arc<Crowds>,
    network: IpAddr,
}

impl Crowds {
    /// At most so many for each address.
    pub(crate) fn new(max: usize) -> Arc<Self> {
        Arc::new(Self { max, counts: Mutex::default() })
    }

    /// One more, if the address has not too many. All addresses of a subscriber are one.
    pub(crate) fn join(self: &Arc<Self>, address: IpAddr) -> Option<Place> {
        let network = network(address);
        let mut counts = self.counts();
        let count = counts.entry(network).or_default();
        if *count >= self.max {
            return None;
        }
        *count += 1;
        Some(Place { crowds: Arc::clone(self), network })
    }

    fn counts(&self) -> MutexGuard<'_, BTreeMap<IpAddr, usize>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut counts = self.crowds.counts();
        if let Some(count) = counts.get_mut(&self.network) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.network);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_so_many_and_leaves_room_for_others() {
        let crowds = Crowds::new(2);
        let [one, same, other] =
            ["2001:db8::1", "2001:db8::2", "192.0.2.1"].map(|text| text.parse().unwrap());
        let (first, _second) = (crowds.join(one).unwrap(), crowds.join(same).unwrap());
        assert!(crowds.join(one).is_none());
        assert!(crowds.join(other).is_some());
        drop(first);
        assert!(crowds.join(same).is_some());
        assert_eq!(crowds.counts().len(), 1, "who has none is forgotten");
    }
}
