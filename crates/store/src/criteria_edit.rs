//! One criterion of a set changed, added, moved or removed by a person: each is one transaction
//! with its entry in the audit, and whoever changes criteria of the same set waits for it.

use async_recursion::async_recursion as boxed;
use serde_json::Value as Json;

use crate::audit::AuditEntry;
use crate::audit_chain::append;
use crate::audited::object;
use crate::criteria_import::delete_unused;
use crate::criteria_items::{self, CriteriaItem};
use crate::database::Transaction;
use crate::error::{Result, StoreError};
use crate::ids::{CriteriaItemId, CriteriaSetId};
use crate::store::Store;
use crate::value::values;

/// Where a criterion is moved to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveTo {
    /// Before the one before it.
    Up,
    /// After the one after it.
    Down,
    /// To this place, from 0; behind the last is the last.
    Place(usize),
}

/// What came of removing a criterion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Removal {
    /// It is gone.
    Done,
    /// A run used it: it stays.
    Used,
    /// Analysts said what its scores should be: it stays.
    Keyed,
    /// It is the only one of its set: it stays.
    Last,
}

impl Store {
    /// Puts a criterion in the place of one that is still as it was seen; its place in the set
    /// stays. Returns whether it is so.
    #[boxed]
    pub async fn change_criterion(
        &self,
        (seen, wanted): (&CriteriaItem, &CriteriaItem),
        entry: &AuditEntry,
    ) -> Result<bool> {
        let mut transaction = self.database.begin().await?;
        let all = held(&mut transaction, &seen.criteria_set_id, entry).await?;
        let Some(now) = all.into_iter().find(|item| item.id == seen.id) else { return Ok(false) };
        let sort_order = now.sort_order;
        if now != (CriteriaItem { sort_order, ..seen.clone() }) {
            return Ok(false);
        }
        let row = CriteriaItem { sort_order, ..wanted.clone() };
        criteria_items::put(&mut transaction, &[row]).await?;
        append(&mut transaction, entry).await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// Adds a criterion as the last of its set, unless another has its name. One that is only
    /// kept for runs, with these properties, is part of the set again. Returns whether it is.
    #[boxed]
    pub async fn add_criterion(
        &self,
        item: &CriteriaItem,
        retired: &Json,
        entry: &AuditEntry,
    ) -> Result<bool> {
        let mut transaction = self.database.begin().await?;
        let all = held(&mut transaction, &item.criteria_set_id, entry).await?;
        let same = all.iter().find(|known| known.criteria_id == item.criteria_id);
        if same.is_some_and(|known| known.properties.as_ref() != Some(retired)) {
            return Ok(false);
        }
        let sort_order = all.iter().map(|known| known.sort_order + 1).max().unwrap_or(0);
        let id = same.map_or(&item.id, |known| &known.id).clone();
        let row = CriteriaItem { id, sort_order, ..item.clone() };
        criteria_items::put(&mut transaction, &[row]).await?;
        append(&mut transaction, entry).await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// Moves a criterion among those that are not only kept for runs, with these properties.
    /// Returns its place from 0; none if it is not there.
    #[boxed]
    pub async fn move_criterion(
        &self,
        (set, id): (&CriteriaSetId, &CriteriaItemId),
        to: MoveTo,
        retired: &Json,
        entry: &AuditEntry,
    ) -> Result<Option<usize>> {
        let mut transaction = self.database.begin().await?;
        let mut all = held(&mut transaction, set, entry).await?;
        all.retain(|item| item.properties.as_ref() != Some(retired));
        let Some(from) = all.iter().position(|item| item.id == *id) else { return Ok(None) };
        let last = all.len() - 1;
        let to = match to {
            MoveTo::Up => from.saturating_sub(1),
            MoveTo::Down => (from + 1).min(last),
            MoveTo::Place(place) => place.min(last),
        };
        if from == to {
            return Ok(Some(to));
        }
        let moved = all.remove(from);
        let name = moved.criteria_id.clone();
        all.insert(to, moved);
        for (order, item) in (0_i64..).zip(&all).filter(|(order, item)| item.sort_order != *order) {
            let sql = "UPDATE eval_criteria_items SET sort_order = $2 WHERE id = $1";
            transaction.execute(sql, &values![&item.id, order]).await?;
        }
        let place = |place: usize| {
            object([("criterion", name.clone().into()), ("place", (place + 1).into())])
        };
        let entry = entry.clone().with(Some(place(from)), Some(place(to)));
        append(&mut transaction, &entry).await?;
        transaction.commit().await?;
        Ok(Some(to))
    }

    /// Removes a criterion that nobody used and that is not the only one of its set.
    #[boxed]
    pub async fn remove_criterion(
        &self,
        item: &CriteriaItem,
        retired: &Json,
        entry: &AuditEntry,
    ) -> Result<Removal> {
        let mut transaction = self.database.begin().await?;
        let all = held(&mut transaction, &item.criteria_set_id, entry).await?;
        let in_set = |known: &&CriteriaItem| known.properties.as_ref() != Some(retired);
        if all.iter().filter(in_set).all(|known| known.id == item.id) {
            return Ok(Removal::Last);
        }
        // Their keys would go with it, and nobody asked for that.
        let sql = "SELECT 1 AS one FROM eval_opt_truth_keys WHERE criteria_item_id = $1 LIMIT 1";
        if transaction.fetch_optional(sql, &values![&item.id]).await?.is_some() {
            return Ok(Removal::Keyed);
        }
        if !delete_unused(&mut transaction, item).await? {
            return Ok(Removal::Used);
        }
        append(&mut transaction, entry).await?;
        transaction.commit().await?;
        Ok(Removal::Done)
    }
}

/// The criteria of a set in their order. The row of the set is locked until the end, and says
/// that it was changed.
async fn held(
    transaction: &mut Transaction,
    set: &CriteriaSetId,
    entry: &AuditEntry,
) -> Result<Vec<CriteriaItem>> {
    let sql = "UPDATE eval_criteria_sets SET updated_at = $3 \
        WHERE id = $1 AND organisation_id = $2";
    if transaction.execute(sql, &values![set, &entry.organisation_id, entry.at]).await? == 0 {
        return Err(StoreError::Missing { what: "criteria set", id: set.to_string() });
    }
    criteria_items::of_set(transaction, set).await
}
