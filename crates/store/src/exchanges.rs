//! What was asked and answered, found again by content hash.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicI64, Ordering};

use async_recursion::async_recursion as boxed;
use chrono::{DateTime, Utc};
use serde_json::value::RawValue;

use crate::budgets::NoRoom;
use crate::error::Result;
use crate::ids::RunId;
use crate::journal::{self, Begin, Fail, Hindrance};
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

/// What something costs, as far as we know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cost {
    /// Tokens of request and reply.
    pub tokens: u64,
    /// In billionths of a dollar, if the price is known.
    pub price_nanodollars: Option<u64>,
    /// Whether we counted because the provider did not.
    pub is_estimated: bool,
}

/// A request that is about to go out: for whom, to whom, and what it can cost at most.
#[derive(Debug, Clone, Default)]
pub struct Sending {
    /// The key of the exchange it is for.
    pub key: String,
    /// When.
    pub begun: DateTime<Utc>,
    /// The run and the position of the item it is for, if it is for one.
    pub item: Option<(RunId, i64)>,
    /// Provider and model.
    pub asked: Option<(String, String)>,
    /// The most it can cost.
    pub ceiling: Cost,
    /// The shared budgets that it must fit into.
    pub scopes: Vec<String>,
    /// Whether nobody else may be asking for the same reply.
    pub is_exclusive: bool,
}

impl Sending {
    /// For nobody in particular, within no budget.
    pub fn new(key: &str, begun: DateTime<Utc>) -> Self {
        Self { key: key.to_owned(), begun, ..Self::default() }
    }
}

/// Whether a request may go out.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "only a request that was noted may go out"]
pub enum Begun {
    /// It is noted, and must go out now.
    Sent(Sent),
    /// A budget does not allow it; nothing is noted.
    NoRoom(NoRoom),
    /// Somebody else is asking for the same reply: wait for it, then look again.
    Held,
}

impl Begun {
    /// The request, if it may go out.
    pub fn sent(self) -> Option<Sent> {
        match self {
            Self::Sent(sent) => Some(sent),
            Self::NoRoom(_) | Self::Held => None,
        }
    }
}

/// A request on its way.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "a request that was begun ends with an answer or a failure"]
pub struct Sent {
    pub(crate) id: i64,
    pub(crate) ceiling: Cost,
    pub(crate) scopes: Vec<String>,
    pub(crate) is_exclusive: bool,
}

/// Why a request brought no reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SendFailure {
    /// The class of the failure.
    pub class: &'static str,
    /// What was said.
    pub said: String,
    /// When.
    pub at: DateTime<Utc>,
    /// What it cost all the same. `None`: perhaps all that it could.
    pub cost: Option<Cost>,
}

impl Store {
    /// The reply kept under a key.
    #[boxed]
    pub async fn find_reply(&self, key: &str) -> Result<Option<Box<RawValue>>> {
        self.queue.look_up(key.to_owned()).await
    }

    /// The whole exchange kept under a key.
    #[boxed]
    pub async fn find_exchange(&self, key: &str) -> Result<Option<Exchange>> {
        let sql = "SELECT * FROM exchanges WHERE key = $1";
        let row = self.database.fetch_optional(sql, &values![key]).await?;
        row.map(|row| journal::exchange(&row)).transpose()
    }

    /// The highest attempt ever kept; a fresh run takes the next.
    #[boxed]
    pub async fn highest_attempt(&self) -> Result<Option<u32>> {
        let sql = "SELECT MAX(attempt) AS attempt FROM exchanges";
        let Some(row) = self.database.fetch_optional(sql, &[]).await? else { return Ok(None) };
        let highest: Option<i64> = row.get("attempt")?;
        Ok(highest.and_then(|highest| u32::try_from(highest).ok()))
    }

    /// Notes that a request is about to go out, unless one of its budgets has no room for it or
    /// somebody else is asking for the same.
    #[boxed]
    pub async fn begin_send(&self, sending: Sending) -> Result<Begun> {
        let id = self.send_ids.next();
        let (ceiling, scopes) = (sending.ceiling, sending.scopes.clone());
        let is_exclusive = sending.is_exclusive;
        Ok(match self.queue.begin(Begin { id, sending }).await? {
            Ok(()) => Begun::Sent(Sent { id, ceiling, scopes, is_exclusive }),
            Err(Hindrance::NoRoom(because)) => Begun::NoRoom(because),
            Err(Hindrance::Held) => Begun::Held,
        })
    }

    /// Holds on to a request that takes long: nobody else asks for its reply meanwhile.
    #[boxed]
    pub async fn hold_send(&self, sent: &Sent) -> Result<()> {
        if sent.is_exclusive { self.queue.hold(sent.id).await } else { Ok(()) }
    }

    /// Notes that it brought no reply.
    #[boxed]
    pub async fn fail_send(&self, sent: Sent, failure: SendFailure) -> Result<()> {
        self.queue.fail(Fail { sent, failure }).await
    }

    /// Keeps a reply and what it cost. If another process was faster with the same key, its
    /// reply is kept and returned instead, so that all compute from the same words.
    #[boxed]
    pub async fn keep(
        &self,
        sent: Sent,
        exchange: Exchange,
        cost: Cost,
    ) -> Result<Option<Box<RawValue>>> {
        self.queue.keep(sent, exchange, cost).await
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
