//! What changes with every write to a database, whoever makes it: whatever is computed from the
//! database stays right for as long as this stays the same.

use std::sync::atomic::{AtomicU64, Ordering};

use async_recursion::async_recursion as boxed;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Row as _};
use tokio::sync::Mutex;

use crate::database::Database;
use crate::error::StoreError;
use crate::store::Store;

/// Connections to PostgreSQL that this process made so far. Whoever is connected anew may be
/// connected to another server, whose numbers mean something else.
pub(crate) static CONNECTED: AtomicU64 = AtomicU64::new(0);

/// The state of a database. Two that are equal saw the same rows in every table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision(String);

/// One connection to a SQLite file that only watches it: `data_version` counts what others
/// commit, and means nothing beyond the connection that was asked.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    file: Option<SqliteConnectOptions>,
    /// Taken out while it is asked: what is given up in the middle is opened again.
    connection: Mutex<Option<SqliteConnection>>,
    opened: AtomicU64,
}

impl Watch {
    /// Of a file; opened by whoever asks first.
    pub(crate) fn over(file: SqliteConnectOptions) -> Self {
        Self { file: Some(file), ..Self::default() }
    }

    async fn version(&self) -> Result<Revision, StoreError> {
        let Some(file) = &self.file else {
            return Err(StoreError::Refused("there is no file to watch".to_owned()));
        };
        let mut held = self.connection.lock().await;
        let mut connection = if let Some(connection) = held.take() {
            connection
        } else {
            self.opened.fetch_add(1, Ordering::Relaxed);
            file.connect().await?
        };
        let row = sqlx::query("PRAGMA data_version").fetch_one(&mut connection).await?;
        let version: i64 = row.try_get(0)?;
        *held = Some(connection);
        Ok(Revision(format!("{} {version}", self.opened.load(Ordering::Relaxed))))
    }

    /// Lets the file go.
    pub(crate) async fn close(&self) {
        if let Some(connection) = self.connection.lock().await.take() {
            let _ = sqlx::Connection::close(connection).await;
        }
    }
}

impl Store {
    /// The state of the database at this moment. What is read after it was asked for is that
    /// state or a later one, never an earlier: so what was computed under a revision may be
    /// shown to whoever finds the same revision later. Writes of other processes count too.
    #[boxed]
    pub async fn revision(&self) -> Result<Revision, StoreError> {
        if let Database::Sqlite { .. } = &self.database {
            return self.watch.version().await;
        }
        // Which transactions are seen: two that name the same ones see the same rows.
        let sql = "SELECT CAST(txid_current_snapshot() AS TEXT) AS snapshot";
        let row = self.database.fetch_optional(sql, &[]).await?;
        let snapshot: String = row.map(|row| row.get("snapshot")).transpose()?.unwrap_or_default();
        // Looked up last: whoever answered was connected by now.
        Ok(Revision(format!("{} {snapshot}", CONNECTED.load(Ordering::Acquire))))
    }
}
