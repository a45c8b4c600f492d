//! How things are kept: many readers, one writer that commits for several at once.
//!
//! A commit waits for the disk. Requests that end together are therefore written in one
//! transaction; none of them is told before the disk has it.

use std::mem;
use std::pin::Pin;
use std::sync::Arc;

use sqlx::sqlite::{SqliteConnection, SqlitePool};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::error::StoreError;

/// So many writes share a commit at most.
const BATCH_MAX: usize = 256;

/// A future on a borrowed connection.
pub(crate) type OnConnection<'c, T> =
    Pin<Box<dyn Future<Output = Result<T, sqlx::Error>> + Send + 'c>>;

/// What a write comes to, once it is on the disk.
pub(crate) type Written<T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send>>;

/// The pool for reading and the way to the writer.
#[derive(Debug)]
pub(crate) struct Database {
    pub(crate) readers: SqlitePool,
    writes: mpsc::Sender<Box<dyn Write>>,
    writer: JoinHandle<()>,
}

impl Database {
    /// Puts a connection to work as the only writer of this process.
    pub(crate) fn new(readers: SqlitePool, connection: SqliteConnection) -> Self {
        let (writes, queue) = mpsc::channel(BATCH_MAX);
        Self { readers, writes, writer: tokio::spawn(write_until_closed(connection, queue)) }
    }

    /// Writes, and returns when it is on the disk.
    pub(crate) fn write<T, F>(&self, write: F) -> Written<T>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c mut SqliteConnection) -> OnConnection<'c, T> + Send + 'static,
    {
        let (done, told) = oneshot::channel();
        let pending: Box<dyn Write> = Box::new(Pending { write: Some(write), written: None, done });
        let writes = self.writes.clone();
        Box::pin(async move {
            writes.send(pending).await.map_err(|_| StoreError::Closed)?;
            drop(writes);
            told.await.map_err(|_| StoreError::Closed)?
        })
    }

    /// Writes what was asked for, then closes.
    pub(crate) async fn close(self) {
        drop(self.writes);
        // The writer ends when its queue does; if it panicked there is nothing left to wait for.
        let _ = self.writer.await;
        self.readers.close().await;
    }
}

/// One thing to be written, whoever asked for it.
trait Write: Send {
    fn run<'a>(&'a mut self, connection: &'a mut SqliteConnection) -> OnConnection<'a, ()>;
    fn tell(self: Box<Self>, committed: Result<(), StoreError>);
}

struct Pending<F, T> {
    write: Option<F>,
    written: Option<T>,
    done: oneshot::Sender<Result<T, StoreError>>,
}

impl<F, T> Write for Pending<F, T>
where
    T: Send + 'static,
    F: for<'c> FnOnce(&'c mut SqliteConnection) -> OnConnection<'c, T> + Send,
{
    fn run<'a>(&'a mut self, connection: &'a mut SqliteConnection) -> OnConnection<'a, ()> {
        Box::pin(async move {
            if let Some(write) = self.write.take() {
                self.written = Some(write(connection).await?);
            }
            Ok(())
        })
    }

    fn tell(self: Box<Self>, committed: Result<(), StoreError>) {
        let Self { written, done, .. } = *self;
        let told = committed.and_then(|()| written.ok_or(StoreError::Closed));
        // Nobody listens any more when the asker was cancelled; what is written stays.
        let _ = done.send(told);
    }
}

async fn write_until_closed(
    mut connection: SqliteConnection,
    mut queue: mpsc::Receiver<Box<dyn Write>>,
) {
    let mut batch = Vec::with_capacity(BATCH_MAX);
    while queue.recv_many(&mut batch, BATCH_MAX).await > 0 {
        let committed = commit(&mut connection, &mut batch).await;
        let committed = committed.map_err(|error| StoreError::Failed(Arc::new(error)));
        for write in mem::take(&mut batch) {
            write.tell(committed.clone());
        }
    }
    // The file is whole with or without a farewell.
    let _ = sqlx::Connection::close(connection).await;
}

/// All of a batch or nothing of it.
async fn commit(
    connection: &mut SqliteConnection,
    batch: &mut [Box<dyn Write>],
) -> Result<(), sqlx::Error> {
    let mut transaction = sqlx::Connection::begin_with(connection, "BEGIN IMMEDIATE").await?;
    for write in batch {
        write.run(&mut transaction).await?;
    }
    transaction.commit().await
}
