//! Taking over a database of the program that the compliance tables come from: UUIDs for ids,
//! texts for results, a status for each, and no table of migrations.
//!
//! Its tables move aside and stay as they are, so that nothing is lost that we do not know: on
//! PostgreSQL to a schema of their own, on SQLite under another name. What we know is read as JSON,
//! row by row ([`origin`]), and written as runs like ours ([`convert`]). All of it is one
//! transaction; a dry run does the same and takes it back.

mod convert;
mod origin;

use self::origin::{Fields, Origin};
use crate::database::{Database, Transaction};
use crate::error::{Result, StoreError};
use crate::migrations;
use crate::place::Place;
use crate::store::{database_at, foreign};
use crate::tables::TABLES;
use crate::value::values;

/// Where the tables of the origin are kept: a schema, or what their names begin with.
pub const ORIGIN: &str = "assize_origin";

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

impl crate::Store {
    /// Takes over the database of the origin, or only tries to: then nothing is changed.
    pub async fn adopt(place: impl Into<Place>, is_trial: bool) -> Result<Adopted> {
        let place = place.into();
        let database = database_at(&place).await?;
        let mut transaction = database.begin().await?;
        let adopted = take_over(&mut transaction, &database, &place).await;
        if adopted.is_ok() && !is_trial {
            transaction.commit().await?;
        } else {
            // Dropped, it never happened; the connection must know before it is closed.
            drop(transaction);
        }
        database.close().await;
        adopted
    }
}

async fn take_over(
    transaction: &mut Transaction,
    database: &Database,
    place: &Place,
) -> Result<Adopted> {
    let tables = tables(transaction).await?;
    check(&tables)?;
    let mut adopted = Adopted::default();
    for name in tables.iter().filter(|name| name.starts_with("eval_")) {
        let sql = format!("SELECT COUNT(*) AS count FROM {}", quoted(name));
        let row = transaction.fetch_optional(&sql, &[]).await?;
        let rows = row.map_or(Ok(0), |row| row.count("count"))?;
        let is_read = READ.contains(&name.as_str());
        adopted.found.push(FoundTable { name: name.clone(), rows, is_read });
    }
    let unread = adopted.found.iter().filter(|table| !table.is_read && table.rows > 0);
    let unread: Vec<&str> = unread.map(|table| table.name.as_str()).collect();
    if !unread.is_empty() {
        adopted.notes.push(format!("kept unchanged, not converted: {}", unread.join(", ")));
    }
    let mut origin = Origin::default();
    for name in READ.into_iter().filter(|name| tables.iter().any(|table| table == name)) {
        origin.insert(name, rows(transaction, name).await?);
    }
    move_aside(transaction, &adopted.found).await?;
    migrations::create(transaction).await.map_err(|error| foreign(place, error))?;
    convert::write(transaction, database, &origin, &mut adopted).await?;
    Ok(adopted)
}

/// The names of all tables.
async fn tables(transaction: &mut Transaction) -> Result<Vec<String>> {
    let sql = match transaction {
        Transaction::Sqlite(_) => {
            "SELECT name AS name FROM sqlite_schema WHERE type = 'table' \
             AND name NOT LIKE 'sqlite%' ORDER BY name"
        }
        Transaction::Postgres(_) => {
            "SELECT table_name::text AS name FROM information_schema.tables \
             WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY 1"
        }
    };
    transaction.fetch(sql, &[]).await?.iter().map(|row| row.get("name")).collect()
}

/// Whether this is such a database, and nobody else's tables are in the way.
fn check(tables: &[String]) -> Result<()> {
    let has = |name: &str| tables.iter().any(|table| table == name);
    let refused = |because: String| Err(StoreError::Refused(because));
    if has("_sqlx_migrations") {
        return refused("this database has a migrations table and cannot be taken over".to_owned());
    }
    let missing: Vec<&str> = NEEDED.into_iter().filter(|name| !has(name)).collect();
    if !missing.is_empty() {
        return refused(format!(
            "this is not a database of the older system: it has no {}",
            missing.join(", ")
        ));
    }
    let ours = TABLES.iter().map(|table| table.name).filter(|name| !name.starts_with("eval_"));
    let taken: Vec<&str> = ours.filter(|name| has(name)).collect();
    if taken.is_empty() {
        return Ok(());
    }
    refused(format!(
        "table names needed by Assize are already in use: {}; copy the eval_ tables to a \
         separate database and take that over",
        taken.join(", ")
    ))
}

/// Every row of a table as an object.
async fn rows(transaction: &mut Transaction, table: &str) -> Result<Vec<Fields>> {
    let sql = match transaction {
        Transaction::Postgres(_) => {
            format!("SELECT to_jsonb(t)::text AS row FROM {} AS t", quoted(table))
        }
        Transaction::Sqlite(_) => {
            let columns = "SELECT name AS name FROM pragma_table_info($1) ORDER BY cid";
            let mut parts = Vec::new();
            for row in transaction.fetch(columns, &values![table]).await? {
                let name: String = row.get("name")?;
                parts.push(format!("'{}', {}", name.replace('\'', "''"), quoted(&name)));
            }
            format!("SELECT json_object({}) AS row FROM {}", parts.join(", "), quoted(table))
        }
    };
    let rows = transaction.fetch(&sql, &[]).await?;
    let row = |row: &crate::database::Row| {
        serde_json::from_str(row.get::<&str>("row")?).map_err(|error| {
            StoreError::Refused(format!("a row of {table} cannot be read as JSON: {error}"))
        })
    };
    rows.iter().map(row).collect()
}

/// Makes room for our tables of the same names.
async fn move_aside(transaction: &mut Transaction, found: &[FoundTable]) -> Result<()> {
    if let Transaction::Postgres(_) = transaction {
        transaction.execute(&format!("CREATE SCHEMA {ORIGIN}"), &[]).await?;
    }
    for table in found {
        let name = quoted(&table.name);
        let sql = match transaction {
            Transaction::Postgres(_) => format!("ALTER TABLE {name} SET SCHEMA {ORIGIN}"),
            Transaction::Sqlite(_) => {
                let aside = quoted(&format!("{ORIGIN}_{}", table.name));
                format!("ALTER TABLE {name} RENAME TO {aside}")
            }
        };
        transaction.execute(&sql, &[]).await?;
    }
    Ok(())
}

/// A name that the database itself listed, so that it is a name whatever is in it.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
