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

use crate::database::Database;
use crate::error::StoreError;

macro_rules! steps {
    ($folder:literal) => {
        [
            step(1, FIRST_STEP, include_str!(concat!($folder, "0001_keep_exchanges.sql"))),
            step(
                2,
                "create evaluations",
                include_str!(concat!($folder, "0002_create_evaluations.sql")),
            ),
            step(3, "score directly", include_str!(concat!($folder, "0003_score_directly.sql"))),
            step(
                4,
                "add organisations",
                include_str!(concat!($folder, "0004_add_organisations.sql")),
            ),
            step(5, "keep originals", include_str!(concat!($folder, "0005_keep_originals.sql"))),
            step(6, "version prompts", include_str!(concat!($folder, "0006_version_prompts.sql"))),
            step(7, "freeze runs", include_str!(concat!($folder, "0007_freeze_runs.sql"))),
            step(8, "keep evidence", include_str!(concat!($folder, "0008_keep_evidence.sql"))),
            step(9, "hold truth keys", include_str!(concat!($folder, "0009_hold_truth_keys.sql"))),
            step(10, "audit changes", include_str!(concat!($folder, "0010_audit_changes.sql"))),
            step(11, "runs for all", include_str!(concat!($folder, "0011_runs_for_all.sql"))),
            step(
                12,
                "version documents",
                include_str!(concat!($folder, "0012_version_documents.sql")),
            ),
            step(14, "let people in", include_str!(concat!($folder, "0014_let_people_in.sql"))),
            step(15, "item lives", include_str!(concat!($folder, "0015_item_lives.sql"))),
            step(16, "share limits", include_str!(concat!($folder, "0016_share_limits.sql"))),
            step(17, "list quickly", include_str!(concat!($folder, "0017_list_quickly.sql"))),
            step(
                18,
                "several analysts",
                include_str!(concat!($folder, "0018_several_analysts.sql")),
            ),
            step(19, "know identities", include_str!(concat!($folder, "0019_know_identities.sql"))),
            step(20, "assign criteria", include_str!(concat!($folder, "0020_assign_criteria.sql"))),
            step(21, "freeze weights", include_str!(concat!($folder, "0021_freeze_weights.sql"))),
        ]
    };
}

/// What the first step is called: a file with other tables but not this step is not ours.
pub(crate) const FIRST_STEP: &str = "keep exchanges";

/// Where the steps end.
pub(crate) const LATEST: i64 = 21;

/// "assize" as a number: who takes steps on PostgreSQL holds this lock.
const LOCK: i64 = 0x6173_7369_7a65;

const VERSIONS: &str = "SELECT COALESCE(MAX(version), 0) FROM _sqlx_migrations";

/// When the missing steps may be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    /// Not now: only the version is asked for.
    Never,
    /// Only if there is nothing yet.
    Fresh,
    /// Now, up to this one.
    Now(i64),
}

fn step(version: i64, description: &'static str, sql: &'static str) -> Migration {
    let (kind, sql) = (MigrationType::Simple, sql.into_sql_str());
    Migration::new(version, description.into(), kind, sql, false)
}

/// Takes the missing steps, if it is time. Returns at which version the tables were.
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
    // Not `run`: behind its generic argument the compiler loses sight of `Send`.
    let migrator = Migrator::with_migrations(steps!("../migrations/sqlite/").into());
    if let Some(target) = target(version, when) {
        migrator.run_direct(Some(target), &mut *transaction, false).await?;
        let orphans = sqlx::query("PRAGMA foreign_key_check").fetch_all(&mut *transaction).await?;
        if !orphans.is_empty() {
            let because = format!("{} rows would refer to nothing", orphans.len());
            return Err(MigrateError::Execute(sqlx::Error::Protocol(because)));
        }
    }
    transaction.commit().await?;
    Ok(version)
}

/// Takes the missing steps, if it is time. Returns at which version the tables were.
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
    let mut migrator = Migrator::with_migrations(steps!("../migrations/postgres/").into());
    migrator.set_locking(false);
    if let Some(target) = target(version, when) {
        migrator.run_direct(Some(target), &mut *transaction, false).await?;
    }
    transaction.commit().await?;
    Ok(version)
}

/// Takes steps up to one inside a transaction of the caller's.
pub(crate) async fn steps_postgres(
    connection: &mut PgConnection,
    to: i64,
) -> Result<(), MigrateError> {
    let mut migrator = Migrator::with_migrations(steps!("../migrations/postgres/").into());
    migrator.set_locking(false);
    migrator.run_direct(Some(to), connection, false).await
}

/// The version of the tables, by looking alone; 0 is an empty database.
pub(crate) async fn version(database: &Database) -> Result<i64, StoreError> {
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

/// How far to go; from the latest version nowhere, but what is there is compared.
fn target(version: i64, when: When) -> Option<i64> {
    match when {
        When::Fresh if version == 0 || version >= LATEST => Some(LATEST),
        When::Fresh | When::Never => None,
        When::Now(target) => Some(target),
    }
}
