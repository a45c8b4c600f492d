//! Opening and closing a store.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use async_recursion::async_recursion as boxed;
use sqlx::migrate::MigrateError;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection};
use tokio::time;

use crate::database::Database;
use crate::error::{StoreError, code, is_locked};
use crate::exchanges::SendIds;
use crate::migrations::{
    self, FIRST, FIRST_STEP, LATEST, UNRELEASED_STEP, When, migrate_postgres, migrate_sqlite,
};
use crate::organisations::KeptNames;
use crate::place::{Place, private_file};
use crate::queue::Queue;
use crate::revision::{CONNECTED, Watch};
use crate::views::{Kept, LineCounts, MatrixCellRow, MeasureFigure, Scored};
use crate::waits::announced;

/// How long one process waits for another that is writing.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);
/// Readers of one process.
const READERS_MAX: u32 = 4;
/// What the one writer of a process remembers of the file, in KiB: the pages at which rows of a
/// batch go into the indexes, so that they are not read again for every batch.
const WRITER_CACHE: &str = "-6000";
/// The log goes into the file after so many pages. A page that several commits change in between
/// goes there once.
const CHECKPOINT_PAGES: &str = "4000";
/// Statements that stay prepared: some twenty, each for 1, 2, 4… 64 rows.
const PREPARED_MAX: usize = 200;
/// Connections of one process to PostgreSQL.
const CONNECTIONS_MAX: u32 = 8;
/// What PostgreSQL is told of each: our statements look up by keys, and a plan that is made once
/// serves them all. Made anew for each question, the plan of a page takes longer than its rows.
/// Servers that do not know a setting are left as they are.
const SETTINGS: [&str; 2] = ["SET plan_cache_mode = force_generic_plan", "SET jit = off"];
/// Rows that SQLite reads ahead of whoever takes them; with fewer, the two threads wait for each
/// other every few rows.
const ROWS_AHEAD: usize = 1_024;
/// How long to wait for one of them, or for a server that is gone.
const CONNECTION_PATIENCE: Duration = Duration::from_secs(10);
/// A connection that is idle for so short a time is taken as it is.
const FRESH: Duration = Duration::from_millis(100);

/// A database in which everything is kept. Several processes may have it open at once.
#[derive(Debug)]
pub struct Store {
    pub(crate) database: Database,
    pub(crate) queue: Queue,
    pub(crate) send_ids: SendIds,
    pub(crate) figures: Kept<Vec<MeasureFigure>>,
    pub(crate) scores: Kept<Scored>,
    pub(crate) cells: Kept<Vec<MatrixCellRow>>,
    pub(crate) counts: Kept<Vec<u64>>,
    pub(crate) line_counts: Kept<LineCounts>,
    pub(crate) names: KeptNames,
    pub(crate) watch: Watch,
    place: Place,
}

/// What a migration did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Migrated {
    /// The version the tables were at; 0 is an empty database.
    pub from: i64,
    /// The version they are at now.
    pub to: i64,
}

impl Store {
    /// Opens a store: a file, which is made if there is none, or `postgres://…`. A fresh one
    /// gets its tables; one of an older program is refused as [`StoreError::Outdated`].
    pub async fn open(place: impl Into<Place>) -> Result<Self, StoreError> {
        let place = place.into();
        let version = prepare(&place, When::Fresh).await?;
        if version != 0 {
            check_version(&place, version)?;
        }
        let (database, watch) = match &place {
            Place::Sqlite(path) => sqlite(path),
            Place::Postgres(url) => (postgres(&place, url)?, Watch::default()),
        };
        Ok(Self::over(database, watch, place))
    }

    /// Opens a store that is there, to read it: nothing is made, changed or locked, and neither
    /// a folder nor a role that may only be read is in the way. Whatever writes is refused.
    pub async fn open_to_read(place: impl Into<Place>) -> Result<Self, StoreError> {
        let place = place.into();
        exists(&place)?;
        if let Place::Sqlite(path) = &place
            && is_of_another_program(path).await
        {
            return Err(StoreError::NotAStore(place));
        }
        let (database, watch) = match &place {
            Place::Sqlite(path) => sqlite_to_read(&place, path).await?,
            Place::Postgres(url) => {
                // A pool would go on trying; one connection says at once what is wrong.
                connected(&place, url).await?.close().await?;
                (postgres(&place, url)?, Watch::default())
            }
        };
        let version = migrations::version(&database).await?;
        if version > LATEST {
            return Err(StoreError::Newer { place, version, known: LATEST });
        }
        check_version(&place, version)?;
        Ok(Self::over(database, watch, place))
    }

