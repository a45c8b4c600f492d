//! The words in which exchanges are written and found, for several rows at a time.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde_json::value::RawValue;

use crate::batch::{list, pieces};
use crate::database::{Database, Row, Transaction};
use crate::error::StoreError;
use crate::exchanges::Exchange;
use crate::queue::Json;
use crate::value::{Value, values};

const EXCHANGE: [&str; 12] = [
    "key",
    "send",
    "provider",
    "model",
    "attempt",
    "request",
    "reply",
    "input_tokens",
    "output_tokens",
    "counted",
    "price_nanodollars",
    "created",
];

/// A request that is about to go out.
#[derive(Debug)]
pub(crate) struct Begin {
    pub(crate) id: i64,
    pub(crate) key: String,
    pub(crate) begun: DateTime<Utc>,
}

/// A reply, and the request that brought it.
#[derive(Debug)]
pub(crate) struct Keep {
    pub(crate) send: i64,
    pub(crate) exchange: Exchange,
}

/// A request that brought none.
#[derive(Debug)]
pub(crate) struct Fail {
    pub(crate) id: i64,
    pub(crate) failed: DateTime<Utc>,
    pub(crate) failure: &'static str,
    pub(crate) said: String,
}

/// The replies kept under keys.
pub(crate) async fn find(
    database: &Database,
    keys: &[&str],
) -> Result<BTreeMap<String, Json>, StoreError> {
    let mut found = BTreeMap::new();
    for piece in pieces(keys) {
        let sql = format!("SELECT key, reply FROM exchanges WHERE key IN ({})", list(piece.len()));
        let keys: Vec<Value<'_>> = piece.iter().map(|key| Value::from(*key)).collect();
        for row in database.fetch(&sql, &keys).await? {
            found.insert(row.get("key")?, json(&row, "reply")?);
        }
    }
    Ok(found)
}

/// Notes requests before they go out.
pub(crate) async fn begin(
    transaction: &mut Transaction,
    begins: &[Begin],
) -> Result<(), StoreError> {
    let rows: Vec<_> =
        begins.iter().map(|Begin { id, key, begun }| values![*id, key, *begun]).collect();
    transaction.insert("sends", &["id", "key", "begun"], &rows, "").await?;
    Ok(())
}

/// Keeps replies. Where another process was faster, its reply stays, is returned, and the
/// request that came late is noted as such.
pub(crate) async fn keep(
    transaction: &mut Transaction,
    keeps: &[Keep],
) -> Result<BTreeMap<String, Json>, StoreError> {
    let mut earlier = BTreeMap::new();
    // In the same order everywhere, so that two processes never wait for each other in a ring.
    let mut keeps: Vec<&Keep> = keeps.iter().collect();
    keeps.sort_by(|left, right| left.exchange.key.cmp(&right.exchange.key));
    for piece in pieces(&keeps) {
        let rows: Vec<_> = piece.iter().map(|keep| row(keep)).collect();
        let ending = "ON CONFLICT (key) DO NOTHING RETURNING send";
        if transaction.insert("exchanges", &EXCHANGE, &rows, ending).await?.len() == piece.len() {
            continue;
        }
        for Keep { send, exchange } in piece {
            let sql = "SELECT send, reply FROM exchanges WHERE key = $1";
            let row = transaction.fetch_optional(sql, &values![&exchange.key]).await?;
            let Some(row) = row else { continue };
            if row.get::<i64>("send")? != *send {
                earlier.insert(exchange.key.clone(), json(&row, "reply")?);
                let (failed, said) = (exchange.created, String::new());
                let late = Fail { id: *send, failed, failure: "late", said };
                fail(transaction, &[late]).await?;
            }
        }
    }
    Ok(earlier)
}

/// Notes requests that brought no reply.
pub(crate) async fn fail(transaction: &mut Transaction, fails: &[Fail]) -> Result<(), StoreError> {
    for Fail { id, failed, failure, said } in fails {
        let sql = "UPDATE sends SET failed = $2, failure = $3, said = $4 WHERE id = $1";
        transaction.execute(sql, &values![*id, *failed, *failure, said]).await?;
    }
    Ok(())
}

/// The whole exchange kept under a key.
pub(crate) fn exchange(row: &Row) -> Result<Exchange, StoreError> {
    let price: Option<i64> = row.get("price_nanodollars")?;
    Ok(Exchange {
        key: row.get("key")?,
        provider: row.get("provider")?,
        model: row.get("model")?,
        attempt: u32::try_from(row.get::<i64>("attempt")?).unwrap_or(u32::MAX),
        request: json(row, "request")?,
        reply: json(row, "reply")?,
        input_tokens: row.count("input_tokens")?,
        output_tokens: row.count("output_tokens")?,
        counted: row.get("counted")?,
        price_nanodollars: price.map(i64::unsigned_abs),
        created: row.get("created")?,
    })
}

fn row(Keep { send, exchange }: &Keep) -> [Value<'_>; EXCHANGE.len()] {
    values![
        &exchange.key,
        *send,
        &exchange.provider,
        &exchange.model,
        i64::from(exchange.attempt),
        exchange.request.get(),
        exchange.reply.get(),
        whole(exchange.input_tokens),
        whole(exchange.output_tokens),
        exchange.counted,
        exchange.price_nanodollars.map(whole),
        exchange.created,
    ]
}

fn json(row: &Row, column: &str) -> Result<Json, StoreError> {
    let text: String = row.get(column)?;
    RawValue::from_string(text)
        .map_err(|error| sqlx::Error::ColumnDecode { index: column.into(), source: error.into() })
        .map_err(StoreError::from)
}

/// Databases count in signed numbers; nothing we count comes near their end.
fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
