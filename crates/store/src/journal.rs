//! The words in which exchanges are written and found, for several rows at a time.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::value::RawValue;

use crate::batch::{list, pieces};
use crate::budgets::NoRoom;
use crate::database::{Database, Row, Transaction};
use crate::error::{Result, StoreError};
use crate::exchanges::{Cost, Exchange, SendFailure, Sending, Sent};
use crate::queue::{Batch, Json};
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

const SEND: [&str; 10] = [
    "id",
    "key",
    "begun",
    "run_id",
    "position",
    "provider",
    "model",
    "tokens",
    "price_nanodollars",
    "certainty",
];

/// A request that is about to go out.
#[derive(Debug)]
pub(crate) struct Begin {
    pub(crate) id: i64,
    pub(crate) sending: Sending,
}

/// Why a request may not go out.
#[derive(Debug, Clone)]
pub(crate) enum Hindrance {
    /// A budget.
    NoRoom(NoRoom),
    /// Somebody else asks for the same.
    Held,
}

/// A reply, the request that brought it, and what it cost.
#[derive(Debug)]
pub(crate) struct Keep {
    pub(crate) sent: Sent,
    pub(crate) exchange: Exchange,
    pub(crate) cost: Cost,
}

/// A request that brought none.
#[derive(Debug)]
pub(crate) struct Fail {
    pub(crate) sent: Sent,
    pub(crate) failure: SendFailure,
}

/// The replies kept under keys.
pub(crate) async fn find(database: &Database, keys: &[&str]) -> Result<BTreeMap<String, Json>> {
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

/// Those of some keys under which a reply is kept.
pub(crate) async fn kept(transaction: &mut Transaction, keys: &[&str]) -> Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    for piece in pieces(keys) {
        let sql = format!("SELECT key FROM exchanges WHERE key IN ({})", list(piece.len()));
        let keys: Vec<Value<'_>> = piece.iter().map(|key| Value::from(*key)).collect();
        for row in transaction.fetch(&sql, &keys).await? {
            found.insert(row.get("key")?);
        }
    }
    Ok(found)
}

/// Notes requests before they go out, at the most they can cost.
pub(crate) async fn begin<'a>(
    transaction: &mut Transaction,
    begins: impl IntoIterator<Item = &'a Begin>,
) -> Result<()> {
    let rows: Vec<_> = begins.into_iter().map(begun).collect();
    transaction.insert("sends", &SEND, &rows, "").await?;
    Ok(())
}

fn begun(Begin { id, sending }: &Begin) -> [Value<'_>; SEND.len()] {
    let Sending { key, begun, item, asked, ceiling, .. } = sending;
    let (run, position) = item.as_ref().map(|(run, position)| (run.as_str(), *position)).unzip();
    let (provider, model) = asked.as_ref().map(|(one, two)| (one.as_str(), two.as_str())).unzip();
    let price = ceiling.price_nanodollars.map(whole);
    let tokens = whole(ceiling.tokens);
    values![*id, key, *begun, run, position, provider, model, tokens, price, "maybe"]
}

/// Which of some requests were noted.
pub(crate) async fn noted(database: &Database, begins: &[Begin]) -> Result<Vec<bool>> {
    let mut found = BTreeSet::new();
    for piece in pieces(begins) {
        let sql = format!("SELECT id FROM sends WHERE id IN ({})", list(piece.len()));
        let ids: Vec<Value<'_>> = piece.iter().map(|begin| Value::from(begin.id)).collect();
        for row in database.fetch(&sql, &ids).await? {
            found.insert(row.get::<i64>("id")?);
        }
    }
    Ok(begins.iter().map(|begin| found.contains(&begin.id)).collect())
}

