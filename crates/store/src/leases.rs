//! Who works on which item of a run: the whole protocol.
//!
//! An item is `pending`, `leased` or `done`. [`Leases::claim`] turns open items into leased ones
//! under a token that no other claim has; [`Leases::heartbeat`] extends the lease while somebody
//! works; [`finish`] makes an item done only where the token is still the item's, in the same
//! transaction that writes what came of it. So:
//!
//! - two processes never hold one item: a claim takes what is pending, or leased and run out;
//! - whoever lost a lease commits nothing, because the token is another's or nobody's;
//! - an item has one result, because only one transaction can turn it from leased to done;
//! - a run is done when its last item is, whoever finished it ([`advance`]).
//!
//! Leases are measured by the clock of the database alone. A process that dies says nothing;
//! its items return when their leases run out, and every lease that ran out is counted. An item
//! that lost [`LOSSES_TOGETHER`] of them may be what kills the processes: it is not given out
//! with others any more, but alone ([`Leases::claim_alone`]). One that lost [`LOSSES_MAX`] is
//! given out once more, to be finished without being worked on.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use async_recursion::async_recursion as boxed;

use crate::batch::{list_from, pieces};
use crate::database::{Row, Transaction};
use crate::error::Result;
use crate::ids::{CriteriaItemId, DocumentId, RunId};
use crate::record::handle;
use crate::value::{Value, values};

/// So many lost leases, and an item is worked on alone. One may be a machine that went away.
pub const LOSSES_TOGETHER: i64 = 2;
/// So many, and it is not worked on any more: twice with others and twice alone.
pub const LOSSES_MAX: i64 = 4;

/// An item that is ours until the lease runs out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claimed {
    pub run_id: RunId,
    /// The item's place in the run, from 0.
    pub position: i64,
    /// The fencing token.
    pub token: i64,
    /// What people call it.
    pub subject: String,
    /// How often somebody began with it, this time included.
    pub attempts: i64,
    /// How many leases of it ran out.
    pub losses: i64,
    /// Which reply to the same question is meant, if somebody retried the item.
    pub ask_attempt: Option<u32>,
    /// The document, in a compliance run.
    pub document_id: Option<DocumentId>,
    /// The criterion, in a compliance run.
    pub criteria_item_id: Option<CriteriaItemId>,
}

/// What of a run is not done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Open {
    /// Items that may be claimed.
    pub claimable: u64,
    /// Items that somebody holds.
    pub held: u64,
}

handle!(Leases, leases, "The leases of a store.");

impl Leases<'_> {
    /// Takes up to `count` open items of a run that is running, in their order, for so long.
    #[boxed]
    pub async fn claim(
        &self,
        run: &RunId,
        worker: &str,
        count: usize,
        hold: Duration,
    ) -> Result<Vec<Claimed>> {
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        self.claim_where("<", run, (worker, count), hold).await
    }

    /// Takes one item that may be what kills processes, to be worked on with nothing beside it.
    #[boxed]
    pub async fn claim_alone(
        &self,
        run: &RunId,
        worker: &str,
        hold: Duration,
    ) -> Result<Option<Claimed>> {
        Ok(self.claim_where(">=", run, (worker, 1), hold).await?.pop())
    }

    async fn claim_where(
        &self,
        compared: &str,
        run: &RunId,
        (worker, count): (&str, i64),
        hold: Duration,
    ) -> Result<Vec<Claimed>> {
        let database = &self.0.database;
        let token = self.0.send_ids.next();
        // What is leased and can be claimed has just lost its lease.
        let lost = "CASE WHEN state = 'leased' THEN 1 ELSE 0 END";
        let sql = format!(
            "WITH picked AS (SELECT run_id, position FROM run_items WHERE run_id = $1 \
             AND state <> 'done' AND (state = 'pending' OR leased_until < {now}) \
             AND losses + {lost} {compared} {LOSSES_TOGETHER} \
             AND EXISTS (SELECT 1 FROM runs WHERE id = $1 AND state = 'running') \
             ORDER BY position LIMIT $2 {skip_locked}) \
             UPDATE run_items SET losses = losses + {lost}, state = 'leased', lease = $3, \
             worker = $4, attempts = attempts + 1, leased_at = {now}, leased_until = {until} \
             FROM picked \
             WHERE run_items.run_id = picked.run_id AND run_items.position = picked.position \
             RETURNING run_items.position, subject, attempts, losses, ask_attempt, document_id, \
             criteria_item_id",
            now = database.now(),
            skip_locked = database.skip_locked(),
            until = database.moment("$5"),
        );
        let mut transaction = database.begin().await?;
        let values = values![run, count, token, worker, hold.as_secs_f64()];
        let rows = transaction.fetch(&sql, &values).await?;
        transaction.commit().await?;
        let claimed = rows.iter().map(|row| claimed(run, token, row));
        let mut claimed = claimed.collect::<Result<Vec<_>, _>>()?;
        // The order in which an update returns its rows is nobody's promise.
        claimed.sort_by_key(|claimed| claimed.position);
        Ok(claimed)
    }

    /// Holds on to what was claimed under these tokens. Returns how many items are still ours.
    #[boxed]
    pub async fn heartbeat(
        &self,
        run: &RunId,
        tokens: &BTreeSet<i64>,
        hold: Duration,
    ) -> Result<u64> {
        let until = self.0.database.moment("$3");
        let sql = format!(
            "UPDATE run_items SET leased_until = {until} \
             WHERE run_id = $1 AND state <> 'done' AND lease = $2"
        );
        let mut transaction = self.0.database.begin().await?;
        let mut ours = 0;
        for token in tokens {
            let values = values![run, *token, hold.as_secs_f64()];
            ours += transaction.execute(&sql, &values).await?;
        }
        transaction.commit().await?;
        Ok(ours)
    }

    /// Gives back what was claimed under these tokens and is not done: it was not attempted.
    #[boxed]
    pub async fn release(&self, run: &RunId, tokens: &BTreeSet<i64>) -> Result<()> {
        let sql = "UPDATE run_items SET state = 'pending', lease = NULL, leased_at = NULL, \
            leased_until = NULL, worker = NULL, attempts = attempts - 1 \
            WHERE run_id = $1 AND state <> 'done' AND lease = $2";
        let mut transaction = self.0.database.begin().await?;
        for token in tokens {
            transaction.execute(sql, &values![run, *token]).await?;
        }
        transaction.commit().await
    }

    /// What of a run is not done, now.
    #[boxed]
    pub async fn open(&self, run: &RunId) -> Result<Open> {
        let sql = format!(
            "SELECT COUNT(*) AS items, COUNT(CASE WHEN state = 'leased' \
             AND leased_until >= {} THEN 1 END) AS held \
             FROM run_items WHERE run_id = $1 AND state <> 'done'",
            self.0.database.now()
        );
        let row = self.0.database.fetch_optional(&sql, &values![run]).await?;
        let Some(row) = row else { return Ok(Open::default()) };
        let (items, held) = (row.count("items")?, row.count("held")?);
        Ok(Open { claimable: items - held, held })
    }
}

