//! How many requests are under way at once, adapting to what the provider bears.
//!
//! The limit starts at what the user allows. When the provider complains it falls by a
//! third, at most once for all requests that were under way together, and creeps up by one
//! for every round of answers. A provider that complains to everyone is left alone for as
//! long as it says; one that still answers others is not.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{self, Instant};

use crate::circuit::{Circuit, CircuitSettings, Gate, Purpose};
use crate::error::{ProviderError, Result};

/// What is left of the limit after a complaint.
const DECREASE: f64 = 0.7;
/// So many complaints in a row, with no answer between them, and everyone waits.
const COMPLAINTS_MAX: u32 = 3;
/// How long everyone waits if the provider does not say.
const PAUSE: Duration = Duration::from_secs(1);

/// How a provider is to be treated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThrottleSettings {
    /// The most requests under way at once.
    pub concurrency_max: u32,
    /// The most requests begun in a minute, evenly spaced; `None` for no such limit.
    pub requests_a_minute: Option<u32>,
    /// What happens when it fails again and again.
    pub circuit: CircuitSettings,
}

impl Default for ThrottleSettings {
    fn default() -> Self {
        let circuit = CircuitSettings::default();
        Self { concurrency_max: 16, requests_a_minute: None, circuit }
    }
}

/// One provider's limits, shared by everyone who speaks to it.
#[derive(Debug)]
pub struct Throttle {
    settings: ThrottleSettings,
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Debug)]
struct State {
    limit: f64,
    under_way: u32,
    /// Requests begun so far; tells which of them were under way at a decrease.
    begun: u64,
    decreased_at: u64,
    complaints: u32,
    paused_until: Option<Instant>,
    next_start: Option<Instant>,
    circuit: Circuit,
}

/// How a request ended.
#[derive(Debug, Clone, Copy)]
pub enum Ending<'a> {
    /// With a reply.
    Answered,
    /// Without one.
    Failed(&'a ProviderError),
}

/// Leave to send one request. Dropped without an ending, it tells the throttle nothing.
#[derive(Debug)]
pub struct Permit {
    throttle: Arc<Throttle>,
    number: u64,
    request: u64,
    purpose: Purpose,
    ended: bool,
}

impl Throttle {
    /// The limits of one provider.
    pub fn new(settings: ThrottleSettings) -> Arc<Self> {
        let state = State {
            limit: f64::from(settings.concurrency_max.max(1)),
            under_way: 0,
            begun: 0,
            decreased_at: 0,
            complaints: 0,
            paused_until: None,
            next_start: None,
            circuit: Circuit::new(settings.circuit.clone()),
        };
        Arc::new(Self { settings, state: Mutex::new(state), changed: Notify::new() })
    }

    /// How many may be under way at this moment.
    pub fn limit(&self) -> u32 {
        self.lock().places()
    }

    /// How long everyone is kept waiting from now on, because the provider complained to all.
    pub fn paused_for(&self) -> Option<Duration> {
        let until = self.lock().paused_until?;
        until.checked_duration_since(Instant::now()).filter(|wait| !wait.is_zero())
    }

    /// Waits for leave to send. `request` tells requests apart: one that is tried again has the
    /// number it had before. An error means that the provider is given up, and is its last
    /// failure.
    pub async fn admit(self: &Arc<Self>, request: u64) -> Result<Permit> {
        loop {
            let changed = self.changed.notified();
            let until = match self.try_admit(Instant::now())? {
                Admission::Go { number, purpose } => {
                    let throttle = Arc::clone(self);
                    return Ok(Permit { throttle, number, request, purpose, ended: false });
                }
                Admission::NotBefore(instant) => Some(instant),
                Admission::Full => None,
            };
            match until {
                Some(instant) => {
                    let _ = time::timeout_at(instant, changed).await;
                }
                None => changed.await,
            }
        }
    }

