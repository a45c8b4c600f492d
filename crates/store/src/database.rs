//! The two databases, and the only lines that know there are two.
//!
//! One SQL text with `$1` serves both. Only the words of the migrations differ.

use async_recursion::async_recursion as boxed;
use serde_json::Value as Json;
use sqlx::postgres::{PgPool, PgRow};
use sqlx::sqlite::{SqlitePool, SqliteRow};
use sqlx::{AssertSqlSafe, Decode, Postgres, Row as _, Sqlite, Type};

use crate::batch::{numbered_places, pieces, plain_places};
use crate::error::{Result, StoreError};
use crate::record::Record;
use crate::store::PATIENCE;
use crate::value::Value;
use crate::waits::announced;
use crate::writable::counted;

/// Connections to one database.
#[derive(Debug, Clone)]
pub(crate) enum Database {
    /// SQLite has one writer at a time; waiting for it in line is quicker than trying again.
    Sqlite { readers: SqlitePool, writer: SqlitePool },
    /// PostgreSQL has as many as the pool is wide.
    Postgres(PgPool),
}

/// What is written together or not at all; dropped without [`Transaction::commit`], it never
/// happened.
#[derive(Debug)]
pub(crate) enum Transaction {
    Sqlite(sqlx::Transaction<'static, Sqlite>),
    Postgres(sqlx::Transaction<'static, Postgres>),
}

/// A row of either.
#[derive(Debug)]
pub(crate) enum Row {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

/// Asks the same of whichever it is, and says of which kind the rows are.
macro_rules! on_either {
    ($sqlite:pat, $postgres:pat = $which:expr => $rows:expr) => {
        match $which {
            $sqlite => $rows.into_iter().map(Row::Sqlite).collect(),
            $postgres => $rows.into_iter().map(Row::Postgres).collect(),
        }
    };
}

/// A query with its values.
macro_rules! bound {
    ($sql:expr, $values:expr) => {{
        let mut query = sqlx::query(AssertSqlSafe($sql.to_owned()));
        for value in $values {
            query = match value {
                Value::Text(text) => query.bind(text.as_deref()),
                Value::Integer(number) => query.bind(*number),
                Value::Real(number) => query.bind(*number),
                Value::Boolean(truth) => query.bind(*truth),
                Value::Time(time) => query.bind(*time),
                Value::Json(json) => query.bind(json.as_deref().map(sqlx::types::Json)),
                Value::Blob(bytes) => query.bind(bytes.as_deref()),
            };
        }
        query
    }};
}

impl Database {
    /// All rows that a question finds.
    #[boxed]
    pub(crate) async fn fetch(&self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>> {
        announced(PATIENCE, async {
            Ok(on_either!(Self::Sqlite { readers: pool, .. }, Self::Postgres(pool) = self =>
                bound!(sql, values).fetch_all(pool).await?))
        })
        .await
    }

    /// The row that a question finds, if there is one.
    #[boxed]
    pub(crate) async fn fetch_optional(
        &self,
        sql: &str,
        values: &[Value<'_>],
    ) -> Result<Option<Row>> {
        Ok(self.fetch(sql, values).await?.into_iter().next())
    }

    /// The record that a question finds, if there is one.
    pub(crate) async fn find<T: Record>(
        &self,
        sql: &str,
        values: &[Value<'_>],
    ) -> Result<Option<T>> {
        self.fetch_optional(sql, values).await?.as_ref().map(T::read).transpose()
    }

    /// The records that a question finds.
    pub(crate) async fn list<T: Record>(&self, sql: &str, values: &[Value<'_>]) -> Result<Vec<T>> {
        self.fetch(sql, values).await?.iter().map(T::read).collect()
    }

    /// Begins to write.
    #[boxed]
    pub(crate) async fn begin(&self) -> Result<Transaction> {
        announced(PATIENCE, async {
            Ok(match self {
                Self::Sqlite { writer, .. } => {
                    Transaction::Sqlite(counted(writer.begin_with("BEGIN IMMEDIATE").await)?)
                }
                Self::Postgres(pool) => Transaction::Postgres(counted(pool.begin().await)?),
            })
        })
        .await
    }

    /// Begins to read everything as it is at this moment.
    #[boxed]
    pub(crate) async fn snapshot(&self) -> Result<Transaction> {
        Ok(match self {
            Self::Sqlite { readers, .. } => Transaction::Sqlite(readers.begin().await?),
            Self::Postgres(pool) => {
                let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
                Transaction::Postgres(pool.begin_with(begin).await?)
            }
        })
    }

    /// What the database itself finds wrong with its file; a server looks after its own.
    #[boxed]
    pub(crate) async fn integrity(&self) -> Result<Vec<String>> {
        let Self::Sqlite { .. } = self else { return Ok(Vec::new()) };
        let rows = self.fetch("PRAGMA integrity_check", &[]).await?;
        let words: Result<Vec<String>, _> =
            rows.iter().map(|row| row.get("integrity_check")).collect();
        Ok(words?.into_iter().filter(|word| word != "ok").collect())
    }

    /// Rewrites a file without what was deleted from it, and empties its log: until then both hold
    /// what nobody can ask for. A server looks after its own.
    #[boxed]
    pub(crate) async fn forget_deleted(&self) -> Result<()> {
        let Self::Sqlite { writer, .. } = self else { return Ok(()) };
        counted(sqlx::query("VACUUM").execute(writer).await)?;
        let emptied = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(writer).await?;
        if emptied.try_get::<i64, _>("busy")? != 0 {
            return Err(StoreError::Locked(PATIENCE));
        }
        Ok(())
    }

    /// Writes one statement. Returns how many rows it touched.
    #[boxed]
    pub(crate) async fn execute(&self, sql: &str, values: &[Value<'_>]) -> Result<u64> {
        let mut transaction = self.begin().await?;
        let touched = transaction.execute(sql, values).await?;
        transaction.commit().await?;
        Ok(touched)
    }

    /// Adds one record.
    pub(crate) async fn put<T: Record>(&self, table: &str, record: &T) -> Result<()> {
        let mut transaction = self.begin().await?;
        transaction.put(table, std::slice::from_ref(record), "").await?;
        transaction.commit().await
    }

    /// Writes a statement about one thing, which must be there.
    pub(crate) async fn change(
        &self,
        sql: &str,
        values: &[Value<'_>],
        (what, id): (&'static str, &impl ToString),
    ) -> Result<()> {
        match self.execute(sql, values).await? {
            0 => Err(StoreError::Missing { what, id: id.to_string() }),
            _ => Ok(()),
        }
    }

    /// SQL for this moment, by the clock of the database: processes on several machines have
    /// several clocks, and a lease must not depend on whose is right.
    pub(crate) fn now(&self) -> &'static str {
        match self {
            Self::Sqlite { .. } => "strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')",
            // Not `now()`, which is the beginning of the transaction.
            Self::Postgres(_) => "clock_timestamp()",
        }
    }

    /// SQL for a moment from now, by the same clock; `seconds` is the place of a number.
    pub(crate) fn moment(&self, seconds: &str) -> String {
        match self {
            Self::Sqlite { .. } => format!(
                "strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now', \
                 CAST({seconds} AS TEXT) || ' seconds')"
            ),
            Self::Postgres(_) => format!("clock_timestamp() + make_interval(secs => {seconds})"),
        }
    }

    /// Whether one writer at a time is all there is: then nobody waits for anybody in a ring.
    pub(crate) fn has_one_writer(&self) -> bool {
        matches!(self, Self::Sqlite { .. })
    }

    /// SQL for the seconds from a moment in a column to now, by the same clock.
    pub(crate) fn seconds_since(&self, column: &str) -> String {
        match self {
            Self::Sqlite { .. } => {
                format!("((julianday('now') - julianday({column})) * 86400.0)")
            }
            Self::Postgres(_) => {
                format!(
                    "CAST(EXTRACT(EPOCH FROM clock_timestamp() - {column}) AS DOUBLE PRECISION)"
                )
            }
        }
    }

    /// SQL that keeps the chosen rows from others until the transaction ends.
    pub(crate) fn for_update(&self) -> &'static str {
        match self {
            Self::Sqlite { .. } => "",
            Self::Postgres(_) => "FOR UPDATE",
        }
    }

    /// SQL that keeps the chosen rows from others and passes over those that others keep.
    /// SQLite has one writer at a time and needs no word for it.
    pub(crate) fn skip_locked(&self) -> &'static str {
        match self {
            Self::Sqlite { .. } => "",
            Self::Postgres(_) => "FOR UPDATE SKIP LOCKED",
        }
    }

    /// Waits for whoever is using it, then closes.
    #[boxed]
    pub(crate) async fn close(&self) {
        match self {
            Self::Sqlite { readers, writer } => {
                readers.close().await;
                writer.close().await;
            }
            Self::Postgres(pool) => pool.close().await,
        }
    }
}

impl Transaction {
    /// Writes one statement. Returns how many rows it touched.
    #[boxed]
    pub(crate) async fn execute(&mut self, sql: &str, values: &[Value<'_>]) -> Result<u64> {
        Ok(match self {
            Self::Sqlite(inner) => {
                counted(bound!(sql, values).execute(&mut **inner).await)?.rows_affected()
            }
            Self::Postgres(inner) => {
                counted(bound!(sql, values).execute(&mut **inner).await)?.rows_affected()
            }
        })
    }

    /// All rows that a question finds, or that a statement returns.
    #[boxed]
    pub(crate) async fn fetch(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>> {
        Ok(on_either!(Self::Sqlite(inner), Self::Postgres(inner) = self =>
            counted(bound!(sql, values).fetch_all(&mut **inner).await)?))
    }

    /// The row that a question finds, if there is one.
    #[boxed]
    pub(crate) async fn fetch_optional(
        &mut self,
        sql: &str,
        values: &[Value<'_>],
    ) -> Result<Option<Row>> {
        Ok(self.fetch(sql, values).await?.into_iter().next())
    }

    /// The record that a question finds, if there is one.
    pub(crate) async fn find<T: Record>(
        &mut self,
        sql: &str,
        values: &[Value<'_>],
    ) -> Result<Option<T>> {
        self.fetch_optional(sql, values).await?.as_ref().map(T::read).transpose()
    }

    /// Inserts records. `ending` is that of [`Transaction::insert`].
    pub(crate) async fn put<T: Record>(
        &mut self,
        table: &str,
        records: &[T],
        ending: &str,
    ) -> Result<Vec<Row>> {
        let rows: Vec<_> = records.iter().map(Record::values).collect();
        self.insert(table, T::COLUMNS, &rows, ending).await
    }

    /// Inserts rows, several in a statement. `ending` is what follows the values:
    /// `ON CONFLICT …`, `RETURNING …`. Returns what the statements return.
    pub(crate) async fn insert<'v>(
        &mut self,
        table: &str,
        columns: &[&str],
        rows: &[impl AsRef<[Value<'v>]>],
        ending: &str,
    ) -> Result<Vec<Row>> {
        let mut returned = Vec::new();
        for piece in pieces(rows) {
            let sql = format!(
                "INSERT INTO {table} ({}) VALUES {} {ending}",
                columns.join(", "),
                self.places(piece.len(), columns.len())
            );
            let values: Vec<&Value<'v>> = piece.iter().flat_map(AsRef::as_ref).collect();
            returned.extend(self.inserted(&sql, &values).await?);
        }
        Ok(returned)
    }

    /// What one statement of [`Transaction::insert`] returns; apart from it so that it is compiled once.
    #[boxed]
    async fn inserted(&mut self, sql: &str, values: &[&Value<'_>]) -> Result<Vec<Row>> {
        Ok(on_either!(Self::Sqlite(inner), Self::Postgres(inner) = self =>
            counted(bound!(sql, values).fetch_all(&mut **inner).await)?))
    }

    /// Places for so many rows of so many columns, in a statement that has no others.
    pub(crate) fn places(&self, rows: usize, columns: usize) -> String {
        match self {
            Self::Sqlite(_) => plain_places(rows, columns),
            Self::Postgres(_) => numbered_places(rows, columns),
        }
    }

    /// Makes it so.
    #[boxed]
    pub(crate) async fn commit(self) -> Result<()> {
        match self {
            Self::Sqlite(inner) => counted(inner.commit().await),
            Self::Postgres(inner) => counted(inner.commit().await),
        }
    }
}

impl Row {
    /// The value of a column.
    pub(crate) fn get<'r, T>(&'r self, column: &str) -> Result<T>
    where
        T: Decode<'r, Sqlite> + Type<Sqlite> + Decode<'r, Postgres> + Type<Postgres>,
    {
        Ok(match self {
            Self::Sqlite(row) => row.try_get(column)?,
            Self::Postgres(row) => row.try_get(column)?,
        })
    }

    /// The JSON of a column, if it has one.
    pub(crate) fn json(&self, column: &str) -> Result<Option<Json>> {
        let json: Option<sqlx::types::Json<Json>> = self.get(column)?;
        Ok(json.map(|sqlx::types::Json(json)| json))
    }

    pub(crate) fn count(&self, column: &str) -> Result<u64> {
        Ok(self.get::<i64>(column)?.unsigned_abs())
    }
}
