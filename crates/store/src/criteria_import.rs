//! A criteria set made to hold just what a file says, in one transaction: two who import at once
//! come one after the other, and an import that fails leaves nothing behind.

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;
use serde_json::Value as Json;

use crate::criteria_items::{self, CriteriaItem};
use crate::criteria_sets::{self, CriteriaSet};
use crate::database::Transaction;
use crate::error::{Result, StoreError};
use crate::ids::CriteriaSetId;
use crate::store::Store;
use crate::value::values;

/// What an import did.
#[derive(Debug, Clone, PartialEq)]
pub struct CriteriaImported {
    pub set: CriteriaSet,
    /// Whether it was made now.
    pub is_new: bool,
    /// Criteria that were not there before.
    pub added: usize,
    /// Criteria that say something else now.
    pub changed: usize,
    /// Criteria that stayed as they were.
    pub unchanged: usize,
    /// Criteria that are no longer part of the set.
    pub removed: usize,
}

impl Store {
    /// Makes the set of this name hold just these criteria, in this order; the set is made if
    /// there is none. A criterion that a run used is kept for it with these properties.
    #[boxed]
    pub async fn import_criteria(
        &self,
        candidate: &CriteriaSet,
        items: &[CriteriaItem],
        retired: &Json,
    ) -> Result<CriteriaImported> {
        let mut transaction = self.database.begin().await?;
        let (set, is_new) = locked(&mut transaction, candidate).await?;
        let there = criteria_items::of_set(&mut transaction, &set.id).await?;
        let mut there: BTreeMap<&str, &CriteriaItem> =
            there.iter().map(|item| (item.criteria_id.as_str(), item)).collect();
        let mut done =
            CriteriaImported { set, is_new, added: 0, changed: 0, unchanged: 0, removed: 0 };
        let mut rows = Vec::with_capacity(items.len());
        for (order, item) in (0..).zip(items) {
            let CriteriaItem { criteria_id, requirement, description, properties, .. } = item;
            let row = CriteriaItem {
                description: description.clone(),
                properties: properties.clone(),
                ..CriteriaItem::new(&done.set.id, criteria_id, requirement, order)
            };
            match there.remove(criteria_id.as_str()) {
                Some(old) if *old == row => done.unchanged += 1,
                Some(_) => done.changed += 1,
                None => done.added += 1,
            }
            rows.push(row);
        }
        for old in there.into_values().filter(|item| item.properties.as_ref() != Some(retired)) {
            done.removed += 1;
            if !delete_unused(&mut transaction, old).await? {
                rows.push(CriteriaItem { properties: Some(retired.clone()), ..old.clone() });
            }
        }
        criteria_items::put(&mut transaction, &rows).await?;
        transaction.commit().await?;
        Ok(done)
    }
}

/// The set of that name, made if there is none. Its row is locked until the end.
async fn locked(
    transaction: &mut Transaction,
    candidate: &CriteriaSet,
) -> Result<(CriteriaSet, bool)> {
    let mut is_new = false;
    if criteria_sets::named(transaction, candidate).await?.is_none() {
        is_new = criteria_sets::add(transaction, candidate).await?;
        if !is_new && criteria_sets::named(transaction, candidate).await?.is_none() {
            // A set that has another name now was called so, and kept the id.
            let CriteriaSet { organisation_id, name, created_at, .. } = candidate;
            let parts = [organisation_id.as_str(), name, &created_at.to_rfc3339()];
            let renewed = CriteriaSet { id: CriteriaSetId::of(&parts), ..candidate.clone() };
            is_new = criteria_sets::add(transaction, &renewed).await?;
        }
    }
    // Whoever imports the same set waits here.
    let sql = "UPDATE eval_criteria_sets SET description = \
        CASE WHEN $3 = '' THEN description ELSE $3 END, \
        updated_at = CASE WHEN $3 = '' OR $3 = description THEN updated_at ELSE $4 END \
        WHERE name = $1 AND organisation_id = $2";
    let CriteriaSet { name, organisation_id, description, updated_at, .. } = candidate;
    let values = values![name, organisation_id, description, *updated_at];
    transaction.execute(sql, &values).await?;
    let set = criteria_sets::named(transaction, candidate).await?;
    let missing = || StoreError::Missing { what: "criteria set", id: name.clone() };
    Ok((set.ok_or_else(missing)?, is_new))
}

/// Removes a criterion that no run used. Returns whether it is gone.
pub(crate) async fn delete_unused(
    transaction: &mut Transaction,
    item: &CriteriaItem,
) -> Result<bool> {
    let sql = "DELETE FROM eval_criteria_items WHERE id = $1 \
        AND NOT EXISTS (SELECT 1 FROM run_criteria WHERE criteria_item_id = $1)";
    Ok(transaction.execute(sql, &values![&item.id]).await? > 0)
}
