//! How things are kept that come one by one: whoever comes together shares a statement, a
//! transaction, a commit.
//!
//! A commit waits for the disk, and every statement for another thread. Two tasks therefore
//! take all that is waiting at once: one looks up, one writes. Nobody is told that something
//! is kept before the disk has it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::value::RawValue;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{self, Instant};

use crate::budgets;
use crate::claims;
use crate::database::{Database, Transaction};
use crate::error::{Result, StoreError};
use crate::exchanges::{Cost, Exchange, Sent};
use crate::finish::{self, Finished};
use crate::journal::{self, Begin, Fail, Hindrance, Keep};

/// So many requests are taken at once, at most.
const BATCH_MAX: usize = 1_024;
/// The first wait for a server that went away; it doubles.
const FIRST_WAIT: Duration = Duration::from_millis(100);
/// It doubles up to here.
const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// JSON as it was written.
pub(crate) type Json = Box<RawValue>;
type ReplySender<T> = oneshot::Sender<Result<T>>;

/// The ways to the two tasks.
#[derive(Debug)]
pub(crate) struct Queue {
    lookups: mpsc::Sender<Lookup>,
    writes: mpsc::Sender<Write>,
    tasks: [JoinHandle<()>; 2],
    /// How long a server that went away is waited for, in milliseconds.
    patience: Arc<AtomicU64>,
}

#[derive(Debug)]
struct Lookup {
    key: String,
    told: ReplySender<Option<Json>>,
}

#[derive(Debug)]
enum Write {
    Begin(Box<Begin>, ReplySender<Result<(), Hindrance>>),
    Hold(i64, ReplySender<()>),
    Keep(Box<Keep>, ReplySender<Option<Json>>),
    Fail(Fail, ReplySender<()>),
    Finish(Box<Finished>, ReplySender<bool>),
}

impl Queue {
    /// Puts the two to work.
    pub(crate) fn new(database: Database) -> Self {
        let (lookups, waiting) = mpsc::channel(BATCH_MAX);
        let reading = tokio::spawn(look_up_until_closed(database.clone(), waiting));
        let (writes, waiting) = mpsc::channel(BATCH_MAX);
        let patience = Arc::new(AtomicU64::new(0));
        let written = write_until_closed(database, waiting, Arc::clone(&patience));
        let tasks = [reading, tokio::spawn(written)];
        Self { lookups, writes, tasks, patience }
    }

    /// Has writes wait for a server that went away.
    pub(crate) fn be_patient(&self, patience: Duration) {
        let milliseconds = u64::try_from(patience.as_millis()).unwrap_or(u64::MAX);
        self.patience.store(milliseconds, Ordering::Relaxed);
    }

    /// The reply kept under a key.
    pub(crate) async fn look_up(&self, key: String) -> Result<Option<Json>> {
        let (told, answer) = oneshot::channel();
        ask(&self.lookups, Lookup { key, told }, answer).await
    }

    /// Notes that a request is about to go out, if nothing stands against it.
    pub(crate) async fn begin(&self, begin: Begin) -> Result<Result<(), Hindrance>> {
        let (told, answer) = oneshot::channel();
        ask(&self.writes, Write::Begin(Box::new(begin), told), answer).await
    }

    /// Holds on to a request that is under way.
    pub(crate) async fn hold(&self, send: i64) -> Result<()> {
        let (told, answer) = oneshot::channel();
        ask(&self.writes, Write::Hold(send, told), answer).await
    }

    /// Keeps a reply, or returns the one that was there before.
    pub(crate) async fn keep(
        &self,
        sent: Sent,
        exchange: Exchange,
        cost: Cost,
    ) -> Result<Option<Json>> {
        let (told, answer) = oneshot::channel();
        ask(&self.writes, Write::Keep(Box::new(Keep { sent, exchange, cost }), told), answer).await
    }

    /// Notes that a request failed.
    pub(crate) async fn fail(&self, fail: Fail) -> Result<()> {
        let (told, answer) = oneshot::channel();
        ask(&self.writes, Write::Fail(fail, told), answer).await
    }

    /// Finishes an item, if its lease still holds.
    pub(crate) async fn finish(&self, finished: Finished) -> Result<bool> {
        let (told, answer) = oneshot::channel();
        ask(&self.writes, Write::Finish(Box::new(finished), told), answer).await
    }

    /// Waits until all that was asked for is written.
    pub(crate) async fn close(self) {
        drop((self.lookups, self.writes));
        for task in self.tasks {
            // A task ends with its queue; if it panicked there is nothing left to wait for.
            let _ = task.await;
        }
    }
}

