//! A limit that holds: what a request could cost at most is set aside before it is sent.

use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use thiserror::Error;
use tokio::sync::Notify;

use crate::chat::{ChatRequest, Usage};
use crate::price::{Money, Price};

/// What may be spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// So many tokens, of requests and replies together.
    Tokens(u64),
    /// So much money.
    Money(Money),
}

/// A text that is no limit.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotALimit {
    /// Nothing: most likely `$5` in a shell, where it is a variable that is not set.
    #[error("the budget is empty; a shell expands $5 as a variable: use 5usd, or quote '$5'")]
    Empty,
    /// Something else.
    #[error("`{0}` is not a budget: use an amount such as 5usd, or tokens such as 200k")]
    Other(String),
}

/// Why nothing more is sent.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Exhausted {
    /// The next request might not fit.
    #[error(
        "the budget of {limit} is used up: {spent} spent, and the next request may need {next}"
    )]
    Spent {
        /// The budget.
        limit: Limit,
        /// What was spent.
        spent: Limit,
        /// What the next request could cost at most.
        next: Limit,
    },
    /// The budget of a run, which several processes share, has no room.
    #[error("the budget of the run, which is shared with other processes, is used up")]
    Elsewhere,
    /// What the organisation may spend in a day is spent.
    #[error(
        "the organisation's daily spending limit is reached: raise the limit, or continue \
         tomorrow (UTC)"
    )]
    Day,
    /// The budget is money and the model has no price.
    #[error("a budget in dollars needs the price of the model: add it to the price file")]
    NoPrice,
}

/// What may be spent, and what has been.
#[derive(Debug)]
pub struct Budget {
    limit: Option<Limit>,
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct State {
    spent: u64,
    set_aside: u64,
    used_up: Option<Exhausted>,
}

/// What is set aside for one request. Dropped unsettled, it costs nothing.
#[derive(Debug)]
pub struct Reservation {
    budget: Arc<Budget>,
    amount: u64,
}

impl Default for Budget {
    /// No limit.
    fn default() -> Self {
        Self { limit: None, state: Mutex::default(), changed: Notify::new() }
    }
}

impl Budget {
    /// A budget of which something may have been spent by an earlier process.
    pub fn new(limit: Option<Limit>, spent: u64) -> Arc<Self> {
        let state = Mutex::new(State { spent, ..State::default() });
        Arc::new(Self { limit, state, changed: Notify::new() })
    }

    /// Sets aside what a request could cost at most. If it does not fit now but might when
    /// others have come back cheaper than feared, it waits for them.
    pub async fn reserve(
        self: &Arc<Self>,
        request: &ChatRequest,
        price: Option<Price>,
    ) -> Result<Reservation, Exhausted> {
        let amount = match self.limit {
            // Nobody counts, so nobody has to measure.
            None => 0,
            Some(_) => self.amount(&request.ceiling(), price)?,
        };
        loop {
            let changed = self.changed.notified();
            if self.try_reserve(amount)? {
                return Ok(Reservation { budget: Arc::clone(self), amount });
            }
            changed.await;
        }
    }

    /// What may be spent, if there is a limit.
    pub fn limit(&self) -> Option<Limit> {
        self.limit
    }

    /// What was spent so far, in the unit of the limit; nothing without one.
    pub fn spent(&self) -> Option<Limit> {
        let spent = self.lock().spent;
        self.limit.map(|limit| limit.of_same_kind(spent))
    }

    fn try_reserve(&self, amount: u64) -> Result<bool, Exhausted> {
        let Some(limit) = self.limit else { return Ok(true) };
        let mut state = self.lock();
        if let Some(used_up) = &state.used_up {
            return Err(used_up.clone());
        }
        if state.spent.saturating_add(state.set_aside).saturating_add(amount) <= limit.number() {
            state.set_aside += amount;
            return Ok(true);
        }
        if state.set_aside > 0 {
            return Ok(false);
        }
        let spent = limit.of_same_kind(state.spent);
        let used_up = Exhausted::Spent { limit, spent, next: limit.of_same_kind(amount) };
        state.used_up = Some(used_up.clone());
        Err(used_up)
    }