    fn over(database: Database, watch: Watch, place: Place) -> Self {
        Self {
            queue: Queue::new(database.clone()),
            database,
            send_ids: SendIds::new(),
            // Runs, each with some 300 bytes a measure: a few megabytes.
            figures: Kept::new(10_000),
            // Subjects of some 100 bytes: ten megabytes.
            scores: Kept::new(100_000),
            // Results of some 80 bytes: sixteen megabytes.
            cells: Kept::new(200_000),
            // Some 200 bytes each.
            counts: Kept::new(10_000),
            line_counts: Kept::new(10_000),
            names: KeptNames::default(),
            watch,
            place,
        }
    }

    /// Opens a store that is there: a file that is not is no store, instead of an empty one.
    pub async fn open_existing(place: impl Into<Place>) -> Result<Self, StoreError> {
        let place = place.into();
        exists(&place)?;
        Self::open(place).await
    }

    /// The version of the tables of a store that is there; 0 is an empty database.
    pub async fn version(place: impl Into<Place>) -> Result<i64, StoreError> {
        let place = place.into();
        exists(&place)?;
        prepare(&place, When::Never).await
    }

    /// The version of the tables that this program makes.
    pub fn latest_version() -> i64 {
        LATEST
    }

    /// The first version of the tables that a release made; below it are unreleased builds.
    pub fn first_version() -> i64 {
        FIRST
    }

    /// Brings the tables of a store up to date. If another process is doing so, waits for it.
    pub async fn migrate(place: impl Into<Place>) -> Result<Migrated, StoreError> {
        let place = place.into();
        let from = prepare(&place, When::Now).await?;
        if from != 0 && from < FIRST {
            return Err(StoreError::Unreleased { place });
        }
        Ok(Migrated { from, to: LATEST.max(from) })
    }

    /// Copies everything to a file that is not there yet, as it is at this moment and while
    /// others go on. Only SQLite: a PostgreSQL server has tools of its own.
    #[boxed]
    pub async fn backup(&self, to: &Path) -> Result<(), StoreError> {
        if to.exists() {
            return Err(StoreError::Refused(format!("{} already exists", to.display())));
        }
        // SQLite would make it readable by everybody; a file that is there it takes while empty.
        private_file(to).map_err(|error| {
            StoreError::Refused(format!("{} cannot be written: {error}", to.display()))
        })?;
        let name = to.to_string_lossy();
        let copied = self.database.fetch("VACUUM INTO $1", &crate::value::values![&*name]).await;
        if copied.is_err() {
            // What is left is no copy of anything.
            let _ = fs::remove_file(to);
        }
        copied.map(drop)
    }

    /// Has what is to be written wait for a server that went away, for so long; otherwise it is
    /// an error at once. For processes that outlive a restart of their database.
    pub fn be_patient(&self, patience: Duration) {
        self.queue.be_patient(patience);
    }

    /// Where it is.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Writes what was asked for, then closes. Dropping a store loses nothing either; this
    /// also waits for it.
    pub async fn close(self) {
        self.queue.close().await;
        self.watch.close().await;
        self.database.close().await;
    }
}

/// Refuses tables of an older program.
fn check_version(place: &Place, version: i64) -> Result<(), StoreError> {
    let place = place.clone();
    match version {
        LATEST.. => Ok(()),
        1..FIRST => Err(StoreError::Unreleased { place }),
        _ => Err(StoreError::Outdated { place, version, wanted: LATEST }),
    }
}

fn supported(place: &Place) -> Result<(), StoreError> {
    match place.unknown_scheme() {
        Some(scheme) => Err(StoreError::Scheme { scheme: scheme.to_owned() }),
        None => Ok(()),
    }
}

fn exists(place: &Place) -> Result<(), StoreError> {
    supported(place)?;
    match place {
        Place::Sqlite(path) if !path.exists() => {
            Err(StoreError::Missing { what: "store", id: place.to_string() })
        }
        _ => Ok(()),
    }
}

/// Connects once to look at the tables, and makes them if it is time.
async fn prepare(place: &Place, when: When) -> Result<i64, StoreError> {
    supported(place)?;
    if let Place::Sqlite(path) = place
        && is_of_another_program(path).await
    {
        return Err(StoreError::NotAStore(place.clone()));
    }
    if let Place::Sqlite(path) = place
        && when != When::Never
    {
        make_private(path);
    }
    announced(PATIENCE, prepare_patiently(place, when)).await
}