async fn release_apart(database: &Database, ended: &[i64]) -> Result<()> {
    let mut transaction = database.begin().await?;
    claims::release(&mut transaction, ended).await?;
    transaction.commit().await
}

async fn ask<Q, T>(
    queue: &mpsc::Sender<Q>,
    question: Q,
    answer: oneshot::Receiver<Result<T>>,
) -> Result<T> {
    queue.send(question).await.map_err(|_| StoreError::Closed)?;
    answer.await.map_err(|_| StoreError::Closed)?
}

async fn look_up_until_closed(database: Database, mut queue: mpsc::Receiver<Lookup>) {
    let mut batch = Vec::with_capacity(BATCH_MAX);
    while queue.recv_many(&mut batch, BATCH_MAX).await > 0 {
        let keys: Vec<&str> = batch.iter().map(|lookup| lookup.key.as_str()).collect();
        let found = journal::find(&database, &keys).await;
        for Lookup { key, told } in batch.drain(..) {
            // Nobody listens any more when the asker was cancelled.
            let _ = told
                .send(found.as_ref().map(|found| found.get(&key).cloned()).map_err(Clone::clone));
        }
    }
}

async fn write_until_closed(
    database: Database,
    mut queue: mpsc::Receiver<Write>,
    patience: Arc<AtomicU64>,
) {
    let mut pending = Vec::with_capacity(BATCH_MAX);
    while queue.recv_many(&mut pending, BATCH_MAX).await > 0 {
        let mut batch = Batch::default();
        for write in pending.drain(..) {
            batch.add(write);
        }
        let patience = Duration::from_millis(patience.load(Ordering::Relaxed));
        let committed = batch.commit_patiently(&database, patience).await;
        batch.tell(&committed);
    }
}

/// What is written together. The order of its kinds does not matter: no request ends in the
/// same batch in which it begins.
#[derive(Default)]
pub(crate) struct Batch {
    pub(crate) begins: Vec<Begin>,
    pub(crate) keeps: Vec<Keep>,
    pub(crate) fails: Vec<Fail>,
    holds: Vec<i64>,
    finished: Vec<Finished>,
    told_begun: Vec<ReplySender<Result<(), Hindrance>>>,
    told_held: Vec<ReplySender<()>>,
    told_failed: Vec<ReplySender<()>>,
    told_kept: Vec<ReplySender<Option<Json>>>,
    told_finished: Vec<ReplySender<bool>>,
}

/// What came of it: which requests may go out, the replies that were there before, by key, and
/// which items count.
struct CommitOutcome {
    begun: Vec<Result<(), Hindrance>>,
    earlier: BTreeMap<String, Json>,
    ours: Vec<bool>,
}

impl Batch {
    fn add(&mut self, write: Write) {
        match write {
            Write::Begin(begin, told) => {
                self.begins.push(*begin);
                self.told_begun.push(told);
            }
            Write::Hold(send, told) => {
                self.holds.push(send);
                self.told_held.push(told);
            }
            Write::Keep(keep, told) => {
                self.keeps.push(*keep);
                self.told_kept.push(told);
            }
            Write::Fail(fail, told) => {
                self.fails.push(fail);
                self.told_failed.push(told);
            }
            Write::Finish(finished, told) => {
                self.finished.push(*finished);
                self.told_finished.push(told);
            }
        }
    }

    /// Tries again as long as the server is away. A commit whose acknowledgement was lost is
    /// not done a second time.
    async fn commit_patiently(
        &self,
        database: &Database,
        patience: Duration,
    ) -> Result<CommitOutcome> {
        let (begun, mut wait) = (Instant::now(), FIRST_WAIT);
        let mut committed = self.commit(database).await;
        while matches!(committed, Err(StoreError::Unreachable(_))) && begun.elapsed() < patience {
            time::sleep(wait).await;
            wait = (wait * 2).min(LONGEST_WAIT);
            committed = match journal::was_committed(database, self).await {
                Ok(false) => self.commit(database).await,
                Ok(true) => Ok(self.as_committed(database).await?),
                Err(error) => Err(error),
            };
        }
        committed
    }

    /// What a commit came to that nobody heard of.
    async fn as_committed(&self, database: &Database) -> Result<CommitOutcome> {
        let noted = journal::noted(database, &self.begins).await?;
        // What was not noted then is asked for again; why it was not is not known any more.
        let begun = noted.into_iter().map(|is_noted| is_noted.then_some(()).ok_or(Hindrance::Held));
        let begun = begun.collect();
        let keys: Vec<&str> = self.keeps.iter().map(|keep| keep.exchange.key.as_str()).collect();
        // All compute from what is kept, whoever kept it.
        let earlier = journal::find(database, &keys).await?;
        Ok(CommitOutcome { begun, earlier, ours: vec![true; self.finished.len()] })
    }

