//! Finishing items: what came of them and that they are done, in one transaction.

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;

use crate::database::{Database, Transaction};
use crate::error::Result;
use crate::ids::RunId;
use crate::leases::{self, Claimed};
use crate::state::ResultOutcome;
use crate::store::Store;
use crate::verdicts::{self, NewVerdict};

/// How many items are finished in one transaction.
const CHUNK: usize = 500;
/// The version of a verdict that nobody has computed again.
const FIRST_VERSION: i64 = 1;

/// An item and what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Finished {
    /// The item, with the token under which it was claimed.
    pub claimed: Claimed,
    /// What came of it.
    pub verdict: NewVerdict,
}

impl Store {
    /// Finishes one item, together with whatever else is being written at the moment: for many
    /// tasks that each have one. Returns whether it counts; a lease that was lost does not.
    #[boxed]
    pub async fn finish(&self, finished: Finished) -> Result<bool> {
        verdicts::check(&finished.verdict)?;
        self.queue.finish(finished).await
    }

    /// Finishes many items, a few hundred in a transaction. Returns how many count.
    #[boxed]
    pub async fn finish_all(&self, finished: &[Finished]) -> Result<u64> {
        let mut counted = 0;
        for chunk in finished.chunks(CHUNK) {
            for one in chunk {
                verdicts::check(&one.verdict)?;
            }
            let mut transaction = self.database.begin().await?;
            let ours = write(&mut transaction, &self.database, chunk).await?;
            transaction.commit().await?;
            counted += ours.into_iter().filter(|is_ours| *is_ours).count() as u64;
        }
        Ok(counted)
    }
}

/// Writes what came of items; says of each whether it counts.
pub(crate) async fn write(
    transaction: &mut Transaction,
    database: &Database,
    finished: &[Finished],
) -> Result<Vec<bool>> {
    if finished.is_empty() {
        return Ok(Vec::new());
    }
    let items = finished.iter().map(|Finished { claimed, .. }| {
        let Claimed { run_id, token, position, .. } = claimed;
        (run_id, *token, *position)
    });
    let mut done = leases::finish(transaction, items).await?;
    // If one comes twice in the same batch, only the first of the two counts.
    let ours: Vec<bool> = finished
        .iter()
        .map(|one| done.remove(&(one.claimed.run_id.clone(), one.claimed.position)))
        .collect();
    let counted = || finished.iter().zip(&ours).filter(|(_, ours)| **ours).map(|(one, _)| one);
    let mut rows = Vec::new();
    let mut advances: BTreeMap<&RunId, (i64, i64)> = BTreeMap::new();
    for Finished { claimed, verdict } in counted() {
        rows.push((&claimed.run_id, claimed.position, verdict));
        let (items, unscored) = advances.entry(&claimed.run_id).or_default();
        *items += 1;
        *unscored += i64::from(verdict.outcome != ResultOutcome::Scored);
    }
    verdicts::insert(transaction, FIRST_VERSION, &rows).await?;
    for (run, counts) in advances {
        leases::advance(transaction, run, counts, database.now()).await?;
    }
    Ok(ours)
}