/// A fresh file that another process is making at the same moment is busy without a wait; the
/// patience is for all attempts together.
async fn prepare_patiently(place: &Place, when: When) -> Result<i64, StoreError> {
    let begun = time::Instant::now();
    loop {
        let prepared = match place {
            Place::Sqlite(path) => prepare_sqlite(place, path, when).await,
            Place::Postgres(url) => prepare_postgres(place, url, when).await,
        };
        match prepared {
            Err(StoreError::Locked(_)) if begun.elapsed() < PATIENCE => {
                time::sleep(Duration::from_millis(50)).await;
            }
            prepared => return prepared,
        }
    }
}

/// Makes a file that only its owner may read: it will hold documents and what models said of
/// them. One that is there keeps the rights it has. If it cannot be made, opening it says why.
fn make_private(path: &Path) {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let _ = options.open(path);
}

/// Whether a file holds tables and the first of our steps was never taken there. It is opened
/// for reading only: opening it as a store would change it before anybody could say no. Where
/// this look fails, opening it fails too and says why.
async fn is_of_another_program(path: &Path) -> bool {
    if !path.metadata().is_ok_and(|metadata| metadata.len() > 0) {
        return false;
    }
    let options = SqliteConnectOptions::new().filename(path).read_only(true);
    let Ok(mut connection) = options.disable_statement_logging().connect().await else {
        return false;
    };
    let tables = "SELECT name = '_sqlx_migrations' FROM sqlite_schema WHERE type = 'table'";
    let tables = sqlx::query_scalar::<_, bool>(tables).fetch_all(&mut connection).await;
    let ours = "SELECT COUNT(*) > 0 FROM _sqlx_migrations WHERE description IN ($1, $2)";
    let is_foreign = match tables.unwrap_or_default() {
        none if none.is_empty() => false,
        tables if !tables.contains(&true) => true,
        _ => {
            let ours = sqlx::query_scalar::<_, bool>(ours).bind(FIRST_STEP).bind(UNRELEASED_STEP);
            ours.fetch_one(&mut connection).await.is_ok_and(|is_ours| !is_ours)
        }
    };
    let _ = connection.close().await;
    is_foreign
}

async fn prepare_sqlite(place: &Place, path: &Path, when: When) -> Result<i64, StoreError> {
    // A step may add a column that refers to another table; SQLite allows it only while it
    // does not look, and is made to look at everything at the end.
    let options = sqlite_options(path).foreign_keys(false);
    let mut connection = options.connect().await.map_err(|error| unopened(place, error))?;
    let version = migrate_sqlite(&mut connection, when).await;
    let version = version.map_err(|error| foreign(place, error))?;
    connection.close().await?;
    Ok(version)
}

async fn prepare_postgres(place: &Place, url: &str, when: When) -> Result<i64, StoreError> {
    let mut connection = connected(place, url).await?;
    let version = migrate_postgres(&mut connection, when).await;
    let version = version.map_err(|error| foreign(place, error))?;
    connection.close().await?;
    Ok(version)
}

/// One connection, which says at once what is wrong.
pub(crate) async fn connected(place: &Place, url: &str) -> Result<PgConnection, StoreError> {
    let options = postgres_options(place, url)?;
    let connecting = time::timeout(CONNECTION_PATIENCE, options.connect()).await;
    let connecting = connecting.unwrap_or(Err(sqlx::Error::PoolTimedOut));
    connecting.map_err(|error| unopened(place, error))
}

fn sqlite_options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(PATIENCE)
        .foreign_keys(true)
        .row_buffer_size(ROWS_AHEAD)
        .disable_statement_logging()
}

fn sqlite(path: &Path) -> (Database, Watch) {
    let options = sqlite_options(path).create_if_missing(false);
    let reading = options.clone().read_only(true);
    let database = Database::Sqlite {
        readers: sqlite_pool(READERS_MAX).connect_lazy_with(reading.clone()),
        writer: sqlite_pool(1).connect_lazy_with(writing(options)),
    };
    (database, Watch::over(reading))
}

/// For many small batches: what can be undone of a statement stays in memory instead of in a
/// file of its own, the log is carried over less often, and statements stay prepared.
fn writing(options: SqliteConnectOptions) -> SqliteConnectOptions {
    options
        .pragma("temp_store", "MEMORY")
        .pragma("cache_size", WRITER_CACHE)
        .pragma("wal_autocheckpoint", CHECKPOINT_PAGES)
        .statement_cache_capacity(PREPARED_MAX)
}