    fn try_admit(&self, now: Instant) -> Result<Admission> {
        let mut state = self.lock();
        if let Some(until) = state.paused_until.filter(|until| now < *until) {
            return Ok(Admission::NotBefore(until));
        }
        if state.under_way >= state.places() {
            return Ok(Admission::Full);
        }
        if let Some(start) = state.next_start.filter(|start| now < *start) {
            return Ok(Admission::NotBefore(start));
        }
        let purpose = match state.circuit.gate(now) {
            Gate::Pass(purpose) => purpose,
            Gate::Wait(until) => return Ok(Admission::NotBefore(until)),
            Gate::Down(last) => {
                // Nobody will make room any more; whoever waits for it has to hear of this.
                self.changed.notify_waiters();
                return Err(last);
            }
        };
        if let Some(rate) = self.settings.requests_a_minute {
            state.next_start = Some(now + Duration::from_mins(1) / rate.max(1));
        }
        state.under_way += 1;
        state.begun += 1;
        if state.under_way < state.places() {
            // Whoever waits may have been woken by nothing but this.
            self.changed.notify_one();
        }
        Ok(Admission::Go { number: state.begun, purpose })
    }

    fn end(&self, permit: &Permit, ending: Ending<'_>) {
        // A health check is nobody's request: what it says is about the provider.
        let (number, request) = match permit.purpose {
            Purpose::HealthCheck => (permit.number, u64::MAX),
            _ => (permit.number, permit.request),
        };
        let now = Instant::now();
        let mut state = self.lock();
        state.under_way -= 1;
        match ending {
            Ending::Answered => {
                state.complaints = 0;
                state.circuit.alive(request, true);
                let ceiling = f64::from(self.settings.concurrency_max.max(1));
                state.limit = (state.limit + 1.0 / state.limit).min(ceiling);
            }
            Ending::Failed(ProviderError::RateLimited { retry_after, .. }) => {
                state.circuit.alive(request, false);
                state.decrease(number);
                state.complaints += 1;
                if state.complaints >= COMPLAINTS_MAX {
                    let until = now + retry_after.unwrap_or(PAUSE);
                    state.paused_until = state.paused_until.max(Some(until));
                }
            }
            Ending::Failed(error) => {
                state.circuit.failed(now, request, error);
                if error.is_passing() {
                    state.decrease(number);
                }
            }
        }
        drop(state);
        self.changed.notify_one();
    }

    fn abandon(&self) {
        let mut state = self.lock();
        state.under_way -= 1;
        state.circuit.abandoned();
        drop(state);
        self.changed.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

enum Admission {
    Go { number: u64, purpose: Purpose },
    NotBefore(Instant),
    Full,
}

impl State {
    fn places(&self) -> u32 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the limit lies between 1 and a u32"
        )]
        let places = self.limit as u32;
        places.max(1)
    }

    /// Lowers the limit, unless this request was already under way at the last decrease.
    fn decrease(&mut self, number: u64) {
        if number > self.decreased_at {
            self.limit = (self.limit * DECREASE).max(1.0);
            self.decreased_at = self.begun;
        }
    }
}

impl Permit {
    /// What the request was let through for.
    pub fn purpose(&self) -> Purpose {
        self.purpose
    }

