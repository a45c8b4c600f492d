//! What a run has done so far, for progress and for the bill.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use assize_models::{ModelName, Money, ProviderError, Usage};

/// The sums of a run in this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Account {
    /// Replies that were already kept, and cost nothing now.
    pub from_store: u64,
    /// Replies that came now.
    pub answered: u64,
    /// Requests that went out.
    pub sent: u64,
    /// Those of them that brought no reply.
    pub failed: u64,
    /// Those of them that may have been paid for all the same.
    pub maybe_paid: u64,
    /// Those of them that only asked whether a provider is well.
    pub health_checks: u64,
    /// Questions that were asked a second time because the reply could not be read.
    pub asked_again: u64,
    /// Tokens of the replies that came now and of their requests.
    pub usage: Usage,
    /// What they cost, as far as prices are known.
    pub price: Money,
    /// Replies whose price is not known.
    pub unpriced: u64,
}

/// Something happened.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A request went out.
    Sent(ModelName),
    /// Its reply is kept.
    Answered(ModelName, Usage, Option<Money>),
    /// A reply was already kept.
    FromStore(ModelName),
    /// A request failed and will be sent again after a while.
    Waiting(ModelName, ProviderError, Duration),
    /// A request failed for good.
    Failed(ModelName, ProviderError),
    /// A reply could not be read, and the question is asked once more.
    AskedAgain(ModelName, String),
    /// A provider on which several requests failed was asked something harmless: it answered,
    /// or did not.
    HealthChecked(ModelName, Option<ProviderError>),
}

type Listener = Arc<dyn Fn(&Event) + Send + Sync>;

/// Adds up events and passes them on.
#[derive(Clone, Default)]
pub(crate) struct Accounting {
    account: Arc<Mutex<Account>>,
    listener: Option<Listener>,
}

impl Accounting {
    pub(crate) fn listen(&mut self, listener: impl Fn(&Event) + Send + Sync + 'static) {
        self.listener = Some(Arc::new(listener));
    }

    pub(crate) fn account(&self) -> Account {
        *self.lock()
    }

    pub(crate) fn note(&self, event: &Event) {
        self.lock().add(event);
        if let Some(listener) = &self.listener {
            listener(event);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Account> {
        self.account.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Account {
    fn add(&mut self, event: &Event) {
        match event {
            Event::Sent(_) => self.sent += 1,
            Event::FromStore(_) => self.from_store += 1,
            Event::AskedAgain(..) => self.asked_again += 1,
            Event::HealthChecked(_, None) => self.health_checks += 1,
            Event::HealthChecked(_, Some(error)) => {
                self.health_checks += 1;
                self.failed += 1;
                self.maybe_paid += u64::from(error.may_have_been_paid());
            }
            Event::Waiting(_, error, _) | Event::Failed(_, error) => {
                self.failed += 1;
                self.maybe_paid += u64::from(error.may_have_been_paid());
            }
            Event::Answered(_, usage, price) => {
                self.answered += 1;
                self.usage = sum(self.usage, *usage);
                match price {
                    Some(price) => self.price.nanodollars += price.nanodollars,
                    None => self.unpriced += 1,
                }
            }
        }
    }
}

/// Tokens together; counted only if all of them were.
pub(crate) fn sum(one: Usage, other: Usage) -> Usage {
    Usage {
        input_tokens: one.input_tokens + other.input_tokens,
        cached_input_tokens: one.cached_input_tokens + other.cached_input_tokens,
        output_tokens: one.output_tokens + other.output_tokens,
        counted: (one.counted || one.total() == 0) && other.counted,
    }
}