fn sqlite_pool(connections: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(connections)
        .min_connections(0)
        .acquire_timeout(PATIENCE)
        .idle_timeout(None)
        .max_lifetime(None)
        // A file does not hang up.
        .test_before_acquire(false)
        // SQLite takes a transaction back by itself when the disk is full; the connection then
        // believes for ever that one is open, and begins no other.
        .before_acquire(|connection, _| {
            let is_usable = !connection.is_in_transaction();
            Box::pin(async move { Ok(is_usable) })
        })
}

/// A file that is only read. Where nothing can be written beside it, SQLite cannot keep its
/// index of the log there and must be told that the file does not change; that is only true if
/// there is no log.
async fn sqlite_to_read(place: &Place, path: &Path) -> Result<(Database, Watch), StoreError> {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .read_only(true)
        .busy_timeout(PATIENCE)
        .row_buffer_size(ROWS_AHEAD)
        .disable_statement_logging();
    let look = async |options: &SqliteConnectOptions| -> Result<(), sqlx::Error> {
        let mut connection = options.connect().await?;
        sqlx::query("SELECT COUNT(*) FROM sqlite_schema").fetch_one(&mut connection).await?;
        connection.close().await
    };
    let has_log = || {
        let mut log = path.as_os_str().to_owned();
        log.push("-wal");
        Path::new(&log).metadata().is_ok_and(|metadata| metadata.len() > 0)
    };
    let options = match look(&options).await {
        Ok(()) => options,
        Err(_) if !has_log() => {
            let unchanging = options.immutable(true);
            look(&unchanging).await.map_err(|error| unopened(place, error))?;
            unchanging
        }
        Err(error) => return Err(unopened(place, error)),
    };
    let database = Database::Sqlite {
        readers: sqlite_pool(READERS_MAX).connect_lazy_with(options.clone()),
        writer: sqlite_pool(1).connect_lazy_with(options.clone()),
    };
    Ok((database, Watch::over(options)))
}

/// Connections to a database as it is, whoever made it.
pub(crate) async fn database_at(place: &Place) -> Result<Database, StoreError> {
    exists(place)?;
    match place {
        Place::Sqlite(path) => {
            // Not as a log beside the file: that would change it before anybody agreed.
            let options = SqliteConnectOptions::new()
                .filename(path)
                .busy_timeout(PATIENCE)
                .disable_statement_logging();
            let pool = |width| sqlite_pool(width).connect_lazy_with(options.clone());
            Ok(Database::Sqlite { readers: pool(1), writer: pool(1) })
        }
        Place::Postgres(url) => {
            // A pool would go on trying; one connection says at once what is wrong.
            connected(place, url).await?.close().await?;
            postgres(place, url)
        }
    }
}

fn postgres_options(place: &Place, url: &str) -> Result<PgConnectOptions, StoreError> {
    let options: PgConnectOptions = url.parse().map_err(|error| unopened(place, error))?;
    Ok(options.application_name("assize").disable_statement_logging())
}

fn postgres(place: &Place, url: &str) -> Result<Database, StoreError> {
    let options = postgres_options(place, url)?;
    let pool = PgPoolOptions::new()
        .max_connections(CONNECTIONS_MAX)
        .min_connections(0)
        .acquire_timeout(CONNECTION_PATIENCE)
        // A connection that was used just now is not asked whether it is still there: that is
        // one question more for each that somebody asks.
        .test_before_acquire(false)
        .after_connect(|connection, _| {
            Box::pin(async move {
                for setting in SETTINGS {
                    let _ = sqlx::query(setting).execute(&mut *connection).await;
                }
                CONNECTED.fetch_add(1, Ordering::Release);
                Ok(())
            })
        })
        .before_acquire(|connection, meta| {
            Box::pin(async move {
                if meta.idle_for > FRESH {
                    connection.ping().await?;
                }
                Ok(true)
            })
        })
        .connect_lazy_with(options);
    Ok(Database::Postgres(pool))
}

fn unopened(place: &Place, error: sqlx::Error) -> StoreError {
    const NOT_A_DATABASE: &str = "26";
    if is_locked(&error) {
        return StoreError::Locked(PATIENCE);
    }
    if matches!(place, Place::Sqlite(_)) && code(&error).as_deref() == Some(NOT_A_DATABASE) {
        return StoreError::NotAStore(place.clone());
    }
    StoreError::Unopened { place: place.clone(), source: Arc::new(error) }
}

/// What a failed step means.
pub(crate) fn foreign(place: &Place, error: MigrateError) -> StoreError {
    match error {
        MigrateError::Execute(error) => unopened(place, error),
        error => StoreError::Foreign { place: place.clone(), source: Arc::new(error) },
    }
}
