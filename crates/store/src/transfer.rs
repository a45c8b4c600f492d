//! Everything a store holds as lines of JSON, and back: for backups, and from one database to
//! the other.
//!
//! The first line says what it is, the last how many rows there are, so that half a file is
//! noticed. Between them every row is an object with its table and its columns. The same
//! content gives the same bytes, whichever database it comes from.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};

use async_recursion::async_recursion as boxed;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::database::{Row, Transaction};
use crate::error::{Result, StoreError};
use crate::ids::OrganisationId;
use crate::migrations::LATEST;
use crate::store::Store;
use crate::tables::{Kind, TABLES, Table, table};
use crate::value::{Value, values};

/// Rows that are read or written at a time.
const PAGE: usize = 256;

/// One line of an export.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    /// The first: the version of the tables.
    First {
        assize_store: i64,
    },
    Row {
        table: String,
        row: Map<String, Json>,
    },
    Last {
        rows: u64,
    },
}

impl Store {
    /// Writes everything. Returns how many rows each table has.
    #[boxed]
    pub async fn export(&self, to: &mut (dyn Write + Send)) -> Result<BTreeMap<&'static str, u64>> {
        let mut counts = BTreeMap::new();
        let mut snapshot = self.database.snapshot().await?;
        write(to, &Line::First { assize_store: LATEST })?;
        for table in TABLES {
            let mut count = 0;
            let mut after: Option<Row> = None;
            loop {
                let page = page(&mut snapshot, table, after.as_ref()).await?;
                for row in &page {
                    let row = to_json(table, row)?;
                    write(to, &Line::Row { table: table.name.to_owned(), row })?;
                    count += 1;
                }
                if page.len() < PAGE {
                    break;
                }
                after = page.into_iter().next_back();
            }
            counts.insert(table.name, count);
        }
        write(to, &Line::Last { rows: counts.values().sum() })?;
        to.flush()?;
        Ok(counts)
    }

    /// Reads everything into a store that is empty; all or nothing. Returns how many rows each
    /// table got.
    #[boxed]
    pub async fn import(
        &self,
        from: &mut (dyn BufRead + Send),
    ) -> Result<BTreeMap<&'static str, u64>> {
        let mut transaction = self.database.begin().await?;
        empty(&mut transaction).await?;
        let mut counts = BTreeMap::new();
        let mut pending: (Option<&Table>, Vec<Map<String, Json>>) = (None, Vec::new());
        let (mut number, mut is_whole) = (0, false);
        let mut text = String::new();
        while from.read_line(&mut text)? > 0 {
            number += 1;
            let wrong = |because: String| StoreError::Import { line: number, because };
            if is_whole {
                return Err(wrong("there is data after the end".to_owned()));
            }
            let line = serde_json::from_str(&text);
            match line.map_err(|_| wrong("not a line of an Assize export".to_owned()))? {
                Line::First { assize_store } if number == 1 && assize_store == LATEST => {}
                Line::First { assize_store } if number == 1 => {
                    let because =
                        format!("the schema version is {assize_store}, this program has {LATEST}");
                    return Err(wrong(because));
                }
                Line::Row { table: name, row } if number > 1 => {
                    let table = table(&name).ok_or_else(|| wrong(format!("no table {name}")))?;
                    let is_other = pending.0.is_some_and(|other| other.name != table.name);
                    if is_other || pending.1.len() == PAGE {
                        insert(&mut transaction, &mut pending, number).await?;
                    }
                    pending.0 = Some(table);
                    pending.1.push(row);
                    *counts.entry(table.name).or_insert(0) += 1;
                }
                Line::Last { rows } if number > 1 && rows == counts.values().sum::<u64>() => {
                    is_whole = true;
                }
                _ => return Err(wrong("it does not belong here".to_owned())),
            }
            text.clear();
        }
        if !is_whole {
            let because = "the file is truncated".to_owned();
            return Err(StoreError::Import { line: number, because });
        }
        insert(&mut transaction, &mut pending, number).await?;
        transaction.commit().await?;
        Ok(counts)
    }
}

fn write(to: &mut (dyn Write + Send), line: &Line) -> Result<()> {
    let text = serde_json::to_string(line).map_err(std::io::Error::from)?;
    Ok(writeln!(to, "{text}")?)
}

/// The next rows of a table, in the order of its key.
async fn page(snapshot: &mut Transaction, table: &Table, after: Option<&Row>) -> Result<Vec<Row>> {
    let key = table.key().join(", ");
    let mut values = Vec::new();
    let mut condition = String::new();
    if let Some(row) = after {
        for (name, kind) in &table.columns[..table.key] {
            values.push(match kind {
                Kind::Integer => Value::Integer(row.get(name)?),
                _ => Value::Text(row.get::<Option<String>>(name)?.map(Into::into)),
            });
        }
        condition = format!("WHERE ({key}) > ({})", crate::batch::list(values.len()));
    }
    let names = table.names().join(", ");
    let sql = format!("SELECT {names} FROM {} {condition} ORDER BY {key} LIMIT {PAGE}", table.name);
    snapshot.fetch(&sql, &values).await
}