/// Whether a batch was committed although nobody said so: a transaction leaves all of its marks
/// or none. One that only finishes items leaves none that tells it from another's, and need not:
/// finishing an item a second time changes nothing.
pub(crate) async fn was_committed(database: &Database, batch: &Batch) -> Result<bool> {
    if noted(database, &batch.begins).await?.contains(&true) {
        return Ok(true);
    }
    let ended = batch.keeps.iter().map(|keep| &keep.sent);
    let ended = ended.chain(batch.fails.iter().map(|fail| &fail.sent)).next();
    let Some(sent) = ended else { return Ok(false) };
    let sql = "SELECT COUNT(*) AS count FROM sends \
        WHERE id = $1 AND (failed IS NOT NULL OR certainty <> 'maybe')";
    let row = database.fetch_optional(sql, &values![sent.id]).await?;
    Ok(row.map_or(Ok(0), |row| row.count("count"))? > 0)
}

/// Keeps replies. Where another process was faster, its reply stays, is returned, and the
/// request that came late is noted as such.
pub(crate) async fn keep(
    transaction: &mut Transaction,
    keeps: &[Keep],
) -> Result<BTreeMap<String, Json>> {
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
        for Keep { sent, exchange, .. } in piece {
            let sql = "SELECT send, reply FROM exchanges WHERE key = $1";
            let row = transaction.fetch_optional(sql, &values![&exchange.key]).await?;
            let Some(row) = row else { continue };
            if row.get::<i64>("send")? != sent.id {
                earlier.insert(exchange.key.clone(), json(&row, "reply")?);
                let sql = "UPDATE sends SET failed = $2, failure = 'late', said = '' WHERE id = $1";
                transaction.execute(sql, &values![sent.id, exchange.created]).await?;
            }
        }
    }
    let costs: Vec<_> = keeps.iter().map(|keep| (keep.sent.id, keep.cost)).collect();
    settle(transaction, &costs).await?;
    Ok(earlier)
}

/// Notes requests that brought no reply. What may have cost something stays at its ceiling.
pub(crate) async fn fail(transaction: &mut Transaction, fails: &[Fail]) -> Result<()> {
    for Fail { sent, failure } in fails {
        let SendFailure { class, said, at, .. } = failure;
        let sql = "UPDATE sends SET failed = $2, failure = $3, said = $4 WHERE id = $1";
        transaction.execute(sql, &values![sent.id, *at, *class, said]).await?;
    }
    let costs: Vec<_> =
        fails.iter().filter_map(|fail| Some((fail.sent.id, fail.failure.cost?))).collect();
    settle(transaction, &costs).await
}

/// Writes what requests came to.
async fn settle(transaction: &mut Transaction, costs: &[(i64, Cost)]) -> Result<()> {
    for piece in pieces(costs) {
        let sql = format!(
            "UPDATE sends SET tokens = ended.column2, price_nanodollars = ended.column3, \
             certainty = ended.column4 FROM (VALUES {}) AS ended WHERE sends.id = ended.column1",
            transaction.places(piece.len(), 4)
        );
        let values: Vec<Value<'_>> = piece
            .iter()
            .flat_map(|(id, cost)| {
                let certainty = match cost {
                    Cost { tokens: 0, .. } => "none",
                    Cost { is_estimated: true, .. } => "estimated",
                    Cost { .. } => "certain",
                };
                values![*id, whole(cost.tokens), cost.price_nanodollars.map(whole), certainty]
            })
            .collect();
        transaction.execute(&sql, &values).await?;
    }
    Ok(())
}

/// The whole exchange kept under a key.
pub(crate) fn exchange(row: &Row) -> Result<Exchange> {
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

fn row(Keep { sent, exchange, .. }: &Keep) -> [Value<'_>; EXCHANGE.len()] {
    values![
        &exchange.key,
        sent.id,
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

fn json(row: &Row, column: &str) -> Result<Json> {
    let text: String = row.get(column)?;
    RawValue::from_string(text)
        .map_err(|error| sqlx::Error::ColumnDecode { index: column.into(), source: error.into() })
        .map_err(StoreError::from)
}

/// Databases count in signed numbers; nothing we count comes near their end.
pub(crate) fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
