//! Who is asking for a reply at this moment: one of all processes that share a database.
//!
//! A request claims the key of its exchange before it goes out, and holds the claim until the
//! reply is kept or the request has failed. Whoever wants the same reply meanwhile waits for it.
//! A claim runs out by the database's clock unless it is held on to, so that nobody waits long
//! for a process that died.
//!
//! A reply that somebody kept between our looking for it and claiming it is seen by whoever
//! claims: the claim comes first, then the look.
//!
//! On PostgreSQL a claim is a transaction of its own: it locks nothing but claims, in the order
//! of their keys, so that no two processes can wait for each other in a ring. The table is not
//! logged, and such a commit does not wait for the disk.

use std::collections::{BTreeMap, BTreeSet};

use crate::batch::{list_from, pieces};
use crate::database::{Database, Transaction};
use crate::error::Result;
use crate::journal::Begin;
use crate::value::{Value, values};

/// How long a claim stands without a sign of life, in seconds. Whoever repeats a command that was
/// killed waits so long for what was under way.
const HOLD_SECONDS: f64 = 10.0;

/// Claims the keys of requests that are about to go out. Says of each whether it may.
pub(crate) async fn take(
    transaction: &mut Transaction,
    database: &Database,
    begins: &[Begin],
) -> Result<Vec<bool>> {
    let wanted = begins.iter().filter(|begin| begin.sending.is_exclusive);
    // Of two that come together the first one asks.
    let mut by_key: BTreeMap<&str, i64> = BTreeMap::new();
    for Begin { id, sending } in wanted {
        by_key.entry(&sending.key).or_insert(*id);
    }
    let rows: Vec<(&str, i64)> = by_key.into_iter().collect();
    let mut taken = BTreeSet::new();
    for piece in pieces(&rows) {
        let places: Vec<String> = (0..piece.len())
            .map(|row| format!("(${}, ${}, {})", 2 * row + 2, 2 * row + 3, database.moment("$1")))
            .collect();
        // One that is there and is ours was claimed before an acknowledgement was lost.
        let sql = format!(
            "INSERT INTO exchange_claims (key, send, held_until) VALUES {} \
             ON CONFLICT (key) DO UPDATE SET send = excluded.send, \
             held_until = excluded.held_until WHERE exchange_claims.held_until < {} \
             OR exchange_claims.send = excluded.send RETURNING send",
            places.join(", "),
            database.now()
        );
        let mut values = values![HOLD_SECONDS].to_vec();
        values.extend(piece.iter().flat_map(|(key, send)| values![*key, *send]));
        for row in transaction.fetch(&sql, &values).await? {
            taken.insert(row.get::<i64>("send")?);
        }
    }
    let may = |begin: &Begin| !begin.sending.is_exclusive || taken.contains(&begin.id);
    Ok(begins.iter().map(may).collect())
}

/// Holds on to the claims of requests that are still under way.
pub(crate) async fn hold(
    transaction: &mut Transaction,
    database: &Database,
    sends: &[i64],
) -> Result<()> {
    let until = database.moment("$1");
    let set = format!("UPDATE exchange_claims SET held_until = {until}");
    each(transaction, &set, values![HOLD_SECONDS].to_vec(), sends).await
}

/// Gives up the claims of requests that ended.
pub(crate) async fn release(transaction: &mut Transaction, sends: &[i64]) -> Result<()> {
    each(transaction, "DELETE FROM exchange_claims", Vec::new(), sends).await
}

async fn each(
    transaction: &mut Transaction,
    what: &str,
    first: Vec<Value<'_>>,
    sends: &[i64],
) -> Result<()> {
    for piece in pieces(sends) {
        let places = list_from(first.len() + 1, piece.len());
        let mut values = first.clone();
        values.extend(piece.iter().map(|send| Value::from(*send)));
        transaction.execute(&format!("{what} WHERE send IN ({places})"), &values).await?;
    }
    Ok(())
}
