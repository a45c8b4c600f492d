//! The words in which exchanges are written and found, for several rows at a time.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use sqlx::sqlite::SqliteConnection;
use sqlx::{AssertSqlSafe, Row};

use crate::batch::{list, pieces, places};
use crate::database::Json;
use crate::exchanges::Exchange;

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
    connection: &mut SqliteConnection,
    keys: &[&str],
) -> Result<BTreeMap<String, Json>, sqlx::Error> {
    let mut found = BTreeMap::new();
    for piece in pieces(keys) {
        let sql = format!("SELECT key, reply FROM exchanges WHERE key IN ({})", list(piece.len()));
        let mut query = sqlx::query(AssertSqlSafe(sql));
        for key in piece {
            query = query.bind(*key);
        }
        for row in query.fetch_all(&mut *connection).await? {
            found.insert(row.try_get("key")?, json(&row, "reply")?);
        }
    }
    Ok(found)
}

/// Notes requests before they go out.
pub(crate) async fn begin(
    connection: &mut SqliteConnection,
    begins: &[Begin],
) -> Result<(), sqlx::Error> {
    for piece in pieces(begins) {
        let sql = format!("INSERT INTO sends (id, key, begun) VALUES {}", places(piece.len(), 3));
        let mut query = sqlx::query(AssertSqlSafe(sql));
        for Begin { id, key, begun } in piece {
            query = query.bind(id).bind(key).bind(begun);
        }
        query.execute(&mut *connection).await?;
    }
    Ok(())
}

/// Keeps replies. Where another process was faster, its reply stays, is returned, and the
/// request that came late is noted as such.
pub(crate) async fn keep(
    connection: &mut SqliteConnection,
    keeps: &[Keep],
) -> Result<BTreeMap<String, Json>, sqlx::Error> {
    let mut earlier = BTreeMap::new();
    for piece in pieces(keeps) {
        if insert(connection, piece).await? == piece.len() as u64 {
            continue;
        }
        for Keep { send, exchange } in piece {
            let row = sqlx::query("SELECT send, reply FROM exchanges WHERE key = $1")
                .bind(&exchange.key)
                .fetch_one(&mut *connection)
                .await?;
            if row.try_get::<i64, _>("send")? != *send {
                earlier.insert(exchange.key.clone(), json(&row, "reply")?);
                let (failed, said) = (exchange.created, String::new());
                let late = Fail { id: *send, failed, failure: "late", said };
                fail(connection, &[late]).await?;
            }
        }
    }
    Ok(earlier)
}

/// Notes requests that brought no reply.
pub(crate) async fn fail(
    connection: &mut SqliteConnection,
    fails: &[Fail],
) -> Result<(), sqlx::Error> {
    for Fail { id, failed, failure, said } in fails {
        sqlx::query("UPDATE sends SET failed = $2, failure = $3, said = $4 WHERE id = $1")
            .bind(id)
            .bind(failed)
            .bind(failure)
            .bind(said)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

/// The whole exchange kept under a key.
pub(crate) fn exchange(row: &sqlx::sqlite::SqliteRow) -> Result<Exchange, sqlx::Error> {
    let count = |column: &str| row.try_get::<i64, _>(column).map(i64::unsigned_abs);
    let price: Option<i64> = row.try_get("price_nanodollars")?;
    Ok(Exchange {
        key: row.try_get("key")?,
        provider: row.try_get("provider")?,
        model: row.try_get("model")?,
        attempt: row.try_get("attempt")?,
        request: json(row, "request")?,
        reply: json(row, "reply")?,
        input_tokens: count("input_tokens")?,
        output_tokens: count("output_tokens")?,
        counted: row.try_get("counted")?,
        price_nanodollars: price.map(i64::unsigned_abs),
        created: row.try_get("created")?,
    })
}

async fn insert(connection: &mut SqliteConnection, keeps: &[Keep]) -> Result<u64, sqlx::Error> {
    let sql = format!(
        "INSERT INTO exchanges (key, send, provider, model, attempt, request, reply, \
         input_tokens, output_tokens, counted, price_nanodollars, created) \
         VALUES {} ON CONFLICT (key) DO NOTHING",
        places(keeps.len(), 12)
    );
    let mut query = sqlx::query(AssertSqlSafe(sql));
    for Keep { send, exchange } in keeps {
        query = query
            .bind(&exchange.key)
            .bind(send)
            .bind(&exchange.provider)
            .bind(&exchange.model)
            .bind(exchange.attempt)
            .bind(sqlx::types::Json(&exchange.request))
            .bind(sqlx::types::Json(&exchange.reply))
            .bind(whole(exchange.input_tokens))
            .bind(whole(exchange.output_tokens))
            .bind(exchange.counted)
            .bind(exchange.price_nanodollars.map(whole))
            .bind(exchange.created);
    }
    Ok(query.execute(connection).await?.rows_affected())
}

fn json(row: &sqlx::sqlite::SqliteRow, column: &str) -> Result<Json, sqlx::Error> {
    let sqlx::types::Json(json) = row.try_get(column)?;
    Ok(json)
}

/// Databases count in signed numbers; nothing we count comes near their end.
fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