    /// All of it or nothing.
    async fn commit(&self, database: &Database) -> Result<CommitOutcome> {
        let is_alone = database.has_one_writer();
        let apart = if is_alone { None } else { Some(self.claim_apart(database).await?) };
        let mut transaction = database.begin().await?;
        let free = match apart {
            Some(free) => free,
            None => self.claim(&mut transaction, database).await?,
        };
        // First of all and in one order, so that two processes never wait in a ring.
        let begun = budgets::book(&mut transaction, database, self, &free).await?;
        let begins = self.begins.iter().zip(&begun).filter(|(_, begun)| begun.is_ok());
        journal::begin(&mut transaction, begins.map(|(begin, _)| begin)).await?;
        let earlier = journal::keep(&mut transaction, &self.keeps).await?;
        journal::fail(&mut transaction, &self.fails).await?;
        let ours = finish::write(&mut transaction, database, &self.finished).await?;
        let ended = self.unclaimed(&begun);
        if is_alone {
            claims::release(&mut transaction, &ended).await?;
        }
        transaction.commit().await?;
        if !is_alone && !ended.is_empty() {
            // A claim that is left behind runs out.
            let _ = release_apart(database, &ended).await;
        }
        Ok(CommitOutcome { begun, earlier, ours })
    }

    /// Claims what requests that begin ask for. Says of each whether nobody else asks for it,
    /// and nobody brought it home between our looking for it and claiming it.
    async fn claim(&self, transaction: &mut Transaction, database: &Database) -> Result<Vec<bool>> {
        let mut free = claims::take(transaction, database, &self.begins).await?;
        claims::hold(transaction, database, &self.holds).await?;
        let claimed = |begin: &Begin| begin.sending.is_exclusive;
        let keys = self.begins.iter().zip(&free).filter(|(begin, free)| **free && claimed(begin));
        let keys: Vec<&str> = keys.map(|(begin, _)| begin.sending.key.as_str()).collect();
        let there = journal::kept(transaction, &keys).await?;
        for (begin, free) in self.begins.iter().zip(&mut free) {
            *free &= !(claimed(begin) && there.contains(&begin.sending.key));
        }
        Ok(free)
    }

    /// The same in a transaction of its own, if there is anything to claim.
    async fn claim_apart(&self, database: &Database) -> Result<Vec<bool>> {
        let is_any = self.begins.iter().any(|begin| begin.sending.is_exclusive);
        if !is_any && self.holds.is_empty() {
            return Ok(vec![true; self.begins.len()]);
        }
        let mut transaction = database.begin().await?;
        let free = self.claim(&mut transaction, database).await?;
        transaction.commit().await?;
        Ok(free)
    }

    /// Requests that ended, whose replies can be seen now, and those that may not go out.
    fn unclaimed(&self, begun: &[Result<(), Hindrance>]) -> Vec<i64> {
        let kept = self.keeps.iter().map(|keep| &keep.sent);
        let ended = kept.chain(self.fails.iter().map(|fail| &fail.sent));
        let ended = ended.filter(|sent| sent.is_exclusive).map(|sent| sent.id);
        let refused = self.begins.iter().zip(begun).filter(|(_, begun)| begun.is_err());
        ended.chain(refused.map(|(begin, _)| begin.id)).collect()
    }

    fn tell(self, committed: &Result<CommitOutcome>) {
        for (index, told) in self.told_begun.into_iter().enumerate() {
            let begun = |committed: &CommitOutcome| committed.begun[index].clone();
            let _ = told.send(committed.as_ref().map(begun).map_err(Clone::clone));
        }
        for told in self.told_held {
            let _ = told.send(committed.as_ref().map(|_| ()).map_err(Clone::clone));
        }
        for told in self.told_failed {
            let _ = told.send(committed.as_ref().map(|_| ()).map_err(Clone::clone));
        }
        for (keep, told) in self.keeps.iter().zip(self.told_kept) {
            let earlier =
                |committed: &CommitOutcome| committed.earlier.get(&keep.exchange.key).cloned();
            let _ = told.send(committed.as_ref().map(earlier).map_err(Clone::clone));
        }
        for (index, told) in self.told_finished.into_iter().enumerate() {
            let is_ours = |committed: &CommitOutcome| committed.ours[index];
            let _ = told.send(committed.as_ref().map(is_ours).map_err(Clone::clone));
        }
    }
}
