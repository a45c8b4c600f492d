//! Approvals: who says that a run is as it should be, and what was changed afterwards.

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::error::{Result, StoreError};
use crate::ids::{OrganisationId, RunId};
use crate::record::{Record, handle, record};
use crate::run_tags::RUNS_AT_ONCE;
use crate::runs::missing;
use crate::state::RunState;
use crate::value::{Value, values};

record! {
    /// That somebody approved a run, or took it back.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Approval {
        /// The run.
        pub run_id: RunId,
        /// Its place in the history, from 1; given when it is added.
        pub sequence: i64,
        /// Whether it takes the approval back.
        pub is_withdrawal: bool,
        /// The version of the verdicts that was approved.
        pub version: i64,
        /// Who.
        pub who: String,
        /// What they want to add; may be empty.
        pub note: String,
        /// When.
        pub created_at: DateTime<Utc>,
    }
}

handle!(Approvals, approvals, "The approvals of a store.");

impl Approvals<'_> {
    /// Approves a run that is done, or takes it back. `sequence` and `version` are given here
    /// and returned with it.
    #[boxed]
    pub async fn add(
        &self,
        organisation: &OrganisationId,
        mut entry: Approval,
    ) -> Result<Approval> {
        if entry.who.trim().is_empty() {
            return Err(StoreError::Refused("an approval needs a name".to_owned()));
        }
        let mut transaction = self.0.database.begin().await?;
        // Whoever approves at the same time waits here, so that no two get the same place.
        let sql = "UPDATE runs SET version = version WHERE id = $1 AND organisation_id = $2 \
            RETURNING version, state, number, (SELECT COALESCE(MAX(sequence), 0) \
            FROM run_approvals WHERE run_id = $1) AS sequence";
        let run = values![&entry.run_id, organisation];
        let row = transaction.fetch_optional(sql, &run).await?;
        let row = row.ok_or_else(|| missing(&entry.run_id))?;
        let state = RunState::from_word(&row.get::<String>("state")?)?;
        if !entry.is_withdrawal && state != RunState::Done {
            let number: i64 = row.get("number")?;
            let because = format!("run #{number} is {state}: only a finished run can be approved");
            return Err(StoreError::Refused(because));
        }
        entry.sequence = row.get::<i64>("sequence")? + 1;
        entry.version = row.get("version")?;
        transaction.put("run_approvals", std::slice::from_ref(&entry), "").await?;
        transaction.commit().await?;
        Ok(entry)
    }

    /// Everything that was said about a run, the oldest first.
    #[boxed]
    pub async fn history(
        &self,
        organisation: &OrganisationId,
        run: &RunId,
    ) -> Result<Vec<Approval>> {
        let sql = "SELECT approval.* FROM run_approvals AS approval \
            JOIN runs AS run ON run.id = approval.run_id \
            WHERE run.id = $1 AND run.organisation_id = $2 ORDER BY approval.sequence";
        self.0.database.list(sql, &values![run, organisation]).await
    }

    /// Those of these runs that are approved, each with the number of later changes: decisions,
    /// other versions of the verdicts, items that were tried again.
    pub async fn of_runs<'i>(
        &self,
        ids: impl IntoIterator<Item = &'i RunId>,
    ) -> Result<BTreeMap<RunId, (Approval, i64)>> {
        let values: Vec<Value<'_>> = ids.into_iter().map(Value::from).collect();
        let mut all = BTreeMap::new();
        for piece in values.chunks(RUNS_AT_ONCE) {
            let places: Vec<String> = (1..=piece.len()).map(|place| format!("${place}")).collect();
            let sql = format!("{APPROVED} AND approval.run_id IN ({})", places.join(", "));
            for row in self.0.database.fetch(&sql, piece).await? {
                let approval = Approval::read(&row)?;
                all.insert(approval.run_id.clone(), (approval, row.get("changes")?));
            }
        }
        Ok(all)
    }
}

const APPROVED: &str = "SELECT approval.*, \
    (SELECT COUNT(*) FROM decisions AS decision WHERE decision.run_id = approval.run_id \
        AND decision.created_at > approval.created_at) \
    + (SELECT COUNT(*) FROM run_versions AS later WHERE later.run_id = approval.run_id \
        AND later.version > approval.version) \
    + (SELECT COUNT(*) FROM run_item_retries AS retry WHERE retry.run_id = approval.run_id \
        AND retry.created_at > approval.created_at) AS changes \
    FROM run_approvals AS approval WHERE NOT approval.is_withdrawal \
    AND approval.sequence = (SELECT MAX(later.sequence) FROM run_approvals AS later \
        WHERE later.run_id = approval.run_id)";
