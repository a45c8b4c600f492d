//! When a provider fails again and again, it is left alone for a while.
//!
//! Without this every item of a run would use up its own tries on a server that is down,
//! and a pause of a minute would leave a thousand items unscored.
//!
//! It is the provider that is watched, not the items. A connection that cannot be made is
//! always the provider's. A 500, a time-out or a broken line may be the fault of what one
//! request asks: it counts once for each request, however often that one is tried, and not at
//! all for a request that failed while others were answered. Before such failures alone decide
//! that a provider is down, a health check asks it something harmless; if that is answered, the
//! requests that fail are left to their own tries.

use std::collections::BTreeSet;
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
    /// It may, for this purpose.
    Pass(Purpose),
    /// Not before then.
    Wait(Instant),
    /// Not at all: the provider is given up, and this was its last failure.
    Down(ProviderError),
}

/// What a request is let through for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    Answer,
    /// To see whether a connection can be made again; the request itself will do.
    Probe,
    /// To see whether the provider is well although several requests failed: something
    /// harmless is asked instead of the request, which may be what makes it fail.
    HealthCheck,
}

/// The state of one provider's line.
#[derive(Debug)]
pub(crate) struct Circuit {
    settings: CircuitSettings,
    /// Failures of the line since the last sign of life.
    line_failures: u32,
    /// Requests that failed since the last sign of life, each once.
    failing: BTreeSet<u64>,
    /// Requests that failed while others were answered: their failures are their own.
    suspects: BTreeSet<u64>,
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
        Self {
            settings,
            line_failures: 0,
            failing: BTreeSet::new(),
            suspects: BTreeSet::new(),
            has_answered: false,
            open: None,
        }
    }

    /// Asks to send one request; an open circuit lets one probe through after each rest. A
    /// provider that was given up is still probed now and then, for those who ask again later.
    pub(crate) fn gate(&mut self, now: Instant) -> Gate {
        let patience = self.patience();
        let Some(open) = &mut self.open else { return Gate::Pass(Purpose::Answer) };
        if !open.last.is_passing() {
            return Gate::Down(open.last.clone());
        }
        if open.probing || now < open.until {
            if now.duration_since(open.since) > patience {
                return Gate::Down(open.last.clone());
            }
            return Gate::Wait(open.until.max(now + Duration::from_millis(50)));
        }
        open.probing = true;
        let is_of_the_line = open.last.is_of_the_line();
        Gate::Pass(if is_of_the_line { Purpose::Probe } else { Purpose::HealthCheck })
    }

    /// The provider answered this request, or at least was there.
    pub(crate) fn alive(&mut self, request: u64, answered: bool) {
        self.line_failures = 0;
        self.open = None;
        if answered {
            self.has_answered = true;
            self.failing.remove(&request);
            self.suspects.remove(&request);
            // Whoever failed while this one was answered failed on its own account.
            self.suspects.append(&mut self.failing);
        }
    }

    /// A request failed. A refusal counts only as long as nobody was ever answered.
    pub(crate) fn failed(&mut self, now: Instant, request: u64, error: &ProviderError) {
        if !error.is_passing() && self.has_answered {
            return;
        }
        let is_of_the_line = error.is_of_the_line();
        if let Some(open) = &mut self.open {
            if open.probing {
                open.rest = (open.rest * 2).min(self.settings.longest_rest);
                open.until = now + open.rest;
                open.probing = false;
            }
            open.last = error.clone();
            return;
        }
        if is_of_the_line {
            self.line_failures += 1;
        } else if !self.suspects.contains(&request) {
            self.failing.insert(request);
        }
        let failing = u32::try_from(self.failing.len()).unwrap_or(u32::MAX);
        if self.line_failures.saturating_add(failing) >= self.settings.failures_max {
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

    const PASS: Gate = Gate::Pass(Purpose::Answer);

    fn gone() -> ProviderError {
        ProviderError::Unreachable { message: "connection refused".into() }
    }

    fn on_fire() -> ProviderError {
        ProviderError::Server { status: 500, retry_after: None, message: "on fire".into() }
    }

    fn opened(has_answered: bool) -> (Circuit, Instant) {
        let now = Instant::now();
        let mut circuit = Circuit::new(CircuitSettings::default());
        if has_answered {
            circuit.alive(0, true);
        }
        for _ in 0..4 {
            assert_eq!(circuit.gate(now), PASS);
            circuit.failed(now, 7, &gone());
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
        assert_eq!(circuit.gate(later), Gate::Pass(Purpose::Probe));
        assert!(matches!(circuit.gate(later), Gate::Wait(_)));
        circuit.alive(7, true);
        assert_eq!(circuit.gate(later), PASS);
    }

    #[tokio::test]
    async fn a_probe_that_fails_doubles_the_rest() {
        let (mut circuit, now) = opened(true);
        let later = now + Duration::from_secs(1);
        assert_eq!(circuit.gate(later), Gate::Pass(Purpose::Probe));
        circuit.failed(later, 7, &gone());
        assert_eq!(circuit.gate(later), Gate::Wait(later + Duration::from_secs(2)));
    }

    #[tokio::test]
    async fn a_provider_that_never_answered_is_given_up_after_ten_seconds() {
        let given_up = |has_answered, seconds| {
            let (mut circuit, now) = opened(has_answered);
            let later = now + Duration::from_secs(seconds);
            // One probe goes out; whoever comes while it is under way hears the verdict.
            assert_eq!(circuit.gate(later), Gate::Pass(Purpose::Probe));
            circuit.gate(later) == Gate::Down(gone())
        };
        assert!(given_up(false, 11) && !given_up(false, 10));
        assert!(given_up(true, 121) && !given_up(true, 119));
    }

    #[tokio::test]
    async fn one_request_that_fails_for_ever_opens_nothing() {
        let now = Instant::now();
        let mut circuit = Circuit::new(CircuitSettings::default());
        for _ in 0..100 {
            circuit.failed(now, 1, &on_fire());
            assert_eq!(circuit.gate(now), PASS);
        }
    }

    #[tokio::test]
    async fn failures_of_several_requests_are_settled_by_a_health_check() {
        let now = Instant::now();
        let mut circuit = Circuit::new(CircuitSettings::default());
        (1..=4).for_each(|request| circuit.failed(now, request, &on_fire()));
        let later = now + Duration::from_secs(1);
        assert_eq!(circuit.gate(later), Gate::Pass(Purpose::HealthCheck));
        circuit.alive(99, true);
        // It is well: the four have only themselves to blame from now on.
        for _ in 0..10 {
            (1..=4).for_each(|request| circuit.failed(later, request, &on_fire()));
        }
        assert_eq!(circuit.gate(later), PASS);
        // A line that is down is another matter, whoever finds out.
        (1..=4).for_each(|request| circuit.failed(later, request, &gone()));
        assert!(matches!(circuit.gate(later), Gate::Wait(_)));
    }

    #[tokio::test]
    async fn what_fails_while_others_are_answered_is_not_held_against_the_provider() {
        let now = Instant::now();
        let mut circuit = Circuit::new(CircuitSettings::default());
        for request in 0..100 {
            circuit.failed(now, request, &on_fire());
            circuit.alive(1_000 + request, true);
            circuit.failed(now, request, &on_fire());
        }
        assert_eq!(circuit.gate(now), PASS);
    }

    #[tokio::test]
    async fn refusals_stop_a_run_only_if_nobody_was_ever_answered() {
        let refused = ProviderError::Refused { status: Some(403), message: "no".into() };
        let now = Instant::now();
        let mut circuit = Circuit::new(CircuitSettings::default());
        (0..4).for_each(|request| circuit.failed(now, request, &refused));
        assert_eq!(circuit.gate(now), Gate::Down(refused.clone()));

        let mut circuit = Circuit::new(CircuitSettings::default());
        circuit.alive(0, true);
        (0..100).for_each(|request| circuit.failed(now, request, &refused));
        assert_eq!(circuit.gate(now), PASS);
    }
}
