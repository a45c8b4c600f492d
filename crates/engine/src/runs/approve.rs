//! Approving a run, and saying what was changed afterwards.

use assize_store::{Approval as Stored, Run, RunId};
use assize_wire::runs::{Approval, ApprovalEntry};
use async_recursion::async_recursion as boxed;
use chrono::Utc;

use super::error::{Result, RunError};
use crate::Workspace;

impl Workspace {
    /// Approves a run that is done. What is changed later stays visible as such.
    #[boxed]
    pub async fn approve_run(&self, run: &Run, who: &str, note: &str) -> Result<()> {
        self.say_of(run, (who, note), false).await
    }

    /// Takes an approval back.
    #[boxed]
    pub async fn withdraw_approval(&self, run: &Run, who: &str, note: &str) -> Result<()> {
        if self.approval(&run.id).await?.is_none() {
            return Err(RunError::Refused(format!("run #{} is not approved", run.number)));
        }
        self.say_of(run, (who, note), true).await
    }

    /// Who approved a run, if anybody did.
    #[boxed]
    pub async fn approval(&self, run: &RunId) -> Result<Option<Approval>> {
        let mut found = self.store.approvals().of_runs([run]).await?;
        Ok(found.remove(run).map(approval_of))
    }

    /// Every approval of a run and what took it back, the oldest first.
    #[boxed]
    pub(crate) async fn approval_history(&self, run: &RunId) -> Result<Vec<ApprovalEntry>> {
        let all = self.store.approvals().history(&self.organisation, run).await?;
        let entry = |one: Stored| ApprovalEntry {
            sequence: one.sequence,
            is_withdrawal: one.is_withdrawal,
            who: one.who,
            at: one.created_at,
            note: one.note,
        };
        Ok(all.into_iter().map(entry).collect())
    }

    async fn say_of(
        &self,
        run: &Run,
        (who, note): (&str, &str),
        is_withdrawal: bool,
    ) -> Result<()> {
        let entry = Stored {
            run_id: run.id.clone(),
            sequence: 0,
            is_withdrawal,
            version: run.version,
            who: who.to_owned(),
            note: note.trim().to_owned(),
            created_at: Utc::now(),
        };
        self.store.approvals().add(&self.organisation, entry).await?;
        let action = if is_withdrawal { "withdraw approval" } else { "approve" };
        let entry = self.audited([action, "run", run.id.as_str()]);
        Ok(self.store.audit().record(&entry).await?)
    }
}

/// A stored approval with what came after it, as others see it.
pub(super) fn approval_of((stored, changes_since): (Stored, i64)) -> Approval {
    Approval { who: stored.who, at: stored.created_at, note: stored.note, changes_since }
}
