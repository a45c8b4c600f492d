//! Processes that work on runs: which run is next, and who is at it.
//!
//! Nothing is decided by the rows of workers: they are there to be looked at. What is worked on
//! is decided by leases alone.

use std::fmt::Write;
use std::time::Duration;

use async_recursion::async_recursion as boxed;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::database::Row;
use crate::error::{Result, StoreError};
use crate::ids::{OrganisationId, RunId};
use crate::record::handle;
use crate::value::values;

/// A process that works, as others see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerRow {
    /// What it is called; no two that are alive have the same name.
    pub name: String,
    /// The machine it runs on.
    pub host: String,
    /// Its process id there.
    pub process: i64,
    /// The version of its program.
    pub version: String,
    /// What it does: `working`, `idle` or `draining`.
    pub state: String,
    /// Items that it finished.
    pub items_done: i64,
    /// When it began.
    pub started_at: DateTime<Utc>,
    /// When it was last heard of.
    pub seen_at: DateTime<Utc>,
    /// Whether it was heard of within the time that was asked about.
    pub is_alive: bool,
    /// The items it holds, by the number of their run.
    pub held: Vec<(i64, i64)>,
}

/// A run that has something to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuedRun {
    /// Which one.
    pub id: RunId,
    /// Whose it is.
    pub organisation_id: OrganisationId,
}

/// What waits for workers in the runs of an organisation that are going on, and what they hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Queue {
    /// The name of the organisation.
    pub organisation: String,
    /// Items that could be claimed now.
    pub items: u64,
    /// Since when the item is held that has been held longest, by a lease that counts; 0 if none is.
    pub lease_age_seconds: f64,
    /// For how long the oldest lease that ran out has waited for somebody to take its item up; 0 if
    /// none has.
    pub lease_overdue_seconds: f64,
}

handle!(Workers, workers, "The workers of a store.");

