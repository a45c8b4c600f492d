//! How often somebody may guess a password.
//!
//! Tries are counted by account and address together, and by address alone. Not by account alone:
//! strangers could keep its owner out.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::error::{AppError, Result};

/// Tries at one account from one address that may go wrong before one has to wait.
const TRIES: u32 = 5;
/// Tries at any accounts from one address. More, because an office has one address.
const TRIES_OF_ADDRESS: u32 = 20;
/// How long one has to wait then, from the last try.
const PAUSE: Duration = Duration::from_mins(5);
/// Names and addresses that are remembered; beyond, the oldest is forgotten.
const KEPT_MAX: usize = 10_000;
/// What one subscriber is given of IPv6: any address of it is theirs.
const SUBSCRIBER_BITS: u32 = 64;

/// Tries that went wrong.
#[derive(Debug, Default)]
pub struct Throttle {
    failures: Mutex<BTreeMap<String, (u32, Instant)>>,
}

/// Whose password is guessed, and from where.
#[derive(Debug, Clone)]
pub(crate) struct Guess {
    pair: String,
    address: String,
}

impl Guess {
    /// At the account of that name, from there.
    pub(crate) fn new(name: &str, address: Option<&str>) -> Self {
        let address = address.unwrap_or_default();
        let address = address.parse().map_or(address.to_owned(), |one| network(one).to_string());
        Self { pair: format!("name {address} {name}"), address: format!("address {address}") }
    }

    fn limits(&self) -> [(&String, u32); 2] {
        [(&self.pair, TRIES), (&self.address, TRIES_OF_ADDRESS)]
    }
}

/// Whom an address belongs to.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(six) => {
            Ipv6Addr::from_bits(six.to_bits() >> SUBSCRIBER_BITS << SUBSCRIBER_BITS).into()
        }
        four @ IpAddr::V4(_) => four,
    }
}

impl Throttle {
    /// Refuses a guess after too many that were wrong.
    pub(crate) fn allow(&self, guess: &Guess) -> Result<()> {
        if self.blocks(guess, Instant::now()) {
            let detail = "too many failed attempts: try again in five minutes";
            return Err(AppError::too_many(detail));
        }
        Ok(())
    }

    fn blocks(&self, guess: &Guess, now: Instant) -> bool {
        let failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        guess.limits().into_iter().any(|(key, tries)| {
            failures.get(key).is_some_and(|(count, last)| {
                *count >= tries && now.saturating_duration_since(*last) < PAUSE
            })
        })
    }

    /// A guess was wrong.
    pub(crate) fn failed(&self, guess: &Guess, now: Instant) {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        for (key, _) in guess.limits() {
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

    /// A guess was right: the account may be mistyped again from zero. The address may not, or
    /// one account of their own would let somebody try all others.
    pub(crate) fn succeeded(&self, guess: &Guess) {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner).remove(&guess.pair);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_five_wrong_tries_an_account_waits_there_and_nowhere_else() {
        let (throttle, now) = (Throttle::default(), Instant::now());
        let there = Guess::new("ann", Some("192.0.2.7"));
        for _ in 0..TRIES {
            assert!(!throttle.blocks(&there, now));
            throttle.failed(&there, now);
        }
        assert!(throttle.blocks(&there, now + Duration::from_mins(4)));
        assert!(!throttle.blocks(&Guess::new("ann", Some("192.0.2.8")), now));
        assert!(!throttle.blocks(&Guess::new("bob", Some("192.0.2.7")), now));
        assert!(!throttle.blocks(&there, now + PAUSE));
        throttle.succeeded(&there);
        assert!(!throttle.blocks(&there, now));
    }

    #[test]
    fn an_address_that_tries_many_accounts_waits_with_all_of_its_network() {
        let (throttle, now) = (Throttle::default(), Instant::now());
        for number in 0..TRIES_OF_ADDRESS {
            let guess = Guess::new(&format!("n{number}"), Some(&format!("2001:db8::{number:x}")));
            assert!(!throttle.blocks(&guess, now), "{number}");
            throttle.failed(&guess, now);
        }
        assert!(throttle.blocks(&Guess::new("new", Some("2001:db8::ffff")), now));
        assert!(!throttle.blocks(&Guess::new("new", Some("2001:db8:0:1::1")), now));
    }
}
