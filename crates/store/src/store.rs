//! Opening and closing a store.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sqlx::error::DatabaseError;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{ConnectOptions, Connection, SqlSafeStr};
use tokio::time;

use crate::database::Database;
use crate::error::StoreError;
use crate::exchanges::SendIds;

/// How long one process waits for another that is writing.
const PATIENCE: Duration = Duration::from_secs(30);
/// Readers of one process.
const READERS_MAX: u32 = 4;
/// How often a fresh file is tried that another process is making at the same moment.
const OPENINGS_MAX: u32 = 20;

/// The steps to today's tables, in order; a step that was released is never changed.
const STEPS: [(i64, &str, &str); 1] =
    [(1, "keep exchanges", include_str!("../migrations/sqlite/0001_keep_exchanges.sql"))];

/// A file in which everything is kept. Several processes may have it open at once.
#[derive(Debug)]
pub struct Store {
    pub(crate) database: Database,
    pub(crate) send_ids: SendIds,
}

impl Store {
    /// Opens a store, and makes it if there is none.
    pub async fn open(path: &Path) -> Result<Self, StoreError> {
        let mut openings = 0;
        loop {
            openings += 1;
            match Self::try_open(path).await {
                Err(error) if openings < OPENINGS_MAX && is_busy(&error) => {
                    time::sleep(Duration::from_millis(50)).await;
                }
                opened => return opened,
            }
        }
    }

    async fn try_open(path: &Path) -> Result<Self, StoreError> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(PATIENCE)
            .foreign_keys(true)
            .disable_statement_logging();
        let mut writer = options.connect().await.map_err(|error| unopened(path, error))?;
        migrate(&mut writer).await.map_err(|error| foreign(path, error))?;
        let options = options.read_only(true).create_if_missing(false);
        let reader = options.connect().await.map_err(|error| unopened(path, error))?;
        let readers = SqlitePoolOptions::new()
            .max_connections(READERS_MAX)
            .min_connections(0)
            .connect_lazy_with(options);
        let database = Database::new(readers, reader, writer);
        Ok(Self { database, send_ids: SendIds::new() })
    }

    /// Writes what was asked for, then closes. Dropping a store loses nothing either; this
    /// also waits for it.
    pub async fn close(self) {
        self.database.close().await;
    }
}

/// Takes the missing steps, while nobody else does.
async fn migrate(connection: &mut SqliteConnection) -> Result<(), MigrateError> {
    let steps = STEPS.map(|(version, description, sql)| {
        let (kind, sql) = (MigrationType::Simple, sql.into_sql_str());
        Migration::new(version, description.into(), kind, sql, false)
    });
    let migrator = Migrator::with_migrations(steps.to_vec());
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    // Not `run`: behind its generic argument the compiler loses sight of `Send`.
    migrator.run_direct(None, &mut *transaction, false).await?;
    transaction.commit().await?;
    Ok(())
}

fn unopened(path: &Path, error: sqlx::Error) -> StoreError {
    const NOT_A_DATABASE: &str = "26";
    let code = error.as_database_error().and_then(DatabaseError::code);
    if code.as_deref() == Some(NOT_A_DATABASE) {
        return StoreError::NotAStore(path.to_owned());
    }
    StoreError::Unopened { path: path.to_owned(), source: Arc::new(error) }
}

fn foreign(path: &Path, error: MigrateError) -> StoreError {
    match error {
        MigrateError::Execute(error) => unopened(path, error),
        error => StoreError::Foreign { path: path.to_owned(), source: Arc::new(error) },
    }
}

/// Whether another process was in the way.
fn is_busy(error: &StoreError) -> bool {
    let StoreError::Unopened { source, .. } = error else { return false };
    let code = source.as_database_error().and_then(DatabaseError::code);
    // SQLITE_BUSY and SQLITE_LOCKED are the low byte of whatever extended code is given.
    let code = code.and_then(|code| code.parse::<u32>().ok()).map(|code| code & 0xff);
    matches!(code, Some(5 | 6))
}
