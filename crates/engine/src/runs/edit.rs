//! Changing what a run is called, tagged, compared with; stopping and removing it.

use assize_store::{Instrument, Run, RunFilter, RunState, StoreError};
use async_recursion::async_recursion as boxed;
use chrono::Utc;

use super::error::{Result, RunError};
use super::find::{check_name, find};
use crate::Workspace;
use crate::asking::Limit;
use crate::asking::item::RunContext;

impl Workspace {
    /// The run that people call so.
    #[boxed]
    pub async fn find_run(&self, name: &str) -> Result<Run> {
        find(&self.store, &self.organisation, name, None).await
    }

    /// The runs of a page, the latest first.
    #[boxed]
    pub async fn list_runs(&self, filter: &RunFilter, limit: i64) -> Result<Vec<Run>> {
        Ok(self.store.runs().page(&self.organisation, filter, limit).await?)
    }

    /// The run that others of an instrument are compared with.
    #[boxed]
    pub async fn baseline(&self, instrument: Instrument) -> Result<Option<Run>> {
        Ok(self.store.runs().baseline(&self.organisation, instrument).await?)
    }

    /// Names a run.
    #[boxed]
    pub async fn rename_run(&self, run: &Run, name: &str) -> Result<()> {
        check_name(name)?;
        match self.store.runs().rename(run, Some(name)).await {
            Err(StoreError::Exists(_)) => return Err(RunError::NameTaken(name.to_owned())),
            other => other?,
        }
        self.audit_run("rename", run).await
    }

    /// Adds and takes away tags.
    #[boxed]
    pub async fn tag_run(
        &self,
        run: &Run,
        add: &[String],
        remove: &[String],
    ) -> Result<Vec<String>> {
        let is_bad = |tag: &&String| tag.trim() != tag.as_str() || tag.is_empty();
        if let Some(bad) = add.iter().find(is_bad) {
            return Err(RunError::Refused(format!("`{bad}` is not a valid tag")));
        }
        for tag in add {
            self.store.runs().tag(run, tag).await?;
        }
        for tag in remove {
            self.store.runs().untag(run, tag).await?;
        }
        self.audit_run("tag", run).await?;
        Ok(self.store.runs().tags(&run.id).await?)
    }

    /// Makes a run the baseline of its instrument, or no longer.
    #[boxed]
    pub async fn set_baseline(&self, run: &Run, is_baseline: bool) -> Result<()> {
        self.store.runs().set_baseline(run, is_baseline).await?;
        self.audit_run("baseline", run).await
    }

    /// Stops a run: whoever works on it claims nothing more.
    #[boxed]
    pub async fn stop_run(&self, run: &Run) -> Result<()> {
        let runs = self.store.runs();
        runs.set_state(&self.organisation, &run.id, RunState::Stopped, None).await?;
        self.audit_run("stop", run).await
    }

    /// Starts or resumes a run: from now on whoever works on the store takes its items.
    #[boxed]
    pub async fn start_run(&self, run: &Run) -> Result<()> {
        if run.instrument == Instrument::Retrieval {
            let (number, instrument) = (run.number, run.instrument);
            return Err(RunError::Refused(format!(
                "run #{number} is a {instrument} run and cannot be started or resumed"
            )));
        }
        if run.state == RunState::Done {
            return Err(RunError::Refused(format!("run #{} is already finished", run.number)));
        }
        let runs = self.store.runs();
        runs.set_state(&self.organisation, &run.id, RunState::Running, None).await?;
        Ok(self.audit_begin(&run.id, run.state).await?)
    }

    /// Hands a run to whoever works on the store; a limit becomes the budget of its life.
    #[boxed]
    pub async fn queue_run(&self, run: &Run, priority: i64, limit: Option<Limit>) -> Result<()> {
        RunContext::of(&self.store, &self.organisation, &run.id, limit).await?;
        self.store.workers().queue(&run.id, priority).await?;
        self.audit_run("queue", run).await
    }

    /// Leaves a run out of lists, or shows it again; it stays as it is.
    #[boxed]
    pub async fn archive_run(&self, run: &Run, is_archived: bool) -> Result<()> {
        self.store.runs().archive(run, is_archived.then(Utc::now)).await?;
        self.audit_run(if is_archived { "archive" } else { "unarchive" }, run).await
    }

    /// Removes a run with everything that came of it, unless somebody approved it.
    #[boxed]
    pub async fn delete_run(&self, run: &Run) -> Result<()> {
        if let Some(approval) = self.approval(&run.id).await? {
            let because = format!(
                "run #{} is approved by {}: withdraw the approval before deleting it",
                run.number, approval.who
            );
            return Err(RunError::Refused(because));
        }
        match self.store.runs().delete(&self.organisation, &run.id).await {
            Err(StoreError::Attached(_)) => {
                let because =
                    format!("run #{} is used by an optimisation and cannot be deleted", run.number);
                return Err(RunError::Refused(because));
            }
            other => other?,
        }
        self.audit_run("delete", run).await
    }

    pub(super) async fn audit_run(&self, action: &str, run: &Run) -> Result<()> {
        let what = [action, "run", run.id.as_str()];
        let entry = self.audited(what);
        Ok(self.store.audit().record(&entry).await?)
    }
}
