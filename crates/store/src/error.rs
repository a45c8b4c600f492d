//! What can go wrong with a store.

use std::sync::Arc;
use std::time::Duration;

use sqlx::error::{DatabaseError, ErrorKind};
use thiserror::Error;

use crate::place::Place;
use crate::store::PATIENCE;

/// A result with this error, unless another is named.
pub(crate) type Result<T, E = StoreError> = std::result::Result<T, E>;

/// Why something could not be kept or found.
#[derive(Debug, Clone, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The file cannot be opened or made, or the server does not let us in.
    #[error("could not open the database {place}")]
    Unopened {
        /// Which store.
        place: Place,
        /// Why.
        #[source]
        source: Arc<sqlx::Error>,
    },
    /// The address is that of another kind of database.
    #[error("`{scheme}` databases are not supported: use a SQLite file, or postgres://…")]
    Scheme {
        /// What stands before `://`; the rest may hold a password.
        scheme: String,
    },
    /// The file is something else.
    #[error("{0} is not an Assize database: use a different file")]
    NotAStore(Place),
    /// It was made by a newer program, or its tables were changed by hand.
    #[error("the schema of {place} is unknown to this program; it may be from a newer version")]
    Foreign {
        /// Which store.
        place: Place,
        /// What differs.
        #[source]
        source: Arc<sqlx::migrate::MigrateError>,
    },
    /// It was made by an older program.
    #[error(
        "the schema version of {place} is {version}, this program needs {wanted}: make a backup, \
         then run `assize db migrate`"
    )]
    Outdated {
        /// Which store.
        place: Place,
        /// What it is at.
        version: i64,
        /// What it must be at.
        wanted: i64,
    },
    /// It was made before the first release.
    #[error(
        "{place} was made by an unreleased build of Assize and cannot be upgraded: export what you \
         need with that build, and start a new database"
    )]
    Unreleased {
        /// Which store.
        place: Place,
    },
    /// It was made by a newer program.
    #[error(
        "the tables of {place} are of version {version}, this program knows {known}: update it"
    )]
    Newer {
        /// Which store.
        place: Place,
        /// What it is at.
        version: i64,
        /// What is known here.
        known: i64,
    },
    /// Nobody answers any more: the server stopped, the network is down.
    #[error("lost the connection to the database; committed data is safe")]
    Unreachable(#[source] Arc<sqlx::Error>),
    /// It did not work out: a full disk, a lock held too long.
    #[error("the database failed")]
    Failed(#[source] Arc<sqlx::Error>),
    /// Another process writes, and does not come to an end.
    #[error("the database has been locked by another process for {} seconds", .0.as_secs())]
    Locked(Duration),
    /// It can be read and not written to.
    #[error("the database is read-only: {}", said(.0))]
    ReadOnly(#[source] Arc<sqlx::Error>),
    /// The store was closed.
    #[error("the database is closed")]
    Closed,
    /// There is no such thing, or not in this organisation.
    #[error("there is no {what} {id}")]
    Missing {
        /// What kind of thing.
        what: &'static str,
        /// Its name.
        id: String,
    },
    /// There is one already.
    #[error("it already exists")]
    Exists(#[source] Arc<sqlx::Error>),
    /// Something else hangs on it, or it hangs on something that is not there.
    #[error("other data refers to it")]
    Attached(#[source] Arc<sqlx::Error>),
    /// It was used, and what was used does not change.
    #[error("the {what} {id} has been used and can no longer be changed: create a new version")]
    Frozen {
        /// What kind of thing.
        what: &'static str,
        /// Its name.
        id: String,
    },
    /// A value that must not be.
    #[error("refused: {0}")]
    Refused(String),
    /// Without an administrator nobody could make another.
    #[error("this is the last administrator")]
    LastAdministrator,
    /// An export could not be written, or an import not be read.
    #[error("the export could not be written or read")]
    Transfer(#[source] Arc<std::io::Error>),
    /// A file to import that is not an export of ours.
    #[error("line {line} of the import: {because}")]
    Import {
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        because: String,
    },
}

/// Why a server that answers does not let us in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The user or the password is not right.
    Login,
    /// There is no database of that name.
    NoDatabase,
    /// The user lacks a right.
    Privilege,
}

impl StoreError {
    /// Why the server refused to open the database, or to write to it, where it said so.
    pub fn refusal(&self) -> Option<Refusal> {
        let (Self::Unopened { place: Place::Postgres(_), source } | Self::ReadOnly(source)) = self
        else {
            return None;
        };
        match code(source)?.as_str() {
            "28000" | "28P01" => Some(Refusal::Login),
            "3D000" => Some(Refusal::NoDatabase),
            "42501" => Some(Refusal::Privilege),
            _ => None,
        }
    }

    /// Whether the database is to blame, and not what was asked of it.
    pub fn is_failure(&self) -> bool {
        use StoreError as E;
        matches!(
            self,
            E::Unopened { .. }
                | E::Unreachable(_)
                | E::Failed(_)
                | E::Locked(_)
                | E::ReadOnly(_)
                | E::Closed
        )
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        let make = match &error {
            error if is_gone(error) => Self::Unreachable,
            error if is_locked(error) => return Self::Locked(PATIENCE),
            error if is_read_only(error) => Self::ReadOnly,
            error if is_unfit(error) => {
                let because = "a value cannot be stored: PostgreSQL does not support NUL \
                    characters or numbers beyond 64 bits";
                return Self::Refused(because.to_owned());
            }
            sqlx::Error::Database(error) => match error.kind() {
                ErrorKind::UniqueViolation => Self::Exists,
                ErrorKind::ForeignKeyViolation => Self::Attached,
                ErrorKind::CheckViolation | ErrorKind::NotNullViolation => {
                    return Self::Refused(error.message().to_owned());
                }
                _ => Self::Failed,
            },
            _ => Self::Failed,
        };
        make(Arc::new(error))
    }
}

impl From<std::io::Error> for StoreError {
    fn from(error: std::io::Error) -> Self {
        Self::Transfer(Arc::new(error))
    }
}

/// Whether the error is that of a server that went away.
fn is_gone(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed => true,
        // 08: connection exceptions; 57P: the server is shutting down or not up yet.
        sqlx::Error::Database(error) => error
            .try_downcast_ref::<sqlx::postgres::PgDatabaseError>()
            .is_some_and(|error| error.code().starts_with("08") || error.code().starts_with("57P")),
        _ => false,
    }
}

/// Whether another process was in the way for longer than we wait.
pub(crate) fn is_locked(error: &sqlx::Error) -> bool {
    // SQLITE_BUSY and SQLITE_LOCKED.
    matches!(sqlite_code(error), Some(5 | 6))
}

/// Whether the database may be read and not written to.
fn is_read_only(error: &sqlx::Error) -> bool {
    // SQLITE_READONLY; 25006: a transaction that only reads; 42501: a role without the right.
    sqlite_code(error) == Some(8)
        || matches!(code(error).as_deref(), Some("25006" | "42501"))
            && error.as_database_error().is_some_and(|error| {
                error.try_downcast_ref::<sqlx::postgres::PgDatabaseError>().is_some()
            })
}

/// Whether PostgreSQL refuses a value as such: what was asked is to blame, and not the database.
fn is_unfit(error: &sqlx::Error) -> bool {
    // 22021: a character that no text holds; 22P05: the same in JSON; 22003: a number too large.
    matches!(code(error).as_deref(), Some("22021" | "22P05" | "22003"))
}

/// The low byte of whatever extended code SQLite gives.
fn sqlite_code(error: &sqlx::Error) -> Option<u32> {
    let database = error.as_database_error()?;
    database.try_downcast_ref::<sqlx::sqlite::SqliteError>()?;
    database.code()?.parse::<u32>().ok().map(|code| code & 0xff)
}

/// What the database says, without the line of the program that speaks to it.
fn said(error: &sqlx::Error) -> String {
    error.as_database_error().map_or_else(|| error.to_string(), |said| said.message().to_owned())
}

/// The code of the database for an error, if it has one.
pub(crate) fn code(error: &sqlx::Error) -> Option<String> {
    error.as_database_error().and_then(DatabaseError::code).map(std::borrow::Cow::into_owned)
}