pub(crate) fn to_json(table: &Table, row: &Row) -> Result<Map<String, Json>> {
    let mut fields = Map::new();
    for (name, kind) in table.columns {
        let value = match kind {
            Kind::Text => row.get::<Option<String>>(name)?.map(Json::from),
            Kind::Integer => row.get::<Option<i64>>(name)?.map(Json::from),
            Kind::Real => row.get::<Option<f64>>(name)?.map(Json::from),
            Kind::Boolean => row.get::<Option<bool>>(name)?.map(Json::from),
            Kind::Time => {
                let time: Option<DateTime<Utc>> = row.get(name)?;
                time.map(|time| time.to_rfc3339_opts(SecondsFormat::Micros, true).into())
            }
            Kind::Json => row.json(name)?.map(sorted),
            Kind::Blob => row.get::<Option<Vec<u8>>>(name)?.map(|b| STANDARD.encode(b).into()),
        };
        fields.insert((*name).to_owned(), value.unwrap_or(Json::Null));
    }
    Ok(fields)
}

/// PostgreSQL does not keep the order of fields; an export has one of its own. Nor does it
/// tell `1e16` from `10000000000000000`.
fn sorted(json: Json) -> Json {
    match json {
        Json::Object(fields) => {
            let mut fields: Vec<_> = fields.into_iter().collect();
            fields.sort_by(|(left, _), (right, _)| left.cmp(right));
            fields.into_iter().map(|(name, value)| (name, sorted(value))).collect()
        }
        Json::Array(items) => items.into_iter().map(sorted).collect(),
        other => other,
    }
}

/// Only the organisation that every store begins with may be there.
async fn empty(transaction: &mut Transaction) -> Result<()> {
    for table in TABLES {
        let key = table.names()[0];
        let sql = format!("SELECT {key} FROM {} LIMIT 2", table.name);
        let rows = transaction.fetch(&sql, &[]).await?;
        let is_first = |row: &Row| {
            let id = row.get::<String>(key).unwrap_or_default();
            table.name == "organisations" && id == OrganisationId::default_organisation().as_str()
        };
        if !rows.iter().all(is_first) {
            let because =
                format!("{} already contains rows; import into an empty database", table.name);
            return Err(StoreError::Refused(because));
        }
    }
    let first = OrganisationId::default_organisation();
    transaction.execute("DELETE FROM organisations WHERE id = $1", &values![&first]).await?;
    Ok(())
}

/// Writes the rows that were gathered.
async fn insert(
    transaction: &mut Transaction,
    pending: &mut (Option<&Table>, Vec<Map<String, Json>>),
    line: usize,
) -> Result<()> {
    let (Some(table), rows) = (pending.0, std::mem::take(&mut pending.1)) else { return Ok(()) };
    let mut ready = Vec::with_capacity(rows.len());
    for row in rows {
        let ready_row = from_json(table, row).map_err(|column| StoreError::Import {
            line: line.saturating_sub(1),
            because: format!("at or before this line, {}.{column} is not valid", table.name),
        })?;
        ready.push(ready_row);
    }
    transaction.insert(table.name, &table.names(), &ready, "").await?;
    Ok(())
}

pub(crate) fn from_json(
    table: &Table,
    mut row: Map<String, Json>,
) -> Result<Vec<Value<'static>>, &'static str> {
    let mut values = Vec::with_capacity(table.columns.len());
    for (name, kind) in table.columns {
        let value = row.remove(*name).ok_or(*name)?;
        values.push(read(*kind, value).ok_or(*name)?);
    }
    row.keys().next().map_or(Ok(values), |_| Err("a column"))
}

fn read(kind: Kind, value: Json) -> Option<Value<'static>> {
    let is_null = value.is_null();
    Some(match kind {
        Kind::Json if is_null => Value::Json(None),
        Kind::Json => Value::Json(Some(std::borrow::Cow::Owned(value))),
        Kind::Text if is_null => Value::Text(None),
        Kind::Text => Value::Text(Some(value.as_str()?.to_owned().into())),
        Kind::Integer if is_null => Value::Integer(None),
        Kind::Integer => Value::Integer(Some(value.as_i64()?)),
        Kind::Real if is_null => Value::Real(None),
        Kind::Real => Value::Real(Some(value.as_f64()?)),
        Kind::Boolean if is_null => Value::Boolean(None),
        Kind::Boolean => Value::Boolean(Some(value.as_bool()?)),
        Kind::Time if is_null => Value::Time(None),
        Kind::Time => {
            let time = DateTime::parse_from_rfc3339(value.as_str()?).ok()?;
            Value::from(time.with_timezone(&Utc))
        }
        Kind::Blob if is_null => Value::Blob(None),
        Kind::Blob => Value::Blob(Some(STANDARD.decode(value.as_str()?).ok()?.into())),
    })
}
