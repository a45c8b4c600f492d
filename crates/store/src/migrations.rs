//! The steps from nothing to today's tables, and who takes them.
//!
//! A fresh database takes them all when it is opened. An older one is left alone until
//! somebody says so ([`Store::migrate`](crate::Store::migrate)), because there is no way back
//! but a backup. Either all missing steps are taken or none, and while one process takes them
//! others wait.

use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::postgres::PgConnection;
use sqlx::sqlite::SqliteConnection;
use sqlx::{Connection, SqlSafeStr};

use crate::database::{Database, Transaction};
use crate::error::Result;

/// The first step that was ever released. Builds before it counted from 1 and made other tables:
/// what they left is neither read nor changed.
pub(crate) const FIRST: i64 = 100;

/// Where the steps end.
pub(crate) const LATEST: i64 = 100;

/// What the first step is called: a file with other tables but not this step is not ours.
pub(crate) const FIRST_STEP: &str = "create tables";

/// What the first step of unreleased builds was called.
pub(crate) const UNRELEASED_STEP: &str = "keep exchanges";

/// "assize" as a number: who takes steps on PostgreSQL holds this lock.
const LOCK: i64 = 0x6173_7369_7a65;

const TAKEN: &str = "SELECT version, checksum FROM _sqlx_migrations ORDER BY version";

const VERSIONS: &str = "SELECT COALESCE(MAX(version), 0) FROM _sqlx_migrations";

/// When the missing steps may be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    /// Not now: only the version is asked for.
    Never,
    /// Only if there is nothing yet.
    Fresh,
    Now,
}

fn sqlite_steps() -> Migrator {
    steps(include_str!("../schema/sqlite.sql"))
}

fn postgres_steps() -> Migrator {
    let mut migrator = steps(include_str!("../schema/postgres.sql"));
    // The advisory lock of the transaction is held already.
    migrator.set_locking(false);
    migrator
}

fn steps(first: &'static str) -> Migrator {
    let (kind, sql) = (MigrationType::Simple, first.into_sql_str());
    let step = Migration::new(FIRST, FIRST_STEP.into(), kind, sql, false);
    Migrator::with_migrations(vec![step])
}

/// Applies pending migrations, if it is time. Returns at which version the tables were.
pub(crate) async fn migrate_sqlite(
    connection: &mut SqliteConnection,
    when: When,
) -> Result<i64, MigrateError> {
    // Whoever comes second waits here, as long as the connection is patient.
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    let there = "SELECT COUNT(*) > 0 FROM sqlite_schema WHERE name = '_sqlx_migrations'";
    let is_there: bool = sqlx::query_scalar(there).fetch_one(&mut *transaction).await?;
    let version =
        if is_there { sqlx::query_scalar(VERSIONS).fetch_one(&mut *transaction).await? } else { 0 };
    if version >= LATEST && when != When::Never {
        let taken = sqlx::query_as(TAKEN).fetch_all(&mut *transaction).await?;
        compare(&sqlite_steps(), taken)?;
    }
    if is_time(version, when) {
        // Not `run`: behind its generic argument the compiler loses sight of `Send`.
        sqlite_steps().run_direct(Some(LATEST), &mut *transaction, false).await?;
        let orphans = sqlx::query("PRAGMA foreign_key_check").fetch_all(&mut *transaction).await?;
        if !orphans.is_empty() {
            let because = format!("{} rows would refer to nothing", orphans.len());
            return Err(MigrateError::Execute(sqlx::Error::Protocol(because)));
        }
    }
    transaction.commit().await?;
    Ok(version)
}

/// Applies pending migrations, if it is time. Returns at which version the tables were.
pub(crate) async fn migrate_postgres(
    connection: &mut PgConnection,
    when: When,
) -> Result<i64, MigrateError> {
    let mut transaction = connection.begin().await?;
    sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(LOCK).execute(&mut *transaction).await?;
    let there = "SELECT to_regclass('_sqlx_migrations') IS NOT NULL";
    let is_there: bool = sqlx::query_scalar(there).fetch_one(&mut *transaction).await?;
    let version =
        if is_there { sqlx::query_scalar(VERSIONS).fetch_one(&mut *transaction).await? } else { 0 };
    if version >= LATEST && when != When::Never {
        let taken = sqlx::query_as(TAKEN).fetch_all(&mut *transaction).await?;
        compare(&postgres_steps(), taken)?;
    }
    if is_time(version, when) {
        postgres_steps().run_direct(Some(LATEST), &mut *transaction, false).await?;
    }
    transaction.commit().await?;
    Ok(version)
}

/// Makes the tables inside a transaction of the caller's.
pub(crate) async fn create(transaction: &mut Transaction) -> Result<(), MigrateError> {
    match transaction {
        Transaction::Sqlite(inner) => {
            sqlite_steps().run_direct(Some(LATEST), &mut **inner, false).await
        }
        Transaction::Postgres(inner) => {
            postgres_steps().run_direct(Some(LATEST), &mut **inner, false).await
        }
    }
}

/// The version of the tables, by looking alone; 0 is an empty database.
pub(crate) async fn version(database: &Database) -> Result<i64> {
    let there = match database {
        Database::Sqlite { .. } => {
            "SELECT COUNT(*) > 0 AS there FROM sqlite_schema WHERE name = '_sqlx_migrations'"
        }
        Database::Postgres(_) => "SELECT to_regclass('_sqlx_migrations') IS NOT NULL AS there",
    };
    let is_there = database.fetch_optional(there, &[]).await?;
    if !is_there.map_or(Ok(false), |row| row.get("there"))? {
        return Ok(0);
    }
    let versions = "SELECT COALESCE(MAX(version), 0) AS version FROM _sqlx_migrations";
    let row = database.fetch_optional(versions, &[]).await?;
    row.map_or(Ok(0), |row| row.get("version"))
}

/// Whether steps are taken. What an unreleased build left is not touched, whoever asks.
fn is_time(version: i64, when: When) -> bool {
    match when {
        When::Never => false,
        When::Fresh => version == 0,
        When::Now => version == 0 || (FIRST..LATEST).contains(&version),
    }
}

/// Refuses steps that are not ours. Only by looking: whoever works with the tables need not be
/// allowed to make any.
fn compare(ours: &Migrator, taken: Vec<(i64, Vec<u8>)>) -> Result<(), MigrateError> {
    for (version, checksum) in taken {
        let step = ours.iter().find(|step| step.version == version);
        let step = step.ok_or(MigrateError::VersionMissing(version))?;
        if *step.checksum != *checksum {
            return Err(MigrateError::VersionMismatch(version));
        }
    }
    Ok(())
}