    fn amount(&self, usage: &Usage, price: Option<Price>) -> Result<u64, Exhausted> {
        match (self.limit, price) {
            (None, _) => Ok(0),
            (Some(Limit::Tokens(_)), _) => Ok(usage.total()),
            (Some(Limit::Money(_)), Some(price)) => Ok(price.of(usage).nanodollars),
            (Some(Limit::Money(_)), None) => Err(Exhausted::NoPrice),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reservation {
    /// Replaces what was set aside by what it came to.
    pub fn settle(self, usage: &Usage, price: Option<Price>) {
        // Without a price nothing could have been reserved, so there is always an amount.
        let amount = self.budget.amount(usage, price).unwrap_or(self.amount);
        self.budget.lock().spent += amount;
    }

    /// Counts the whole of it as spent: the request may have been paid for.
    pub fn forfeit(self) {
        self.budget.lock().spent += self.amount;
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let mut state = self.budget.lock();
        state.set_aside = state.set_aside.saturating_sub(self.amount);
        drop(state);
        self.budget.changed.notify_waiters();
    }
}

impl Limit {
    fn number(self) -> u64 {
        match self {
            Self::Tokens(tokens) => tokens,
            Self::Money(money) => money.nanodollars,
        }
    }

    fn of_same_kind(self, number: u64) -> Self {
        match self {
            Self::Tokens(_) => Self::Tokens(number),
            Self::Money(_) => Self::Money(Money { nanodollars: number }),
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tokens(tokens) => write!(formatter, "{tokens} tokens"),
            Self::Money(money) => money.fmt(formatter),
        }
    }
}

impl FromStr for Limit {
    type Err = NotALimit;

    fn from_str(text: &str) -> Result<Self, NotALimit> {
        let refused = || NotALimit::Other(text.to_owned());
        let lower = text.trim().to_lowercase();
        if lower.is_empty() {
            return Err(NotALimit::Empty);
        }
        let dollars = ["usd", "$"].iter().find_map(|unit| {
            lower.strip_prefix(unit).or_else(|| lower.strip_suffix(unit)).map(str::trim)
        });
        if let Some(dollars) = dollars {
            return dollars.parse().map(Self::Money).map_err(|_| refused());
        }
        let number = ["tokens", "token"].iter().find_map(|unit| lower.strip_suffix(unit));
        let number = number.unwrap_or(&lower).trim_end();
        let (digits, times) = match number.as_bytes().last() {
            Some(b'k') => (number.trim_end_matches('k'), 1_000),
            Some(b'm') => (number.trim_end_matches('m'), 1_000_000),
            _ => (number, 1),
        };
        let tokens: u64 = digits.parse().map_err(|_| refused())?;
        tokens.checked_mul(times).map(Self::Tokens).ok_or_else(refused)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::chat::Message;

    /// 40 bytes are 40 tokens at most, a turn costs up to 16, and 44 are left for the reply.
    fn request() -> ChatRequest {
        let words = "x".repeat(40);
        let mut request = ChatRequest::new("a/b".parse().unwrap(), vec![Message::user(words)]);
        request.parameters.max_tokens = 44;
        request
    }

    fn used(input_tokens: u64, output_tokens: u64) -> Usage {
        Usage { input_tokens, cached_input_tokens: 0, output_tokens, counted: true }
    }

    #[tokio::test]
    async fn a_request_is_refused_when_its_worst_case_does_not_fit() {
        let budget = Budget::new(Some(Limit::Tokens(199)), 0);
        budget.reserve(&request(), None).await.unwrap().forfeit();
        let error = budget.reserve(&request(), None).await.unwrap_err();
        let (limit, spent, next) = (Limit::Tokens(199), Limit::Tokens(100), Limit::Tokens(100));
        assert_eq!(error, Exhausted::Spent { limit, spent, next });
    }

    #[tokio::test]
    async fn what_came_back_cheaper_leaves_room_for_others() {
        let budget = Budget::new(Some(Limit::Tokens(199)), 0);
        budget.reserve(&request(), None).await.unwrap().settle(&used(10, 5), None);
        assert_eq!(budget.spent(), Some(Limit::Tokens(15)));
        budget.reserve(&request(), None).await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_waits_for_those_under_way_before_it_gives_up() {
        let budget = Budget::new(Some(Limit::Tokens(199)), 0);
        let first = budget.reserve(&request(), None).await.unwrap();
        let other = Arc::clone(&budget);
        let second = tokio::spawn(async move { other.reserve(&request(), None).await.map(drop) });
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert!(!second.is_finished());
        first.settle(&used(10, 5), None);
        assert_eq!(second.await.unwrap(), Ok(()));
    }

    #[tokio::test]
    async fn once_used_up_nothing_goes_out_even_if_it_were_small() {
        let budget = Budget::new(Some(Limit::Tokens(50)), 0);
        assert!(budget.reserve(&request(), None).await.is_err());
        let mut small = request();
        small.parameters.max_tokens = 1;
        assert!(budget.reserve(&small, None).await.is_err());
    }

    #[tokio::test]
    async fn money_needs_a_price_and_an_earlier_process_counts() {
        let limit = Some("$1".parse().unwrap());
        assert_eq!(
            Budget::new(limit, 0).reserve(&request(), None).await.unwrap_err(),
            Exhausted::NoPrice
        );
        let file = "[[model]]\nname = 'a/b'\ninput = 1\noutput = 1";
        let catalogue = crate::Catalogue::default().with(file).unwrap();
        let price = catalogue.price(&request().model);
        let budget = Budget::new(limit, 999_900_000);
        budget.reserve(&request(), price).await.unwrap().settle(&used(20, 80), price);
        assert_eq!(budget.spent().unwrap().to_string(), "$1.00");
        let error = budget.reserve(&request(), price).await.unwrap_err();
        assert!(error.to_string().starts_with("the budget of $1.00 is used up"), "{error}");
    }

    #[test]
    fn limits_are_read_as_people_write_them() {
        for (text, limit) in [
            ("200000", Limit::Tokens(200_000)),
            ("200k", Limit::Tokens(200_000)),
            ("3M tokens", Limit::Tokens(3_000_000)),
            ("50K Tokens", Limit::Tokens(50_000)),
            ("$0.5", Limit::Money(Money { nanodollars: 500_000_000 })),
            ("2usd", Limit::Money(Money { nanodollars: 2_000_000_000 })),
            ("2$", Limit::Money(Money { nanodollars: 2_000_000_000 })),
            ("2 USD", Limit::Money(Money { nanodollars: 2_000_000_000 })),
            ("USD 2.5", Limit::Money(Money { nanodollars: 2_500_000_000 })),
        ] {
            assert_eq!(text.parse(), Ok(limit), "{text}");
        }
        for text in ["", " ", "k", "-5", "$x", "$", "usd", "99999999999999999999", "five"] {
            assert!(text.parse::<Limit>().is_err(), "{text}");
        }
        let empty = "".parse::<Limit>().unwrap_err().to_string();
        assert!(empty.contains("use 5usd"), "{empty}");
    }
}