    /// Tells how the request ended, and makes room for another.
    pub fn end(mut self, ending: Ending<'_>) {
        self.ended = true;
        self.throttle.end(&self, ending);
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if !self.ended {
            self.throttle.abandon();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn throttle(concurrency_max: u32) -> Arc<Throttle> {
        Throttle::new(ThrottleSettings { concurrency_max, ..ThrottleSettings::default() })
    }

    fn slow_down(seconds: u64) -> ProviderError {
        let retry_after = Some(Duration::from_secs(seconds));
        ProviderError::RateLimited { retry_after, message: "slow down".into() }
    }

    async fn admitted_at_once(throttle: &Arc<Throttle>) -> Option<Permit> {
        time::timeout(Duration::from_millis(1), throttle.admit(0)).await.ok().map(Result::unwrap)
    }

    #[tokio::test(start_paused = true)]
    async fn no_more_than_the_limit_are_under_way() {
        let throttle = throttle(2);
        let first = throttle.admit(0).await.unwrap();
        let _second = throttle.admit(0).await.unwrap();
        assert!(admitted_at_once(&throttle).await.is_none());
        first.end(Ending::Answered);
        assert!(admitted_at_once(&throttle).await.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn a_burst_of_complaints_lowers_the_limit_once() {
        let throttle = throttle(10);
        let mut permits = Vec::new();
        for _ in 0..10 {
            permits.push(throttle.admit(0).await.unwrap());
        }
        for permit in permits {
            permit.end(Ending::Failed(&slow_down(1)));
        }
        assert_eq!(throttle.limit(), 7);
        throttle.admit(0).await.unwrap().end(Ending::Failed(&slow_down(1)));
        assert_eq!(throttle.limit(), 4);
    }

    #[tokio::test(start_paused = true)]
    async fn the_limit_grows_by_one_for_every_round_of_answers_up_to_what_the_user_allows() {
        let throttle = throttle(5);
        throttle.admit(0).await.unwrap().end(Ending::Failed(&slow_down(0)));
        assert_eq!(throttle.limit(), 3);
        for _ in 0..4 {
            throttle.admit(0).await.unwrap().end(Ending::Answered);
        }
        assert_eq!(throttle.limit(), 4);
        for _ in 0..50 {
            throttle.admit(0).await.unwrap().end(Ending::Answered);
        }
        assert_eq!(throttle.limit(), 5);
    }

    #[tokio::test(start_paused = true)]
    async fn one_complaint_among_answers_stops_nobody_but_three_in_a_row_stop_all() {
        let throttle = throttle(8);
        for _ in 0..2 {
            throttle.admit(0).await.unwrap().end(Ending::Failed(&slow_down(20)));
            throttle.admit(0).await.unwrap().end(Ending::Answered);
        }
        assert!(admitted_at_once(&throttle).await.is_some());
        for _ in 0..3 {
            throttle.admit(0).await.unwrap().end(Ending::Failed(&slow_down(20)));
        }
        let begun = Instant::now();
        throttle.admit(0).await.unwrap();
        assert_eq!(begun.elapsed().as_secs(), 20);
    }

    #[tokio::test(start_paused = true)]
    async fn requests_a_minute_are_evenly_spaced() {
        let settings =
            ThrottleSettings { requests_a_minute: Some(60), ..ThrottleSettings::default() };
        let throttle = Throttle::new(settings);
        let begun = Instant::now();
        for _ in 0..5 {
            throttle.admit(0).await.unwrap().end(Ending::Answered);
        }
        assert_eq!(begun.elapsed().as_secs(), 4);
    }

    #[tokio::test(start_paused = true)]
    async fn a_dead_provider_is_given_up_with_its_last_failure() {
        let throttle = throttle(4);
        let gone = ProviderError::Unreachable { message: "connection refused".into() };
        let begun = Instant::now();
        let last = loop {
            match throttle.admit(0).await {
                Ok(permit) => permit.end(Ending::Failed(&gone)),
                Err(last) => break last,
            }
        };
        assert_eq!(last, gone);
        assert!((10..=15).contains(&begun.elapsed().as_secs()), "{:?}", begun.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn everyone_who_waits_hears_that_a_provider_is_given_up() {
        let throttle = throttle(4);
        let gone = ProviderError::Unreachable { message: "connection refused".into() };
        let waiting: Vec<_> = (0..50)
            .map(|_| {
                let (throttle, gone) = (Arc::clone(&throttle), gone.clone());
                tokio::spawn(async move {
                    while let Ok(permit) = throttle.admit(0).await {
                        time::sleep(Duration::from_millis(5)).await;
                        permit.end(Ending::Failed(&gone));
                    }
                })
            })
            .collect();
        for waiter in waiting {
            time::timeout(Duration::from_mins(1), waiter).await.unwrap().unwrap();
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_abandoned_request_makes_room() {
        let throttle = throttle(1);
        drop(throttle.admit(0).await.unwrap());
        assert!(admitted_at_once(&throttle).await.is_some());
    }
}
