//! When a provider fails again and again, it is left alone for a while.
//!
//! Without this every item of a run would use up its own tries on a server that is down,
//! and a pause of a minute would leave a thousand items unscored.

use std::time::Duration;

use tokio::time::Instant;

use crate::error::ProviderError;

/// How much failure is borne.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CircuitSettings {
    /// So many failures in a row open the circuit. Fewer than a request has tries, so that no
    /// request is given up because its provider is away for a moment.
    pub failures_max: u32,
    /// The first rest; it doubles with every probe that fails.
    pub first_rest: Duration,
    /// It doubles up to here.
    pub longest_rest: Duration,
    /// A provider that answered before and stays away for so long is given up.
    pub patience: Duration,
    /// One that never answered is given up sooner: it is probably not there at all.
    pub first_patience: Duration,
}

impl Default for CircuitSettings {
    fn default() -> Self {
        Self {
            failures_max: 4,
            first_rest: Duration::from_secs(1),
            longest_rest: Duration::from_secs(15),
            patience: Duration::from_mins(2),
            first_patience: Duration::from_secs(10),
        }
    }
}

/// Whether a request may go out now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Gate {
    /// It may.
    Pass,
    /// Not before then.
    Wait(Instant),
    /// Not at all: the provider is given up, and this was its last failure.
    Down(ProviderError),
}

/// The state of one provider's line.
#[derive(Debug)]
pub(crate) struct Circuit {
    settings: CircuitSettings,
    failures: u32,
    has_answered: bool,
    open: Option<Open>,
}

#[derive(Debug)]
struct Open {
    since: Instant,
    until: Instant,
    rest: Duration,
    probing: bool,
    last: ProviderError,
}

impl Circuit {
    pub(crate) fn new(settings: CircuitSettings) -> Self {
        Self { settings, failures: 0, has_answered: false, open: None }
    }

    /// Asks to send one request; an open circuit lets one probe through after each rest.
    pub(crate) fn gate(&mut self, now: Instant) -> Gate {
        let patience = self.patience();
        let Some(open) = &mut self.open else { return Gate::Pass };
        if now.duration_since(open.since) > patience || !open.last.is_passing() {
            return Gate::Down(open.last.clone());
        }
        if open.probing || now < open.until {
            return Gate::Wait(open.until.max(now + Duration::from_millis(50)));
        }
        open.probing = true;
        Gate::Pass
    }

    /// Whether the request that passed last is a probe.
    pub(crate) fn is_probing(&self) -> bool {
        self.open.as_ref().is_some_and(|open| open.probing)
    }

    /// The provider answered, or at least was there.
    pub(crate) fn alive(&mut self, answered: bool) {
        self.failures = 0;
        self.open = None;
        self.has_answered |= answered;
    }

    /// The provider failed. A refusal counts only as long as nobody was ever answered.
    pub(crate) fn failed(&mut self, now: Instant, error: &ProviderError) {
        if !error.is_passing() && self.has_answered {
            return;
        }
        self.failures += 1;
        if let Some(open) = &mut self.open {
            if open.probing {
                open.rest = (open.rest * 2).min(self.settings.longest_rest);
                open.until = now + open.rest;
                open.probing = false;
            }
            open.last = error.clone();
        } else if self.failures >= self.settings.failures_max {
            let rest = self.settings.first_rest;
            let (until, last) = (now + rest, error.clone());
            self.open = Some(Open { since: now, until, rest, probing: false, last });
        }
    }

    /// A request was given up before it ended; if it was the probe, another may go.
    pub(crate) fn abandoned(&mut self) {
        if let Some(open) = &mut self.open {
            open.probing = false;
        }
    }

    fn patience(&self) -> Duration {
        if self.has_answered { self.settings.patience } else { self.settings.first_patience }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gone() -> ProviderError {
        ProviderError::Unreachable { message: "connection refused".into() }
    }

    fn opened(has_answered: bool) -> (Circuit, Instant) {
        let now = Instant::now();
        let mut circuit = Circuit::new(CircuitSettings::default());
        if has_answered {
            circuit.alive(true);
        }
        for _ in 0..4 {
            assert_eq!(circuit.gate(now), Gate::Pass);
            circuit.failed(now, &gone());
        }
        (circuit, now)
    }

    #[tokio::test]
    async fn four_failures_in_a_row_open_it_for_a_second() {
        let (mut circuit, now) = opened(true);
        assert_eq!(circuit.gate(now), Gate::Wait(now + Duration::from_secs(1)));
    }

    #[tokio::test]
    async fn one_probe_goes_through_after_the_rest_and_its_answer_closes_it() {
        let (mut circuit, now) = opened(true);
        let later = now + Duration::from_secs(1);
        assert_eq!(circuit.gate(later), Gate::Pass);
        assert!(matches!(circuit.gate(later), Gate::Wait(_)));
        circuit.alive(true);
        assert_eq!(circuit.gate(later), Gate::Pass);
    }

    #[tokio::test]
    async fn a_probe_that_fails_doubles_the_rest() {
        let (mut circuit, now) = opened(true);
        let later = now + Duration::from_secs(1);
        assert_eq!(circuit.gate(later), Gate::Pass);
        circuit.failed(later, &gone());
        assert_eq!(circuit.gate(later), Gate::Wait(later + Duration::from_secs(2)));
    }

    #[tokio::test]
    async fn a_provider_that_never_answered_is_given_up_after_ten_seconds() {
        let (mut circuit, now) = opened(false);
        assert_eq!(circuit.gate(now + Duration::from_secs(11)), Gate::Down(gone()));
        let (mut circuit, now) = opened(true);
        assert_eq!(circuit.gate(now + Duration::from_secs(119)), Gate::Pass);
        assert_eq!(circuit.gate(now + Duration::from_secs(121)), Gate::Down(gone()));
    }

    #[tokio::test]
    async fn refusals_stop_a_run_only_if_nobody_was_ever_answered() {
        let refused = ProviderError::Refused { status: Some(403), message: "no".into() };
        let now = Instant::now();
        let mut circuit = Circuit::new(CircuitSettings::default());
        (0..4).for_each(|_| circuit.failed(now, &refused));
        assert_eq!(circuit.gate(now), Gate::Down(refused.clone()));

        let mut circuit = Circuit::new(CircuitSettings::default());
        circuit.alive(true);
        (0..100).for_each(|_| circuit.failed(now, &refused));
        assert_eq!(circuit.gate(now), Gate::Pass);
    }
}
