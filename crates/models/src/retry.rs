//! Which failures are tried again, how often and how long apart.

use std::time::Duration;

use crate::error::ProviderError;

/// How patient we are with one request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetryPolicy {
    /// How often a request is sent at most. Being asked to slow down does not count.
    pub tries_max: u32,
    /// The wait after the first failure; it doubles from one failure to the next.
    pub first_wait: Duration,
    /// It doubles up to here.
    pub longest_wait: Duration,
    /// How long a request may spend waiting in all, whoever asked for it.
    pub patience: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            tries_max: 5,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(30),
            patience: Duration::from_mins(10),
        }
    }
}

/// What a request went through so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Trials {
    /// How often it failed in a way that counts.
    pub failed: u32,
    /// How often it was asked to slow down.
    pub slowed: u32,
    /// How long it has waited in all.
    pub waited: Duration,
}

impl Trials {
    /// Takes note of a failure. What may have been paid for counts twice, so that it is tried
    /// less often. A probe of a line that is down counts nothing: how long we wait for that
    /// is decided for all requests together.
    pub fn note(&mut self, error: &ProviderError, is_probe: bool) {
        match error {
            ProviderError::RateLimited { .. } => self.slowed += 1,
            ProviderError::Unreachable { .. } if is_probe => self.slowed += 1,
            error if error.may_have_been_paid() => self.failed += 2,
            _ => self.failed += 1,
        }
    }
}

impl RetryPolicy {
    /// How long to wait before the next try, or `None` to give up.
    ///
    /// A provider that says how long to wait is never asked earlier. The seed spreads
    /// requests that failed together; the same seed gives the same waits.
    pub fn wait(&self, error: &ProviderError, trials: Trials, seed: u64) -> Option<Duration> {
        if !error.is_passing() || trials.failed >= self.tries_max {
            return None;
        }
        let wait = match error.retry_after() {
            Some(asked) => asked + asked.mul_f64(fraction(seed, trials) / 10.0),
            None => self.back_off(trials, seed),
        };
        (trials.waited + wait <= self.patience).then_some(wait)
    }

    /// Half of the doubling wait, and a chance part of the other half.
    fn back_off(&self, trials: Trials, seed: u64) -> Duration {
        let doublings = (trials.failed + trials.slowed).saturating_sub(1).min(31);
        let full = self.first_wait.saturating_mul(1 << doublings).min(self.longest_wait);
        full.mul_f64(0.5 + 0.5 * fraction(seed, trials))
    }
}

/// A number from 0 up to 1 that looks like chance and is not (splitmix64).
fn fraction(seed: u64, trials: Trials) -> f64 {
    let step = u64::from(trials.failed + trials.slowed);
    let mut bits = seed.wrapping_add(step.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^= bits >> 31;
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken() -> ProviderError {
        ProviderError::Unreachable { message: "gone".into() }
    }

    fn slow(seconds: Option<u64>) -> ProviderError {
        let retry_after = seconds.map(Duration::from_secs);
        ProviderError::RateLimited { retry_after, message: "slow down".into() }
    }

    fn after(failed: u32) -> Trials {
        Trials { failed, ..Trials::default() }
    }

    #[test]
    fn waits_double_up_to_a_limit_and_stay_between_half_and_whole() {
        let policy = RetryPolicy { tries_max: 20, ..RetryPolicy::default() };
        for (failed, whole) in [(1, 500), (2, 1_000), (3, 2_000), (7, 30_000), (19, 30_000)] {
            for seed in 0..100 {
                let wait = policy.wait(&broken(), after(failed), seed).unwrap().as_millis();
                assert!((whole / 2..=whole).contains(&wait), "{failed} {seed}: {wait}");
            }
        }
    }

    #[test]
    fn requests_that_failed_together_do_not_come_back_together() {
        let policy = RetryPolicy::default();
        let waits: std::collections::BTreeSet<_> =
            (0..50).map(|seed| policy.wait(&broken(), after(1), seed)).collect();
        assert_eq!(waits.len(), 50);
        assert_eq!(policy.wait(&broken(), after(1), 7), policy.wait(&broken(), after(1), 7));
    }

    #[test]
    fn a_provider_is_never_asked_earlier_than_it_said_and_hardly_later() {
        let policy = RetryPolicy::default();
        for seed in 0..100 {
            let wait = policy.wait(&slow(Some(20)), after(0), seed).unwrap();
            assert!(wait >= Duration::from_secs(20) && wait <= Duration::from_secs(22));
        }
    }

    #[test]
    fn being_asked_to_slow_down_does_not_use_up_tries_but_patience() {
        let policy = RetryPolicy::default();
        let mut trials = Trials::default();
        for _ in 0..30 {
            trials.note(&slow(Some(1)), false);
        }
        assert!(policy.wait(&slow(Some(1)), trials, 0).is_some());
        trials.waited = Duration::from_secs(595);
        assert_eq!(policy.wait(&slow(Some(10)), trials, 0), None);
        assert_eq!(policy.wait(&slow(Some(3_600)), Trials::default(), 0), None);
    }

    #[test]
    fn what_may_have_been_paid_for_is_sent_three_times_at_most() {
        let late = ProviderError::TimedOut { after: Duration::from_secs(1) };
        let mut trials = Trials::default();
        let mut sends = 1;
        loop {
            trials.note(&late, false);
            if RetryPolicy::default().wait(&late, trials, 0).is_none() {
                break;
            }
            sends += 1;
        }
        assert_eq!(sends, 3);
    }

    #[test]
    fn the_last_try_is_the_fifth_and_what_cannot_pass_is_not_tried_again() {
        let policy = RetryPolicy::default();
        assert!(policy.wait(&broken(), after(4), 0).is_some());
        assert_eq!(policy.wait(&broken(), after(5), 0), None);
        let refused = ProviderError::Refused { status: Some(400), message: String::new() };
        assert_eq!(policy.wait(&refused, after(1), 0), None);
    }
}
