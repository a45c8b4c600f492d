//! Trying items of a run again that came to nothing.

use assize_store::{Instrument, Reopened, RetryFilter, Run};
use async_recursion::async_recursion as boxed;
use chrono::Utc;

use super::error::{Result, RunError};
use crate::Workspace;

impl Workspace {
    /// Opens items of a run again that have no score; whoever works on the run next asks about
    /// them anew, and about nothing else.
    #[boxed]
    pub async fn retry_run(&self, run: &Run, filter: &RetryFilter) -> Result<Reopened> {
        let (number, instrument) = (run.number, run.instrument);
        if instrument == Instrument::Retrieval {
            let because = format!(
                "run #{number} is a {instrument} run, which is saved only when finished and \
                 cannot be retried"
            );
            return Err(RunError::Refused(because));
        }
        if run.version > 1 {
            let because = format!(
                "run #{number} was rescored, and its later versions would not include the retried \
                 items: start a new run"
            );
            return Err(RunError::Refused(because));
        }
        let reopened = match instrument {
            Instrument::Council => self.retry_council(run, filter).await?,
            _ => self.store.reopen(run, filter, (&self.who, Utc::now()), None).await?,
        };
        self.audit_run("retry", run).await?;
        Ok(reopened)
    }
}
