//! What a provider allows for a model in a minute, shared by all processes.
//!
//! One row for each provider and model holds two buckets, of requests and of tokens, which fill
//! up by the database's clock. Processes take from them in chunks, so that a busy one does not
//! ask the database for every request. A bucket holds little, so that requests are spread over
//! the minute and not sent all at its beginning. A provider that complained to one process is
//! left alone by all.

use std::time::Duration;

use async_recursion::async_recursion as boxed;

use crate::database::Row;
use crate::error::Result;
use crate::record::handle;
use crate::value::values;

/// A bucket of requests holds what one second brings.
const REQUESTS_SECONDS: f64 = 1.0;
/// One of tokens holds more: requests differ in size.
const TOKENS_SECONDS: f64 = 5.0;
const SECONDS_A_MINUTE: f64 = 60.0;
/// Nobody waits longer before looking again: somebody may give tokens back.
const WAIT_MAX: Duration = Duration::from_secs(5);

/// What is allowed in a minute; `None` is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rates {
    pub requests_a_minute: Option<u32>,
    /// Tokens of requests and replies.
    pub tokens_a_minute: Option<u64>,
}

impl Rates {
    /// Whether anything is limited.
    pub fn is_any(&self) -> bool {
        self.requests_a_minute.is_some() || self.tokens_a_minute.is_some()
    }

    fn requests(&self) -> f64 {
        self.requests_a_minute.map_or(f64::INFINITY, |rate| f64::from(rate.max(1)))
            / SECONDS_A_MINUTE
    }

    #[expect(clippy::cast_precision_loss, reason = "a rate is no exact number")]
    fn tokens(&self) -> f64 {
        self.tokens_a_minute.map_or(f64::INFINITY, |rate| rate.max(1) as f64) / SECONDS_A_MINUTE
    }
}

/// What a process got.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Taken {
    /// So many requests may go out now.
    Requests(u32),
    /// None; there will be something after so long.
    After(Duration),
}

handle!(Limits, limits, "The limits of a store.");

impl Limits<'_> {
    /// Takes up to so many requests of about so many tokens each. What a bucket lacks of a large
    /// request is owed to it: otherwise that request could never go out.
    #[boxed]
    pub async fn take(
        &self,
        [provider, model]: [&str; 2],
        rates: &Rates,
        requests: u32,
        tokens_each: f64,
    ) -> Result<Taken> {
        let database = &self.0.database;
        let full = Buckets::full(rates);
        let mut transaction = database.begin().await?;
        let sql = format!(
            "INSERT INTO provider_limits (provider, model, requests, tokens, filled_at) \
             VALUES ($1, $2, $3, $4, {}) ON CONFLICT (provider, model) DO NOTHING",
            database.now()
        );
        let values = values![provider, model, full.requests, full.tokens];
        transaction.execute(&sql, &values).await?;
        let sql = format!(
            "SELECT requests, tokens, {} AS filled, {} AS paused FROM provider_limits \
             WHERE provider = $1 AND model = $2 {}",
            database.seconds_since("filled_at"),
            database.seconds_since("paused_until"),
            database.for_update()
        );
        let row = transaction.fetch_optional(&sql, &values![provider, model]).await?;
        let Some(row) = row else { return Ok(Taken::Requests(requests)) };
        if let Some(wait) = pause(&row)? {
            return Ok(Taken::After(wait));
        }
        let mut buckets = Buckets { requests: row.get("requests")?, tokens: row.get("tokens")? };
        buckets.fill(rates, row.get("filled")?);
        let taken = buckets.take(rates, requests, tokens_each);
        let sql = format!(
            "UPDATE provider_limits SET requests = $3, tokens = $4, filled_at = {}, \
             requests_a_minute = $5, tokens_a_minute = $6 WHERE provider = $1 AND model = $2",
            database.now()
        );
        let (requests, tokens) = (rates.requests_a_minute.map(i64::from), rates.tokens_a_minute);
        let tokens = tokens.map(|tokens| i64::try_from(tokens).unwrap_or(i64::MAX));
        let values = values![provider, model, buckets.requests, buckets.tokens, requests, tokens];
        transaction.execute(&sql, &values).await?;
        transaction.commit().await?;
        Ok(taken)
    }

    /// Has everybody leave a provider's model alone for so long.
    #[boxed]
    pub async fn pause(&self, [provider, model]: [&str; 2], wait: Duration) -> Result<()> {
        let database = &self.0.database;
        let sql = format!(
            "INSERT INTO provider_limits (provider, model, requests, tokens, filled_at, \
             paused_until) VALUES ($1, $2, 0, 0, {now}, {until}) ON CONFLICT (provider, model) \
             DO UPDATE SET paused_until = excluded.paused_until \
             WHERE provider_limits.paused_until IS NULL \
             OR provider_limits.paused_until < excluded.paused_until",
            now = database.now(),
            until = database.moment("$3")
        );
        database.execute(&sql, &values![provider, model, wait.as_secs_f64()]).await?;
        Ok(())
    }

    /// How long a provider's model is still to be left alone.
    #[boxed]
    pub async fn paused(&self, [provider, model]: [&str; 2]) -> Result<Option<Duration>> {
        let sql = format!(
            "SELECT {} AS paused FROM provider_limits WHERE provider = $1 AND model = $2",
            self.0.database.seconds_since("paused_until")
        );
        let row = self.0.database.fetch_optional(&sql, &values![provider, model]).await?;
        row.map_or(Ok(None), |row| pause(&row))
    }
}

