//! Trying items again that came to nothing: they are open once more, and are asked anew.

use async_recursion::async_recursion as boxed;
use chrono::{DateTime, Utc};
use serde_json::Value as Json;

use crate::batch::pieces;
use crate::database::Transaction;
use crate::error::StoreError;
use crate::ids::RunId;
use crate::packed::pack;
use crate::runs::{Run, missing};
use crate::state::{ResultOutcome, RunState};
use crate::store::Store;
use crate::value::{Value, values};

/// Which items are tried again.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RetryFilter {
    /// Only those that the judge gave no answer for; otherwise all that have no score.
    pub only_failed: bool,
    /// Only those whose reason holds these words.
    pub because: Option<String>,
}

/// What a retry came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reopened {
    /// Items that are open again.
    pub items: u64,
    /// Items that a person decided about, and that stay as they are.
    pub kept: u64,
}

struct Found {
    position: i64,
    outcome: String,
    reason: Option<String>,
}

impl Store {
    /// Opens items of a run again that have no score. What came of them goes to the history of
    /// retries, and the next one to work on them asks anew: no reply that was kept for them
    /// before is used. Items about which a person decided something are left alone.
    ///
    /// The items of some runs are judged together, from what belongs to the run as a whole. Where
    /// `together` says what that was before they were, one that is open again opens all, unless a
    /// person decided something about any of them.
    #[boxed]
    pub async fn reopen(
        &self,
        run: &Run,
        filter: &RetryFilter,
        (who, at): (&str, DateTime<Utc>),
        together: Option<&Json>,
    ) -> Result<Reopened, StoreError> {
        // Above every attempt there is: samples of one question have several.
        let attempt = self.highest_attempt().await?.map_or(1, |highest| i64::from(highest) + 1);
        let mut transaction = self.database.begin().await?;
        let id = &run.id;
        let locked = format!("SELECT state FROM runs WHERE id = $1 {}", self.database.for_update());
        let row = transaction.fetch_optional(&locked, &values![id]).await?;
        let Some(row) = row else { return Err(missing(id)) };
        let state = row.get::<String>("state")?;
        let mut found = finished(&mut transaction, id, Some(filter)).await?;
        if together.is_some() && !found.is_empty() {
            found = finished(&mut transaction, id, None).await?;
        }
        let decided = decided(&mut transaction, id).await?;
        let (kept, open): (Vec<Found>, Vec<Found>) =
            found.into_iter().partition(|found| decided.contains(&found.position));
        let reopened = Reopened { items: open.len() as u64, kept: kept.len() as u64 };
        if open.is_empty() || together.is_some() && !kept.is_empty() {
            return Ok(Reopened { items: 0, ..reopened });
        }
        for piece in pieces(&open) {
            remember(&mut transaction, id, piece, (who, at)).await?;
            let positions: Vec<i64> = piece.iter().map(|found| found.position).collect();
            open_again(&mut transaction, id, attempt, &positions).await?;
        }
        if let Some(material) = together {
            let sql = "UPDATE runs SET material = $2, progress = NULL WHERE id = $1";
            transaction.execute(sql, &values![id, pack(material)?.as_slice()]).await?;
        }
        let scored = ResultOutcome::Scored.word();
        let unscored = open.iter().filter(|found| found.outcome != scored).count();
        let [count, unscored] =
            [open.len(), unscored].map(|count| i64::try_from(count).unwrap_or(i64::MAX));
        let running = RunState::Running.word();
        let next = if state == running { running } else { RunState::Stopped.word() };
        let sql = "UPDATE runs SET items_done = items_done - $2, \
            items_unscored = items_unscored - $4, state = $3, failure = NULL WHERE id = $1";
        transaction.execute(sql, &values![id, count, next, unscored]).await?;
        transaction.commit().await?;
        Ok(reopened)
    }

    /// What came of an item before it was tried again, the earliest first.
    #[boxed]
    pub async fn retries_of(
        &self,
        run: &RunId,
        position: i64,
    ) -> Result<Vec<(DateTime<Utc>, Option<String>)>, StoreError> {
        let sql = "SELECT created_at, reason FROM run_item_retries \
            WHERE run_id = $1 AND position = $2 ORDER BY retry";
        let rows = self.database.fetch(sql, &values![run, position]).await?;
        rows.iter().map(|row| Ok((row.get("created_at")?, row.get("reason")?))).collect()
    }
}

/// Finished items: those that a filter lets through, or all of them.
async fn finished(
    transaction: &mut Transaction,
    run: &RunId,
    filter: Option<&RetryFilter>,
) -> Result<Vec<Found>, StoreError> {
    let outcomes = match filter {
        None => "IS NOT NULL",
        Some(filter) if filter.only_failed => "= 'failed'",
        Some(_) => "<> 'scored'",
    };
    let sql = format!(
        "SELECT verdict.position, verdict.outcome, verdict.reason FROM verdicts AS verdict \
         JOIN run_items AS item ON item.run_id = verdict.run_id \
         AND item.position = verdict.position \
         WHERE verdict.run_id = $1 AND verdict.version = 1 AND item.state = 'done' \
         AND verdict.outcome {outcomes} ORDER BY verdict.position"
    );
    let mut found = Vec::new();
    for row in transaction.fetch(&sql, &values![run]).await? {
        let reason: Option<String> = row.get("reason")?;
        let because = filter.and_then(|filter| filter.because.as_ref());
        let fits = because.is_none_or(|words| {
            reason.as_ref().is_some_and(|reason| reason.contains(words.as_str()))
        });
        if fits {
            found.push(Found {
                position: row.get("position")?,
                outcome: row.get("outcome")?,
                reason,
            });
        }
    }
    Ok(found)
}

/// The items about which a person said something.
async fn decided(
    transaction: &mut Transaction,
    run: &RunId,
) -> Result<std::collections::BTreeSet<i64>, StoreError> {
    let sql = "SELECT DISTINCT position FROM decisions WHERE run_id = $1";
    let rows = transaction.fetch(sql, &values![run]).await?;
    rows.iter().map(|row| row.get("position")).collect()
}

async fn remember(
    transaction: &mut Transaction,
    run: &RunId,
    found: &[Found],
    (who, at): (&str, DateTime<Utc>),
) -> Result<(), StoreError> {
    for Found { position, outcome, reason } in found {
        let sql = "INSERT INTO run_item_retries (run_id, position, retry, outcome, reason, who, \
            created_at) SELECT $1, $2, COUNT(*) + 1, $3, $4, $5, $6 FROM run_item_retries \
            WHERE run_id = $1 AND position = $2";
        let values = values![run, *position, outcome, reason, who, at];
        transaction.execute(sql, &values).await?;
    }
    Ok(())
}

async fn open_again(
    transaction: &mut Transaction,
    run: &RunId,
    attempt: i64,
    positions: &[i64],
) -> Result<(), StoreError> {
    let list: Vec<String> = (2..positions.len() + 2).map(|n| format!("${n}")).collect();
    let list = list.join(", ");
    let mut values = values![run].to_vec();
    values.extend(positions.iter().map(|position| Value::from(*position)));
    for sql in [
        format!("DELETE FROM scores WHERE run_id = $1 AND position IN ({list})"),
        format!("DELETE FROM verdicts WHERE run_id = $1 AND position IN ({list})"),
    ] {
        transaction.execute(&sql, &values).await?;
    }
    let sql = format!(
        "UPDATE run_items SET state = 'pending', attempts = 0, losses = 0, worker = NULL, \
         ask_attempt = {attempt} WHERE run_id = $1 AND position IN ({list})"
    );
    transaction.execute(&sql, &values).await?;
    Ok(())
}
