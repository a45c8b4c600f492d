//! What everything in a store came to: requests, replies, tokens, money.

use std::collections::BTreeMap;

use sqlx::Row;

use crate::error::StoreError;
use crate::store::Store;

/// The sums over all that was sent and kept.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    /// Replies kept.
    pub exchanges: u64,
    /// Requests that went out, failed ones included.
    pub sends: u64,
    /// Those of them that brought no reply, by class.
    pub failures: BTreeMap<String, u64>,
    /// Requests that have no ending: under way, or lost with their process.
    pub open: u64,
    /// Tokens of all requests that were answered.
    pub input_tokens: u64,
    /// Tokens of all replies.
    pub output_tokens: u64,
    /// What it cost in billionths of a dollar, as far as prices are known.
    pub price_nanodollars: u64,
    /// Replies whose price is not known.
    pub unpriced: u64,
}

impl Tally {
    /// Requests beyond one for each reply.
    pub fn retries(&self) -> u64 {
        self.sends.saturating_sub(self.exchanges)
    }
}

impl Store {
    /// Adds everything up.
    pub async fn tally(&self) -> Result<Tally, StoreError> {
        let row = sqlx::query(
            "SELECT COUNT(*) AS exchanges, COALESCE(SUM(input_tokens), 0) AS input_tokens, \
             COALESCE(SUM(output_tokens), 0) AS output_tokens, \
             COALESCE(SUM(price_nanodollars), 0) AS price, \
             COUNT(*) - COUNT(price_nanodollars) AS unpriced FROM exchanges",
        )
        .fetch_one(&self.database.readers)
        .await?;
        let number = |column: &str| row.try_get::<i64, _>(column).map(i64::unsigned_abs);
        let mut tally = Tally {
            exchanges: number("exchanges")?,
            input_tokens: number("input_tokens")?,
            output_tokens: number("output_tokens")?,
            price_nanodollars: number("price")?,
            unpriced: number("unpriced")?,
            ..Tally::default()
        };
        let endings = sqlx::query(
            "SELECT COALESCE(failure, CASE WHEN exchanges.send IS NULL THEN 'open' END) AS ending, \
             COUNT(*) AS count FROM sends LEFT JOIN exchanges \
             ON exchanges.key = sends.key AND exchanges.send = sends.id GROUP BY ending",
        )
        .fetch_all(&self.database.readers)
        .await?;
        for row in endings {
            let count = row.try_get::<i64, _>("count")?.unsigned_abs();
            tally.sends += count;
            match row.try_get::<Option<String>, _>("ending")? {
                None => {}
                Some(open) if open == "open" => tally.open = count,
                Some(failure) => {
                    tally.failures.insert(failure, count);
                }
            }
        }
        Ok(tally)
    }
}
