//! Taking over a database of the program that the compliance tables come from: UUIDs for ids,
//! texts for results, a status for each, and no table of migrations.
//!
//! Its tables move to a schema of their own and stay as they are, so that nothing is lost that
//! we do not know. What we know is copied into tables of the version that had texts and statuses
//! ([`TEXTS`]), and the steps from there on convert it: the same conversion as for our own old
//! databases. All of it is one transaction; a dry run does the same and takes it back.

mod columns;
mod copies;
mod later;

use sqlx::Connection;
use sqlx::postgres::PgConnection;

use self::columns::Columns;
use crate::error::StoreError;
use crate::migrations::{LATEST, steps_postgres};
use crate::place::Place;
use crate::store::{Store, connected, foreign};
use crate::tables::TABLES;

/// Where the tables of the origin are kept.
pub const ORIGIN: &str = "assize_origin";

/// The last version with texts for results and a status for each.
const TEXTS: i64 = 2;

/// Tables of the origin that are read.
const READ: [&str; 8] = [
    "eval_criteria_sets",
    "eval_criteria_items",
    "eval_status_options",
    "eval_org_status_options",
    "eval_sys_status_options",
    "eval_doc_summaries",
    "eval_criteria_results",
    "eval_result_edits",
];

/// Without these there is nothing to take over.
const NEEDED: [&str; 4] =
    ["eval_criteria_sets", "eval_criteria_items", "eval_doc_summaries", "eval_criteria_results"];

/// A table of the origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundTable {
    /// Its name.
    pub name: String,
    /// How many rows it has.
    pub rows: u64,
    /// Whether its rows are copied; the others are only kept.
    pub is_read: bool,
}

/// What was found and made.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Adopted {
    /// The tables of the origin.
    pub found: Vec<FoundTable>,
    /// What was made of them: in words, and how many.
    pub made: Vec<(&'static str, u64)>,
    /// What a person should know.
    pub notes: Vec<String>,
}

impl Store {
    /// Takes over the database of the origin, or only tries to: then nothing is changed.
    pub async fn adopt(place: impl Into<Place>, is_trial: bool) -> Result<Adopted, StoreError> {
        let place = place.into();
        let Place::Postgres(url) = &place else {
            let because = "only a PostgreSQL database can be taken over: use postgres://…";
            return Err(StoreError::Refused(because.to_owned()));
        };
        let mut connection = connected(&place, url).await?;
        let mut transaction = connection.begin().await?;
        let adopted = convert(&mut transaction, &place).await;
        match (&adopted, is_trial) {
            (Ok(_), false) => transaction.commit().await?,
            _ => transaction.rollback().await?,
        }
        connection.close().await?;
        adopted
    }
}

async fn convert(connection: &mut PgConnection, place: &Place) -> Result<Adopted, StoreError> {
    // Times without a zone were written by servers, whose zone is UTC.
    execute(connection, "SET LOCAL TIME ZONE 'UTC'").await?;
    let columns = Columns::of(connection).await?;
    check(&columns)?;
    let mut adopted = Adopted { found: found(connection, &columns).await?, ..Adopted::default() };
    let unread = adopted.found.iter().filter(|table| !table.is_read && table.rows > 0);
    let unread: Vec<&str> = unread.map(|table| table.name.as_str()).collect();
    if !unread.is_empty() {
        adopted.notes.push(format!("kept unchanged, not converted: {}", unread.join(", ")));
    }
    execute(connection, &format!("CREATE SCHEMA {ORIGIN}")).await?;
    for table in &adopted.found {
        // Only names that begin with eval_ and were listed by the database itself.
        let name = table.name.replace('"', "\"\"");
        execute(connection, &format!("ALTER TABLE \"{name}\" SET SCHEMA {ORIGIN}")).await?;
    }
    steps_postgres(connection, TEXTS).await.map_err(|error| foreign(place, error))?;
    copies::copy(connection, &columns, &mut adopted).await?;
    steps_postgres(connection, LATEST).await.map_err(|error| foreign(place, error))?;
    later::complete(connection, &columns, &mut adopted).await?;
    Ok(adopted)
}

/// Whether this is such a database, and nobody else's tables are in the way.
fn check(columns: &Columns) -> Result<(), StoreError> {
    let refused = |because: String| Err(StoreError::Refused(because));
    if columns.has("_sqlx_migrations") {
        return refused("this database has a migrations table and cannot be taken over".to_owned());
    }
    let missing: Vec<&str> = NEEDED.into_iter().filter(|name| !columns.has(name)).collect();
    if !missing.is_empty() {
        return refused(format!(
            "this is not a database of the older system: it has no {}",
            missing.join(", ")
        ));
    }
    let ours = TABLES.iter().map(|table| table.name).filter(|name| !name.starts_with("eval_"));
    let taken: Vec<&str> = ours.filter(|name| columns.has(name)).collect();
    if !taken.is_empty() {
        return refused(format!(
            "table names needed by Assize are already in use: {}; copy the eval_ tables to a \
             separate database and take that over",
            taken.join(", ")
        ));
    }
    columns.complete()
}

async fn found(
    connection: &mut PgConnection,
    columns: &Columns,
) -> Result<Vec<FoundTable>, StoreError> {
    let mut found = Vec::new();
    for name in columns.tables().filter(|name| name.starts_with("eval_")) {
        let sql = format!("SELECT COUNT(*) FROM \"{}\"", name.replace('"', "\"\""));
        let rows = count(connection, &sql).await?;
        let is_read = READ.contains(&name);
        found.push(FoundTable { name: name.to_owned(), rows, is_read });
    }
    Ok(found)
}

/// Runs a statement that was put together here. Returns how many rows it touched.
async fn execute(connection: &mut PgConnection, sql: &str) -> Result<u64, StoreError> {
    let statement = sqlx::query(sqlx::AssertSqlSafe(sql.to_owned()));
    Ok(statement.execute(connection).await?.rows_affected())
}

/// The number that a question finds.
async fn count(connection: &mut PgConnection, sql: &str) -> Result<u64, StoreError> {
    let question = sqlx::query_scalar::<_, i64>(sqlx::AssertSqlSafe(sql.to_owned()));
    Ok(question.fetch_one(connection).await?.unsigned_abs())
}