impl Workers<'_> {
    /// The run that a worker should take items of: of the highest priority there is, that of the
    /// organisation for which the fewest items are being worked on, and among its runs the one
    /// with the fewest, the oldest first. `others` are left out.
    #[boxed]
    pub async fn next_run(&self, others: &[RunId]) -> Result<Option<QueuedRun>> {
        let now = self.0.database.now();
        let mut sql = format!(
            "SELECT run.id, run.organisation_id FROM runs AS run WHERE run.state = 'running' \
             AND run.instrument IN ('summary', 'compliance', 'council') AND EXISTS (SELECT 1 \
             FROM run_items AS item WHERE item.run_id = run.id AND item.state <> 'done' \
             AND (item.state = 'pending' OR item.leased_until < {now}))"
        );
        for place in 1..=others.len() {
            let _ = write!(sql, " AND run.id <> ${place}");
        }
        sql += " ORDER BY run.priority DESC, (SELECT COUNT(*) FROM runs AS other \
            JOIN run_items AS held ON held.run_id = other.id AND held.lease IS NOT NULL \
            WHERE other.state = 'running' AND other.organisation_id = run.organisation_id), \
            (SELECT COUNT(*) FROM run_items AS held WHERE held.run_id = run.id \
            AND held.lease IS NOT NULL), run.created_at, run.id LIMIT 1";
        let values: Vec<_> = others.iter().map(|other| values![other][0].clone()).collect();
        let row = self.0.database.fetch_optional(&sql, &values).await?;
        row.map(|row| {
            let id = row.get::<String>("id")?.into();
            let organisation_id = row.get::<String>("organisation_id")?.into();
            Ok(QueuedRun { id, organisation_id })
        })
        .transpose()
    }

    /// What waits for workers and what they hold, of every organisation with a run that is going
    /// on; the one with the most first.
    #[boxed]
    pub async fn queues(&self) -> Result<Vec<Queue>> {
        let database = &self.0.database;
        let (now, since) = (database.now(), |column| database.seconds_since(column));
        let sql = format!(
            "SELECT owner.name, COUNT(CASE WHEN item.state = 'pending' \
             OR item.leased_until < {now} THEN 1 END) AS waiting, \
             MAX(CASE WHEN item.leased_until >= {now} THEN {age} END) AS age, \
             MAX({overdue}) AS overdue FROM runs AS run \
             JOIN organisations AS owner ON owner.id = run.organisation_id \
             JOIN run_items AS item ON item.run_id = run.id AND item.state <> 'done' \
             WHERE run.state = 'running' GROUP BY owner.name ORDER BY waiting DESC, owner.name",
            age = since("item.leased_at"),
            overdue = since("item.leased_until"),
        );
        let seconds = |row: &Row, column| {
            let value: Option<f64> = row.get(column)?;
            Ok::<_, StoreError>(value.unwrap_or_default().max(0.0))
        };
        let rows = database.fetch(&sql, &[]).await?;
        let queue = |row: &Row| {
            Ok(Queue {
                organisation: row.get("name")?,
                items: row.count("waiting")?,
                lease_age_seconds: seconds(row, "age")?,
                lease_overdue_seconds: seconds(row, "overdue")?,
            })
        };
        rows.iter().map(queue).collect()
    }

    /// Says that a worker is there, and what it does.
    #[boxed]
    pub async fn announce(&self, worker: &WorkerRow) -> Result<()> {
        let now = self.0.database.now();
        let sql = format!(
            "INSERT INTO workers (name, host, process, version, state, items_done, started_at, \
             seen_at) VALUES ($1, $2, $3, $4, $5, $6, {now}, {now}) ON CONFLICT (name) \
             DO UPDATE SET host = excluded.host, process = excluded.process, \
             version = excluded.version, state = excluded.state, \
             items_done = excluded.items_done, seen_at = excluded.seen_at"
        );
        let WorkerRow { name, host, process, version, state, items_done, .. } = worker;
        let values = values![name, host, *process, version, state, *items_done];
        self.0.database.execute(&sql, &values).await?;
        Ok(())
    }

    /// A worker goes.
    #[boxed]
    pub async fn leave(&self, name: &str) -> Result<()> {
        self.0.database.execute("DELETE FROM workers WHERE name = $1", &values![name]).await?;
        Ok(())
    }

    /// All workers by name; those that were not heard of for so long are not alive.
    #[boxed]
    pub async fn list(&self, silence: Duration) -> Result<Vec<WorkerRow>> {
        let database = &self.0.database;
        let sql = format!(
            "SELECT workers.*, seen_at >= {} AS is_alive FROM workers ORDER BY name",
            database.moment("-$1")
        );
        let mut workers = Vec::new();
        for row in database.fetch(&sql, &values![silence.as_secs_f64()]).await? {
            workers.push(WorkerRow {
                name: row.get("name")?,
                host: row.get("host")?,
                process: row.get("process")?,
                version: row.get("version")?,
                state: row.get("state")?,
                items_done: row.get("items_done")?,
                started_at: row.get("started_at")?,
                seen_at: row.get("seen_at")?,
                is_alive: row.get("is_alive")?,
                held: Vec::new(),
            });
        }
        let sql = "SELECT item.worker, run.number, COUNT(*) AS items FROM run_items AS item \
            JOIN runs AS run ON run.id = item.run_id WHERE item.lease IS NOT NULL \
            GROUP BY item.worker, run.number ORDER BY run.number";
        for row in database.fetch(sql, &[]).await? {
            let name: Option<String> = row.get("worker")?;
            let held = (row.get("number")?, row.get("items")?);
            let worker = workers.iter_mut().find(|worker| Some(&worker.name) == name.as_ref());
            if let Some(worker) = worker {
                worker.held.push(held);
            }
        }
        Ok(workers)
    }

    /// Pauses a run that cannot go on now, with the reason; whoever works on it claims nothing
    /// more. It goes on when somebody resumes it.
    #[boxed]
    pub async fn pause(&self, run: &RunId, because: &str) -> Result<()> {
        let sql = format!(
            "UPDATE runs SET state = 'stopped', failure = $2, ended_at = {} \
             WHERE id = $1 AND state = 'running'",
            self.0.database.now()
        );
        let mut transaction = self.0.database.begin().await?;
        transaction.execute(&sql, &values![run, because]).await?;
        transaction.commit().await
    }

    /// Hands a run to whoever works: from now on its items are given out, those of runs with a
    /// higher priority first.
    #[boxed]
    pub async fn queue(&self, run: &RunId, priority: i64) -> Result<()> {
        let sql = format!(
            "UPDATE runs SET state = 'running', failure = NULL, ended_at = NULL, priority = $2, \
             started_at = COALESCE(started_at, {}) WHERE id = $1 AND state <> 'done'",
            self.0.database.now()
        );
        let mut transaction = self.0.database.begin().await?;
        transaction.execute(&sql, &values![run, priority]).await?;
        transaction.commit().await
    }
}