fn claimed(run: &RunId, token: i64, row: &Row) -> Result<Claimed> {
    Ok(Claimed {
        run_id: run.clone(),
        position: row.get("position")?,
        token,
        subject: row.get("subject")?,
        attempts: row.get("attempts")?,
        losses: row.get("losses")?,
        ask_attempt: row
            .get::<Option<i64>>("ask_attempt")?
            .map(|attempt| u32::try_from(attempt).unwrap_or(u32::MAX)),
        document_id: row.get::<Option<String>>("document_id")?.map(Into::into),
        criteria_item_id: row.get::<Option<String>>("criteria_item_id")?.map(Into::into),
    })
}

/// Makes items done, each only where its token still holds it. Returns those that are done now;
/// for the others nothing may be written.
pub(crate) async fn finish(
    transaction: &mut Transaction,
    items: impl IntoIterator<Item = (&RunId, i64, i64)>,
) -> Result<BTreeSet<(RunId, i64)>> {
    let mut by_token: BTreeMap<(&RunId, i64), Vec<i64>> = BTreeMap::new();
    for (run, token, position) in items {
        by_token.entry((run, token)).or_default().push(position);
    }
    let mut done = BTreeSet::new();
    for ((run, token), mut positions) in by_token {
        positions.sort_unstable();
        for piece in pieces(&positions) {
            // The plus keeps SQLite from going through all that is held under the token, which it
            // would do for every piece; items are found by their positions.
            let sql = format!(
                "UPDATE run_items SET state = 'done', lease = NULL, leased_at = NULL, \
                 leased_until = NULL \
                 WHERE run_id = $1 AND +lease = $2 AND position IN ({}) RETURNING position",
                list_from(3, piece.len())
            );
            let mut values = values![run, token].to_vec();
            values.extend(piece.iter().map(|position| Value::from(*position)));
            for row in transaction.fetch(&sql, &values).await? {
                done.insert((run.clone(), row.get("position")?));
            }
        }
    }
    Ok(done)
}

/// Counts what was finished, and makes a run done that has nothing left. The row of the run is
/// locked until the commit, so that of two processes that finish the last two items at once one
/// sees that nothing is left.
pub(crate) async fn advance(
    transaction: &mut Transaction,
    run: &RunId,
    (finished, unscored): (i64, i64),
    now: &str,
) -> Result<()> {
    let sql = format!(
        "UPDATE runs SET items_done = items_done + $2, items_unscored = items_unscored + $3, \
         state = CASE WHEN items_done + $2 >= items THEN 'done' ELSE state END, \
         failure = CASE WHEN items_done + $2 >= items THEN NULL ELSE failure END, \
         ended_at = CASE WHEN items_done + $2 >= items THEN {now} ELSE ended_at END \
         WHERE id = $1"
    );
    transaction.execute(&sql, &values![run, finished, unscored]).await?;
    Ok(())
}
