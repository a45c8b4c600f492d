//! Criteria sets in a list: how many criteria each has, and which run used it last.

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;

use super::Views;
use crate::error::Result;
use crate::ids::{CriteriaSetId, OrganisationId};
use crate::value::values;

/// What a list says of a criteria set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SetUse {
    /// The criteria that are part of it.
    pub criteria: u64,
    /// The runs that used it.
    pub runs: u64,
    /// The number of the last of them.
    pub last_run: Option<i64>,
}

impl Views<'_> {
    /// Every criteria set of an organisation that has criteria or runs. A criterion with the
    /// property `retired` is only kept for runs.
    #[boxed]
    pub async fn set_uses(
        &self,
        organisation: &OrganisationId,
    ) -> Result<BTreeMap<CriteriaSetId, SetUse>> {
        let mut uses: BTreeMap<CriteriaSetId, SetUse> = BTreeMap::new();
        // The one property as each of the two databases writes it.
        let sql = "SELECT item.criteria_set_id, COUNT(*) AS criteria \
            FROM eval_criteria_items AS item \
            JOIN eval_criteria_sets AS owner ON owner.id = item.criteria_set_id \
            WHERE owner.organisation_id = $1 AND (item.properties IS NULL \
            OR CAST(item.properties AS TEXT) NOT IN ('{\"retired\":true}', '{\"retired\": true}')) \
            GROUP BY item.criteria_set_id";
        for row in self.0.database.fetch(sql, &values![organisation]).await? {
            let id: String = row.get("criteria_set_id")?;
            uses.entry(id.into()).or_default().criteria = row.count("criteria")?;
        }
        let sql = "SELECT criteria_set_id, COUNT(*) AS runs, MAX(number) AS last_run FROM runs \
            WHERE organisation_id = $1 AND criteria_set_id IS NOT NULL GROUP BY criteria_set_id";
        for row in self.0.database.fetch(sql, &values![organisation]).await? {
            let id: String = row.get("criteria_set_id")?;
            let entry = uses.entry(id.into()).or_default();
            (entry.runs, entry.last_run) = (row.count("runs")?, row.get("last_run")?);
        }
        Ok(uses)
    }
}
