//! What everything in a store came to: requests, replies, tokens, money.

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;

use crate::error::Result;
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
    #[boxed]
    pub async fn tally(&self) -> Result<Tally> {
        let sums = "SELECT COUNT(*) AS exchanges, \
            CAST(COALESCE(SUM(input_tokens), 0) AS BIGINT) AS input_tokens, \
            CAST(COALESCE(SUM(output_tokens), 0) AS BIGINT) AS output_tokens, \
            CAST(COALESCE(SUM(price_nanodollars), 0) AS BIGINT) AS price, \
            COUNT(*) - COUNT(price_nanodollars) AS unpriced FROM exchanges";
        let mut tally = Tally::default();
        if let Some(row) = self.database.fetch_optional(sums, &[]).await? {
            tally.exchanges = row.count("exchanges")?;
            tally.input_tokens = row.count("input_tokens")?;
            tally.output_tokens = row.count("output_tokens")?;
            tally.price_nanodollars = row.count("price")?;
            tally.unpriced = row.count("unpriced")?;
        }
        let endings = "SELECT ending, COUNT(*) AS count FROM (\
            SELECT COALESCE(failure, CASE WHEN exchanges.send IS NULL THEN 'open' END) AS ending \
            FROM sends LEFT JOIN exchanges \
            ON exchanges.key = sends.key AND exchanges.send = sends.id) AS ended GROUP BY ending";
        for row in self.database.fetch(endings, &[]).await? {
            let count = row.count("count")?;
            tally.sends += count;
            match row.get::<Option<String>>("ending")? {
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