/// What is left of a pause.
fn pause(row: &Row) -> Result<Option<Duration>> {
    let over: Option<f64> = row.get("paused")?;
    let left = over.map(|over| -over).filter(|left| *left > 0.0);
    Ok(left.and_then(|left| Duration::try_from_secs_f64(left).ok()))
}

/// What may be sent at this moment.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Buckets {
    requests: f64,
    tokens: f64,
}

impl Buckets {
    fn full(rates: &Rates) -> Self {
        let finite = |number: f64| if number.is_finite() { number } else { 0.0 };
        Self {
            requests: finite((rates.requests() * REQUESTS_SECONDS).max(1.0)),
            tokens: finite((rates.tokens() * TOKENS_SECONDS).max(1.0)),
        }
    }

    fn fill(&mut self, rates: &Rates, seconds: f64) {
        let (full, seconds) = (Self::full(rates), seconds.max(0.0));
        let more = |rate: f64| if rate.is_finite() { rate * seconds } else { 0.0 };
        self.requests = (self.requests + more(rates.requests())).min(full.requests);
        self.tokens = (self.tokens + more(rates.tokens())).min(full.tokens);
    }

    fn take(&mut self, rates: &Rates, requests: u32, tokens_each: f64) -> Taken {
        let wait = |lacks: f64, rate: f64| {
            let seconds = (lacks / rate).clamp(0.001, WAIT_MAX.as_secs_f64());
            Taken::After(Duration::from_secs_f64(seconds))
        };
        let mut count = requests.max(1);
        if rates.requests_a_minute.is_some() {
            if self.requests < 1.0 {
                return wait(1.0 - self.requests, rates.requests());
            }
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "at least 1, and what is too much for a u32 is its end"
            )]
            let there = self.requests as u32;
            count = count.min(there);
        }
        if rates.tokens_a_minute.is_some() {
            if self.tokens <= 0.0 {
                return wait(-self.tokens + 1.0, rates.tokens());
            }
            // Owes for one request at most.
            while count > 1 && f64::from(count - 1) * tokens_each >= self.tokens {
                count -= 1;
            }
            self.tokens -= f64::from(count) * tokens_each;
        }
        if rates.requests_a_minute.is_some() {
            self.requests -= f64::from(count);
        }
        Taken::Requests(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_gives_what_it_has_and_says_when_there_will_be_more() {
        let rates = Rates { requests_a_minute: Some(120), tokens_a_minute: None };
        let mut buckets = Buckets::full(&rates);
        assert_eq!(buckets.take(&rates, 5, 100.0), Taken::Requests(2));
        assert_eq!(buckets.take(&rates, 5, 100.0), Taken::After(Duration::from_millis(500)));
        buckets.fill(&rates, 0.5);
        assert_eq!(buckets.take(&rates, 5, 100.0), Taken::Requests(1));
        // However long nobody asks, a second's worth is all there is.
        buckets.fill(&rates, 3_600.0);
        assert_eq!(buckets, Buckets::full(&rates));
    }

    #[test]
    fn a_request_larger_than_the_bucket_goes_out_and_is_owed() {
        let rates = Rates { requests_a_minute: None, tokens_a_minute: Some(6_000) };
        let mut buckets = Buckets::full(&rates);
        assert_eq!(buckets.tokens, 500.0);
        assert_eq!(buckets.take(&rates, 4, 1_500.0), Taken::Requests(1));
        assert_eq!(buckets.tokens, -1_000.0);
        assert_eq!(buckets.take(&rates, 1, 10.0), Taken::After(WAIT_MAX));
        buckets.fill(&rates, 10.5);
        assert_eq!(buckets.take(&rates, 4, 10.0), Taken::Requests(4));
    }
}
