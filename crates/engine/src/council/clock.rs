//! The time that a council has, and each of its stages.

use std::future::Future;
use std::time::Duration;

use assize_wire::council::Stage;
use tokio::time::{Instant, timeout_at};

use super::timeouts::Timeouts;

/// A request under way ends by itself when its time is over, and is billed for. Whoever only waits
/// for its turn is given up so much later.
const GRACE: Duration = Duration::from_secs(1);

/// The time since a council began.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    timeouts: Timeouts,
    until: Instant,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct StageTime {
    /// When it is over.
    pub(super) until: Instant,
    given: Duration,
    is_cut: bool,
}

impl Clock {
    /// Begins now.
    pub(super) fn start(timeouts: Timeouts) -> Self {
        Self { timeouts, until: Instant::now() + timeouts.total() }
    }

    /// The time of a stage that begins now: its own, or what is left of the whole.
    pub(super) fn stage(&self, stage: Stage) -> StageTime {
        let (given, now) = (self.timeouts.stage(stage), Instant::now());
        let until = (now + given).min(self.until);
        StageTime { until, given: until - now, is_cut: until < now + given }
    }
}

impl StageTime {
    /// What comes in time, or in words that nothing did. Where no time is left, nothing begins.
    pub(super) async fn limit<T>(self, work: impl Future<Output = T>) -> Result<T, String> {
        if self.given.is_zero() {
            return Err("the council ran out of time".to_owned());
        }
        timeout_at(self.until + GRACE, work).await.map_err(|_| {
            let seconds = self.given.as_secs();
            let cut = if self.is_cut { " that were left of the council's time" } else { "" };
            format!("no answer within the {seconds} seconds{cut}")
        })
    }
}
