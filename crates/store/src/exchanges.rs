//! What was asked and answered, found again by content hash.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::Row;
use sqlx::types::Json;

use crate::error::StoreError;
use crate::store::Store;

/// One reply of a model and all that led to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Exchange {
    /// The hash of everything that decides the reply.
    pub key: String,
    /// Who answered.
    pub provider: String,
    /// Which model of theirs.
    pub model: String,
    /// Which of several replies to the same words, from 0.
    pub attempt: u32,
    /// The request, as JSON.
    pub request: Value,
    /// The reply, as JSON.
    pub reply: Value,
    /// Tokens of the request.
    pub input_tokens: u64,
    /// Tokens of the reply.
    pub output_tokens: u64,
    /// Whether the provider counted them.
    pub counted: bool,
    /// What it cost in billionths of a dollar, if the price is known.
    pub price_nanodollars: Option<u64>,
    /// When the reply came.
    pub created: DateTime<Utc>,
}

/// A request on its way: the how-manyeth with that key.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "a request that was begun ends with an answer or a failure"]
pub struct Sent {
    key: String,
    number: i64,
}

impl Store {
    /// The reply kept under a key.
    pub async fn find_reply(&self, key: &str) -> Result<Option<Value>, StoreError> {
        let row = sqlx::query("SELECT reply FROM exchanges WHERE key = $1")
            .bind(key)
            .fetch_optional(&self.database.readers)
            .await?;
        let reply = row.map(|row| row.try_get::<Json<Value>, _>("reply")).transpose()?;
        Ok(reply.map(|Json(reply)| reply))
    }

    /// The whole exchange kept under a key.
    pub async fn find_exchange(&self, key: &str) -> Result<Option<Exchange>, StoreError> {
        let row = sqlx::query("SELECT * FROM exchanges WHERE key = $1")
            .bind(key)
            .fetch_optional(&self.database.readers)
            .await?;
        Ok(row.map(|row| exchange(&row)).transpose()?)
    }

    /// The highest attempt ever kept; a fresh run takes the next.
    pub async fn highest_attempt(&self) -> Result<Option<u32>, StoreError> {
        let highest: Option<u32> = sqlx::query_scalar("SELECT MAX(attempt) FROM exchanges")
            .fetch_one(&self.database.readers)
            .await?;
        Ok(highest)
    }

    /// Notes that a request is about to go out.
    pub async fn begin_send(&self, key: &str, begun: DateTime<Utc>) -> Result<Sent, StoreError> {
        let key = key.to_owned();
        let write = self.database.write(move |connection| {
            Box::pin(async move {
                let number = sqlx::query_scalar(
                    "INSERT INTO sends (key, number, begun) \
                     SELECT $1, COALESCE(MAX(number), 0) + 1, $2 FROM sends WHERE key = $1 \
                     RETURNING number",
                )
                .bind(&key)
                .bind(begun)
                .fetch_one(connection)
                .await?;
                Ok(Sent { key, number })
            })
        });
        write.await
    }

    /// Notes that it brought no reply: the class of the failure, and what was said.
    pub async fn fail_send(
        &self,
        send: Sent,
        outcome: &'static str,
        said: String,
        ended: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let write = self.database.write(move |connection| {
            Box::pin(async move {
                end(connection, &send, ended, outcome, Some(&said)).await?;
                Ok(())
            })
        });
        write.await
    }

    /// Keeps a reply. If another process was faster with the same key, its reply is kept and
    /// returned instead, so that all compute from the same words.
    pub async fn keep(&self, send: Sent, exchange: Exchange) -> Result<Option<Value>, StoreError> {
        let write = self.database.write(move |connection| {
            Box::pin(async move {
                let is_new = insert(connection, &exchange).await?;
                let outcome = if is_new { "answered" } else { "late" };
                end(connection, &send, exchange.created, outcome, None).await?;
                if is_new {
                    return Ok(None);
                }
                let Json(earlier) =
                    sqlx::query_scalar("SELECT reply FROM exchanges WHERE key = $1")
                        .bind(&exchange.key)
                        .fetch_one(connection)
                        .await?;
                Ok(Some(earlier))
            })
        });
        write.await
    }
}

async fn insert(
    connection: &mut sqlx::SqliteConnection,
    exchange: &Exchange,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query(
        "INSERT INTO exchanges (key, provider, model, attempt, request, reply, \
         input_tokens, output_tokens, counted, price_nanodollars, created) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (key) DO NOTHING",
    )
    .bind(&exchange.key)
    .bind(&exchange.provider)
    .bind(&exchange.model)
    .bind(exchange.attempt)
    .bind(Json(&exchange.request))
    .bind(Json(&exchange.reply))
    .bind(whole(exchange.input_tokens))
    .bind(whole(exchange.output_tokens))
    .bind(exchange.counted)
    .bind(exchange.price_nanodollars.map(whole))
    .bind(exchange.created)
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

async fn end(
    connection: &mut sqlx::SqliteConnection,
    send: &Sent,
    ended: DateTime<Utc>,
    outcome: &str,
    said: Option<&str>,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE sends SET ended = $3, outcome = $4, said = $5 WHERE key = $1 AND number = $2",
    )
    .bind(&send.key)
    .bind(send.number)
    .bind(ended)
    .bind(outcome)
    .bind(said)
    .execute(connection)
    .await?;
    Ok(())
}

fn exchange(row: &sqlx::sqlite::SqliteRow) -> Result<Exchange, sqlx::Error> {
    let Json(request) = row.try_get("request")?;
    let Json(reply) = row.try_get("reply")?;
    Ok(Exchange {
        key: row.try_get("key")?,
        provider: row.try_get("provider")?,
        model: row.try_get("model")?,
        attempt: row.try_get("attempt")?,
        request,
        reply,
        input_tokens: row.try_get::<i64, _>("input_tokens")?.unsigned_abs(),
        output_tokens: row.try_get::<i64, _>("output_tokens")?.unsigned_abs(),
        counted: row.try_get("counted")?,
        price_nanodollars: row
            .try_get::<Option<i64>, _>("price_nanodollars")?
            .map(i64::unsigned_abs),
        created: row.try_get("created")?,
    })
}

/// Databases count in signed numbers; nothing we count comes near their end.
fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
