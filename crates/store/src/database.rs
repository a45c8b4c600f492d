//! How things are kept: whoever comes together shares a statement, a transaction, a commit.
//!
//! A commit waits for the disk, and every statement for another thread. Two tasks therefore
//! take all that is waiting at once: one looks up, one writes. Nobody is told that something
//! is kept before the disk has it.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use sqlx::Connection;
use sqlx::sqlite::{SqliteConnection, SqlitePool};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::error::StoreError;
use crate::exchanges::Exchange;
use crate::journal::{self, Begin, Fail, Keep};

/// So many requests are taken at once, at most.
const BATCH_MAX: usize = 256;

/// JSON as it was written.
pub(crate) type Json = Box<RawValue>;
type Told<T> = oneshot::Sender<Result<T, StoreError>>;

/// The pool for whatever comes rarely, and the ways to the two tasks.
#[derive(Debug)]
pub(crate) struct Database {
    pub(crate) readers: SqlitePool,
    lookups: mpsc::Sender<Lookup>,
    writes: mpsc::Sender<Write>,
    tasks: [JoinHandle<()>; 2],
}

#[derive(Debug)]
struct Lookup {
    key: String,
    told: Told<Option<Json>>,
}

#[derive(Debug)]
enum Write {
    Begin(Begin, Told<()>),
    Keep(Box<Keep>, Told<Option<Json>>),
    Fail(Fail, Told<()>),
}

impl Database {
    /// Puts two connections to work.
    pub(crate) fn new(
        readers: SqlitePool,
        for_reading: SqliteConnection,
        for_writing: SqliteConnection,
    ) -> Self {
        let (lookups, waiting) = mpsc::channel(BATCH_MAX);
        let reading = tokio::spawn(look_up_until_closed(for_reading, waiting));
        let (writes, waiting) = mpsc::channel(BATCH_MAX);
        let tasks = [reading, tokio::spawn(write_until_closed(for_writing, waiting))];
        Self { readers, lookups, writes, tasks }
    }

    /// The reply kept under a key.
    pub(crate) async fn look_up(&self, key: String) -> Result<Option<Json>, StoreError> {
        let (told, answer) = oneshot::channel();
        ask(&self.lookups, Lookup { key, told }, answer).await
    }

    /// Notes that a request is about to go out.
    pub(crate) async fn begin(&self, begin: Begin) -> Result<(), StoreError> {
        let (told, answer) = oneshot::channel();
        ask(&self.writes, Write::Begin(begin, told), answer).await
    }

    /// Keeps a reply, or returns the one that was there before.
    pub(crate) async fn keep(
        &self,
        send: i64,
        exchange: Exchange,
    ) -> Result<Option<Json>, StoreError> {
        let (told, answer) = oneshot::channel();
        ask(&self.writes, Write::Keep(Box::new(Keep { send, exchange }), told), answer).await
    }

    /// Notes that a request failed.
    pub(crate) async fn fail(&self, fail: Fail) -> Result<(), StoreError> {
        let (told, answer) = oneshot::channel();
        ask(&self.writes, Write::Fail(fail, told), answer).await
    }

    /// Writes what was asked for, then closes.
    pub(crate) async fn close(self) {
        drop((self.lookups, self.writes));
        for task in self.tasks {
            // A task ends with its queue; if it panicked there is nothing left to wait for.
            let _ = task.await;
        }
        self.readers.close().await;
    }
}

async fn ask<Q, T>(
    queue: &mpsc::Sender<Q>,
    question: Q,
    answer: oneshot::Receiver<Result<T, StoreError>>,
) -> Result<T, StoreError> {
    queue.send(question).await.map_err(|_| StoreError::Closed)?;
    answer.await.map_err(|_| StoreError::Closed)?
}

async fn look_up_until_closed(mut connection: SqliteConnection, mut queue: mpsc::Receiver<Lookup>) {
    let mut batch = Vec::with_capacity(BATCH_MAX);
    while queue.recv_many(&mut batch, BATCH_MAX).await > 0 {
        let keys: Vec<&str> = batch.iter().map(|lookup| lookup.key.as_str()).collect();
        let found = journal::find(&mut connection, &keys).await.map_err(StoreError::from);
        for Lookup { key, told } in batch.drain(..) {
            // Nobody listens any more when the asker was cancelled.
            let _ = told
                .send(found.as_ref().map(|found| found.get(&key).cloned()).map_err(Clone::clone));
        }
    }
    let _ = connection.close().await;
}

async fn write_until_closed(mut connection: SqliteConnection, mut queue: mpsc::Receiver<Write>) {
    let mut pending = Vec::with_capacity(BATCH_MAX);
    while queue.recv_many(&mut pending, BATCH_MAX).await > 0 {
        let mut batch = Batch::default();
        for write in pending.drain(..) {
            batch.add(write);
        }
        let committed = batch.commit(&mut connection).await;
        batch.tell(&committed.map_err(StoreError::from));
    }
    // The file is whole with or without a farewell.
    let _ = connection.close().await;
}

/// What is written together. The order of its kinds does not matter: no request ends in the
/// same batch in which it begins.
#[derive(Default)]
struct Batch {
    begins: Vec<Begin>,
    keeps: Vec<Keep>,
    fails: Vec<Fail>,
    told: Vec<Told<()>>,
    told_kept: Vec<Told<Option<Json>>>,
}

impl Batch {
    fn add(&mut self, write: Write) {
        match write {
            Write::Begin(begin, told) => {
                self.begins.push(begin);
                self.told.push(told);
            }
            Write::Keep(keep, told) => {
                self.keeps.push(*keep);
                self.told_kept.push(told);
            }
            Write::Fail(fail, told) => {
                self.fails.push(fail);
                self.told.push(told);
            }
        }
    }

    /// All of it or nothing. Returns the replies that were there before, by key.
    async fn commit(
        &self,
        connection: &mut SqliteConnection,
    ) -> Result<BTreeMap<String, Json>, sqlx::Error> {
        let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
        journal::begin(&mut transaction, &self.begins).await?;
        let earlier = journal::keep(&mut transaction, &self.keeps).await?;
        journal::fail(&mut transaction, &self.fails).await?;
        transaction.commit().await?;
        Ok(earlier)
    }

    fn tell(self, committed: &Result<BTreeMap<String, Json>, StoreError>) {
        for told in self.told {
            let _ = told.send(committed.as_ref().map(|_| ()).map_err(Clone::clone));
        }
        for (keep, told) in self.keeps.iter().zip(self.told_kept) {
            let earlier =
                |earlier: &BTreeMap<String, Json>| earlier.get(&keep.exchange.key).cloned();
            let _ = told.send(committed.as_ref().map(earlier).map_err(Clone::clone));
        }
    }
}
