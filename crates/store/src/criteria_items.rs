//! The criteria of a set, in their order.

use async_recursion::async_recursion as boxed;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::database::Transaction;
use crate::error::{Result, StoreError};
use crate::ids::{CriteriaItemId, CriteriaSetId, OrganisationId};
use crate::record::{Record, handle, record};
use crate::value::values;

record! {
    /// One criterion.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct CriteriaItem {
        /// Which one.
        pub id: CriteriaItemId,
        /// The set it belongs to.
        pub criteria_set_id: CriteriaSetId,
        /// What people call it: `AC-2`; no two alike in a set.
        pub criteria_id: String,
        /// What must be so.
        pub requirement: String,
        /// A title or an explanation; may be empty.
        pub description: String,
        /// Its place in the set.
        pub sort_order: i64,
        /// What else it brought along: group, parameters.
        pub properties: Option<Json>,
    }
}

impl CriteriaItem {
    /// A criterion without properties.
    pub fn new(set: &CriteriaSetId, criteria_id: &str, requirement: &str, order: i64) -> Self {
        Self {
            id: CriteriaItemId::of(&[set.as_str(), criteria_id]),
            criteria_set_id: set.clone(),
            criteria_id: criteria_id.to_owned(),
            requirement: requirement.to_owned(),
            description: String::new(),
            sort_order: order,
            properties: None,
        }
    }
}

handle!(CriteriaItems, criteria_items, "The criteria of a store.");
const OR_CHANGE: &str = "ON CONFLICT (criteria_set_id, criteria_id) DO UPDATE SET \
    requirement = excluded.requirement, description = excluded.description, \
    sort_order = excluded.sort_order, properties = excluded.properties";

impl CriteriaItems<'_> {
    /// Adds criteria to a set, all or none.
    #[boxed]
    pub async fn insert_all(
        &self,
        organisation: &OrganisationId,
        set: &CriteriaSetId,
        items: &[CriteriaItem],
    ) -> Result<()> {
        self.write(organisation, set, items, "").await
    }

    /// Adds criteria to a set, and changes those that are there already; all or none.
    #[boxed]
    pub async fn put_all(
        &self,
        organisation: &OrganisationId,
        set: &CriteriaSetId,
        items: &[CriteriaItem],
    ) -> Result<()> {
        self.write(organisation, set, items, OR_CHANGE).await
    }

    async fn write(
        &self,
        organisation: &OrganisationId,
        set: &CriteriaSetId,
        items: &[CriteriaItem],
        ending: &str,
    ) -> Result<()> {
        if let Some(stray) = items.iter().find(|item| item.criteria_set_id != *set) {
            let because = format!("{} belongs to another set", stray.criteria_id);
            return Err(StoreError::Refused(because));
        }
        let mut transaction = self.0.database.begin().await?;
        owned(&mut transaction, organisation, set).await?;
        insert(&mut transaction, items, ending).await?;
        transaction.commit().await
    }

    /// All of a set, in order.
    #[boxed]
    pub async fn list(
        &self,
        organisation: &OrganisationId,
        set: &CriteriaSetId,
    ) -> Result<Vec<CriteriaItem>> {
        let sql = "SELECT item.* FROM eval_criteria_items AS item \
            JOIN eval_criteria_sets AS owner ON owner.id = item.criteria_set_id \
            WHERE owner.id = $1 AND owner.organisation_id = $2 \
            ORDER BY item.sort_order, item.criteria_id";
        self.0.database.list(sql, &values![set, organisation]).await
    }

    /// The one with this id.
    #[boxed]
    pub async fn get(
        &self,
        organisation: &OrganisationId,
        id: &CriteriaItemId,
    ) -> Result<Option<CriteriaItem>> {
        let sql = "SELECT item.* FROM eval_criteria_items AS item \
            JOIN eval_criteria_sets AS owner ON owner.id = item.criteria_set_id \
            WHERE item.id = $1 AND owner.organisation_id = $2";
        self.0.database.find(sql, &values![id, organisation]).await
    }

    /// Removes one; refused when a run used it.
    #[boxed]
    pub async fn delete(&self, organisation: &OrganisationId, id: &CriteriaItemId) -> Result<()> {
        let sql = "DELETE FROM eval_criteria_items WHERE id = $1 AND criteria_set_id IN \
            (SELECT id FROM eval_criteria_sets WHERE organisation_id = $2)";
        self.0.database.change(sql, &values![id, organisation], ("criterion", id)).await
    }
}

/// Adds criteria, and changes those that are there already.
pub(crate) async fn put(transaction: &mut Transaction, items: &[CriteriaItem]) -> Result<()> {
    insert(transaction, items, OR_CHANGE).await
}

/// The criteria of a set, in order.
pub(crate) async fn of_set(
    transaction: &mut Transaction,
    set: &CriteriaSetId,
) -> Result<Vec<CriteriaItem>> {
    let sql = "SELECT * FROM eval_criteria_items WHERE criteria_set_id = $1 \
        ORDER BY sort_order, criteria_id";
    transaction.fetch(sql, &values![set]).await?.iter().map(CriteriaItem::read).collect()
}

async fn insert(transaction: &mut Transaction, items: &[CriteriaItem], ending: &str) -> Result<()> {
    transaction.put("eval_criteria_items", items, ending).await?;
    Ok(())
}

async fn owned(
    transaction: &mut Transaction,
    organisation: &OrganisationId,
    set: &CriteriaSetId,
) -> Result<()> {
    let sql = "SELECT id FROM eval_criteria_sets WHERE id = $1 AND organisation_id = $2";
    match transaction.fetch_optional(sql, &values![set, organisation]).await? {
        Some(_) => Ok(()),
        None => Err(StoreError::Missing { what: "criteria set", id: set.to_string() }),
    }
}
