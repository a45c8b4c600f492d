//! Who looks after which criteria of a run.

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;
use chrono::{DateTime, Utc};

use crate::error::Result;
use crate::ids::{CriteriaItemId, OrganisationId, RunId};
use crate::record::handle;
use crate::runs::missing;
use crate::value::values;

/// What somebody has to look at in a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assigned {
    /// The run's number.
    pub number: i64,
    pub name: String,
    /// How many of its criteria are theirs.
    pub criteria: u64,
}

handle!(Assignments, assignments, "The assignments of a store.");

impl Assignments<'_> {
    /// Gives criteria of a run to somebody, or to nobody. `by` is who does it, and when.
    #[boxed]
    pub async fn set(
        &self,
        (organisation, run): (&OrganisationId, &RunId),
        criteria: &[CriteriaItemId],
        assignee: Option<&str>,
        by: (&str, DateTime<Utc>),
    ) -> Result<()> {
        let mut transaction = self.0.database.begin().await?;
        let sql = "SELECT id FROM runs WHERE id = $1 AND organisation_id = $2";
        let row = transaction.fetch_optional(sql, &values![run, organisation]).await?;
        row.ok_or_else(|| missing(run))?;
        for item in criteria {
            if let Some(assignee) = assignee {
                // One statement: two people may assign the same criterion at once.
                let sql = "INSERT INTO run_assignments (run_id, criteria_item_id, assignee, who, \
                    created_at) VALUES ($1, $2, $3, $4, $5) \
                    ON CONFLICT (run_id, criteria_item_id) DO UPDATE SET \
                    assignee = excluded.assignee, who = excluded.who, \
                    created_at = excluded.created_at";
                let values = values![run, item, assignee, by.0, by.1];
                transaction.execute(sql, &values).await?;
            } else {
                let sql = "DELETE FROM run_assignments WHERE run_id = $1 AND criteria_item_id = $2";
                transaction.execute(sql, &values![run, item]).await?;
            }
        }
        transaction.commit().await
    }

    /// Who looks after which criterion of a run.
    #[boxed]
    pub async fn of_run(
        &self,
        organisation: &OrganisationId,
        run: &RunId,
    ) -> Result<BTreeMap<CriteriaItemId, String>> {
        let sql = "SELECT assigned.criteria_item_id, assigned.assignee \
            FROM run_assignments AS assigned JOIN runs ON runs.id = assigned.run_id \
            WHERE runs.id = $1 AND runs.organisation_id = $2";
        let rows = self.0.database.fetch(sql, &values![run, organisation]).await?;
        let pair = |row: &crate::database::Row| {
            let id: String = row.get("criteria_item_id")?;
            Ok((id.into(), row.get("assignee")?))
        };
        rows.iter().map(pair).collect()
    }

    /// The runs in which somebody looks after something, the newest first.
    #[boxed]
    pub async fn of_person(
        &self,
        organisation: &OrganisationId,
        assignee: &str,
        limit: i64,
    ) -> Result<Vec<Assigned>> {
        let sql = "SELECT runs.number, runs.name, COUNT(*) AS criteria \
            FROM run_assignments AS assigned JOIN runs ON runs.id = assigned.run_id \
            WHERE runs.organisation_id = $1 AND assigned.assignee = $2 \
            AND runs.archived_at IS NULL GROUP BY runs.number, runs.name \
            ORDER BY runs.number DESC LIMIT $3";
        let rows = self.0.database.fetch(sql, &values![organisation, assignee, limit]).await?;
        let one = |row: &crate::database::Row| {
            Ok(Assigned {
                number: row.get("number")?,
                name: row.get::<Option<String>>("name")?.unwrap_or_default(),
                criteria: row.count("criteria")?,
            })
        };
        rows.iter().map(one).collect()
    }
}
