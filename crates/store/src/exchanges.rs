//! What was asked and answered, found again by content hash.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, Utc};
use serde_json::value::RawValue;

use crate::error::StoreError;
use crate::journal::{self, Begin, Fail};
use crate::store::Store;
use crate::value::values;

/// One reply of a model and all that led to it.
#[derive(Debug, Clone)]
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
    pub request: Box<RawValue>,
    /// The reply, as JSON.
    pub reply: Box<RawValue>,
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

/// A request on its way.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "a request that was begun ends with an answer or a failure"]
pub struct Sent {
    id: i64,
}

impl Store {
    /// The reply kept under a key.
    pub async fn find_reply(&self, key: &str) -> Result<Option<Box<RawValue>>, StoreError> {
        self.queue.look_up(key.to_owned()).await
    }

    /// The whole exchange kept under a key.
    pub async fn find_exchange(&self, key: &str) -> Result<Option<Exchange>, StoreError> {
        let sql = "SELECT * FROM exchanges WHERE key = $1";
        let row = self.database.fetch_optional(sql, &values![key]).await?;
        row.map(|row| journal::exchange(&row)).transpose()
    }

    /// The highest attempt ever kept; a fresh run takes the next.
    pub async fn highest_attempt(&self) -> Result<Option<u32>, StoreError> {
        let sql = "SELECT MAX(attempt) AS attempt FROM exchanges";
        let Some(row) = self.database.fetch_optional(sql, &[]).await? else { return Ok(None) };
        let highest: Option<i64> = row.get("attempt")?;
        Ok(highest.and_then(|highest| u32::try_from(highest).ok()))
    }

    /// Notes that a request is about to go out.
    pub async fn begin_send(&self, key: &str, begun: DateTime<Utc>) -> Result<Sent, StoreError> {
        let id = self.send_ids.next();
        self.queue.begin(Begin { id, key: key.to_owned(), begun }).await?;
        Ok(Sent { id })
    }

    /// Notes that it brought no reply: the class of the failure, and what was said.
    pub async fn fail_send(
        &self,
        sent: Sent,
        failure: &'static str,
        said: String,
        failed: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        self.queue.fail(Fail { id: sent.id, failed, failure, said }).await
    }

    /// Keeps a reply. If another process was faster with the same key, its reply is kept and
    /// returned instead, so that all compute from the same words.
    pub async fn keep(
        &self,
        sent: Sent,
        exchange: Exchange,
    ) -> Result<Option<Box<RawValue>>, StoreError> {
        self.queue.keep(sent.id, exchange).await
    }
}

/// Numbers that no other process gives out: counted up from a random one.
#[derive(Debug)]
pub(crate) struct SendIds(AtomicI64);

impl SendIds {
    pub(crate) fn new() -> Self {
        // 62 bits: room to count on without a sign.
        let random = RandomState::new().hash_one("sends") >> 2;
        Self(AtomicI64::new(i64::try_from(random).unwrap_or_default()))
    }

    pub(crate) fn next(&self) -> i64 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}
