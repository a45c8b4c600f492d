//! One request and its reply: look up, budget, limiter, send, journal.

use std::sync::Arc;
use std::time::Duration;

use assize_methods::Ask;
use assize_methods::hello::Hello;
use assize_models::retry::Trials;
use assize_models::{
    Budget, ChatReply, ChatRequest, Ending, ExchangeKey, Exhausted, Permit, ProviderError, Purpose,
    Reservation, Usage,
};
use assize_store::{Cost, Exchange, SendFailure, Sending, Sent};
use chrono::Utc;
use serde_json::value::{RawValue, to_raw_value};
use tokio::{select, time};

use super::account::Event;
use super::item::Item;
use super::judge::Judge;
use super::outcome::Halt;
use super::sender::{self, Sender};

/// A request, written down once and hashed once.
#[derive(Debug)]
pub(super) struct KeyedRequest<'a> {
    pub(super) request: &'a ChatRequest,
    pub(super) key: ExchangeKey,
    json: String,
}

impl<'a> KeyedRequest<'a> {
    pub(super) fn new(request: &'a ChatRequest) -> Self {
        let json = request.json();
        Self { request, key: ExchangeKey::of_json(&json), json }
    }
}

/// Why a request brought no reply.
#[derive(Debug)]
pub(super) enum NoReply {
    /// The model did not answer this one.
    Failed(ProviderError),
    /// The run ends here.
    Halt(Halt),
}

impl<E: Into<Halt>> From<E> for NoReply {
    fn from(error: E) -> Self {
        Self::Halt(error.into())
    }
}

impl Sender {
    /// The reply to a request: the one that is kept, or a new one, which is then kept.
    pub(super) async fn exchange(
        &self,
        judge: &Judge,
        keyed: &KeyedRequest<'_>,
    ) -> Result<ChatReply, NoReply> {
        let KeyedRequest { request, key, .. } = keyed;
        let _turn = self.in_flight.wait_for(*key).await;
        if let Some(reply) = self.kept(*key).await? {
            self.accounting.note(&Event::FromStore(judge.name.clone()));
            self.record(request, &Ok(reply.clone()))?;
            return Ok(reply);
        }
        let end = match self.send_until_answered(judge, keyed).await {
            Ok(reply) => Ok(reply),
            Err(NoReply::Failed(error)) => Err(error),
            Err(halt) => return Err(halt),
        };
        self.record(request, &end)?;
        end.map_err(|error| self.give_up(judge, error))
    }

    /// The reply kept under a key. One that cannot be understood was kept by another
    /// program; it is asked for again and, as the first reply stays, never replaced.
    async fn kept(&self, key: ExchangeKey) -> Result<Option<ChatReply>, NoReply> {
        let Some(store) = &self.store else { return Ok(None) };
        let reply = store.find_reply(&key.to_string()).await?;
        Ok(reply.and_then(|reply| serde_json::from_str(reply.get()).ok()))
    }

    async fn send_until_answered(
        &self,
        judge: &Judge,
        keyed: &KeyedRequest<'_>,
    ) -> Result<ChatReply, NoReply> {
        let KeyedRequest { request, key, .. } = keyed;
        let mut reservation = self.reserve(judge, request).await?;
        let mut trials = Trials::default();
        loop {
            let permit = self.admit(judge, *key).await?;
            let purpose = permit.purpose();
            if purpose == Purpose::HealthCheck {
                self.check_health(judge, permit).await?;
                continue;
            }
            let error = match self.send(judge, keyed, permit).await? {
                Ok(reply) => {
                    reservation.settle(&billed(request, &reply), judge.price);
                    return Ok(reply);
                }
                Err(error) => error,
            };
            trials.note(&error, purpose == Purpose::Probe);
            let is_spent = error.may_have_been_paid();
            let wait = judge.retry.wait(&error, trials, key.seed());
            let Some(wait) = wait else {
                if is_spent {
                    reservation.forfeit();
                }
                return Err(NoReply::Failed(error));
            };
            self.accounting.note(&Event::Waiting(judge.name.clone(), error, wait));
            if is_spent {
                reservation.forfeit();
                reservation = self.reserve(judge, request).await?;
            }
            self.wait(wait).await?;
            trials.waited += wait;
        }
    }

    /// The budget that pays: that of the run, or the session's.
    fn budget(&self) -> Arc<Budget> {
        let of_the_run = Item::current().and_then(|item| item.run.budget.clone());
        of_the_run.unwrap_or_else(|| Arc::clone(&self.budget))
    }

    /// Sets the worst case aside, unless somebody wants to stop.
    async fn reserve(&self, judge: &Judge, request: &ChatRequest) -> Result<Reservation, Halt> {
        let budget = self.budget();
        select! {
            biased;
            () = self.stop.asked() => Err(Halt::Asked),
            reservation = budget.reserve(request, judge.price) => Ok(reservation?),
        }
    }

    /// Waits for leave to send, unless somebody wants to stop.
    async fn admit(&self, judge: &Judge, key: ExchangeKey) -> Result<Permit, Halt> {
        select! {
            biased;
            () = self.stop.asked() => Err(Halt::Asked),
            permit = judge.throttle.admit(key.seed()) => permit.map_err(|source| {
                Halt::Provider { model: judge.name.clone(), source }
            }),
        }
    }

    async fn wait(&self, wait: Duration) -> Result<(), Halt> {
        select! {
            () = self.stop.asked() => Err(Halt::Asked),
            () = time::sleep(wait) => Ok(()),
        }
    }

    /// Asks for one word, to tell a provider that is down from requests that it cannot take.
    /// The reply is not kept: the next check must ask again.
    async fn check_health(&self, judge: &Judge, permit: Permit) -> Result<(), NoReply> {
        let (request, _) = sender::request(judge, &Hello.prompt(), 0)?;
        let reservation = self.reserve(judge, &request).await?;
        let keyed = KeyedRequest::new(&request);
        let sent = self.begin(judge, &keyed).await?;
        let Some(end) = self.complete(judge, &keyed).await else {
            return Err(Halt::Asked.into());
        };
        let (class, said, cost) = match &end {
            Ok(reply) => {
                let usage = billed(&request, reply);
                reservation.settle(&usage, judge.price);
                ("health_check", "answered".to_owned(), Some(cost(judge, &usage)))
            }
            Err(error) if error.may_have_been_paid() => {
                reservation.forfeit();
                (error.class(), error.to_string(), None)
            }
            Err(error) => (error.class(), error.to_string(), Some(Cost::default())),
        };
        match &end {
            Ok(_) => permit.end(Ending::Answered),
            Err(error) => permit.end(Ending::Failed(error)),
        }
        self.accounting.note(&Event::HealthChecked(judge.name.clone(), end.err()));
        if let (Some(store), Some(sent)) = (&self.store, sent) {
            store.fail_send(sent, SendFailure { class, said, at: Utc::now(), cost }).await?;
        }
        Ok(())
    }

    /// Notes a request before it goes out, at the most it can cost.
    async fn begin(
        &self,
        judge: &Judge,
        keyed: &KeyedRequest<'_>,
    ) -> Result<Option<Sent>, NoReply> {
        let Some(store) = &self.store else { return Ok(None) };
        let item = Item::current();
        let model = &keyed.request.model;
        let sending = Sending {
            item: item.as_ref().map(|item| (item.run.id.clone(), item.position)),
            asked: Some((model.provider().to_owned(), model.model().to_owned())),
            ceiling: cost(judge, &keyed.request.ceiling()),
            scopes: item.map(|item| item.run.scopes.clone()).unwrap_or_default(),
            ..Sending::new(&keyed.key.to_string(), Utc::now())
        };
        match store.begin_send(sending).await? {
            Some(sent) => Ok(Some(sent)),
            None => Err(Halt::Budget(Exhausted::Elsewhere).into()),
        }
    }

    /// What the model says, or `None` if somebody cannot wait for it.
    async fn complete(
        &self,
        judge: &Judge,
        keyed: &KeyedRequest<'_>,
    ) -> Option<Result<ChatReply, ProviderError>> {
        self.accounting.note(&Event::Sent(judge.name.clone()));
        select! {
            biased;
            end = judge.provider.complete(keyed.request) => Some(end),
            () = self.stop.at_once() => None,
        }
    }

    /// Sends once: noted before it goes out, kept before anyone sees the reply.
    async fn send(
        &self,
        judge: &Judge,
        keyed: &KeyedRequest<'_>,
        permit: Permit,
    ) -> Result<Result<ChatReply, ProviderError>, NoReply> {
        let sent = self.begin(judge, keyed).await?;
        let Some(end) = self.complete(judge, keyed).await else {
            return Err(Halt::Asked.into());
        };
        match end {
            Ok(reply) => {
                permit.end(Ending::Answered);
                let reply = self.keep(judge, keyed, sent, reply).await?;
                Ok(Ok(reply))
            }
            Err(error) => {
                permit.end(Ending::Failed(&error));
                if let (Some(store), Some(sent)) = (&self.store, sent) {
                    let cost = (!error.may_have_been_paid()).then(Cost::default);
                    let (class, said) = (error.class(), error.to_string());
                    store
                        .fail_send(sent, SendFailure { class, said, at: Utc::now(), cost })
                        .await?;
                }
                Ok(Err(error))
            }
        }
    }

    async fn keep(
        &self,
        judge: &Judge,
        keyed: &KeyedRequest<'_>,
        sent: Option<Sent>,
        reply: ChatReply,
    ) -> Result<ChatReply, NoReply> {
        let price = judge.price.map(|price| price.of(&reply.usage));
        let mut reply = reply;
        if let (Some(store), Some(sent)) = (&self.store, sent) {
            let model = &keyed.request.model;
            let exchange = Exchange {
                key: keyed.key.to_string(),
                provider: model.provider().to_owned(),
                model: model.model().to_owned(),
                attempt: keyed.request.attempt,
                request: RawValue::from_string(keyed.json.clone()).expect("we wrote it"),
                reply: to_raw_value(&reply).expect("a reply is plain data"),
                input_tokens: reply.usage.input_tokens,
                output_tokens: reply.usage.output_tokens,
                counted: reply.usage.counted,
                price_nanodollars: price.map(|price| price.nanodollars),
                created: Utc::now(),
            };
            let cost = cost(judge, &billed(keyed.request, &reply));
            if let Some(earlier) = store.keep(sent, exchange, cost).await? {
                reply = serde_json::from_str(earlier.get()).unwrap_or(reply);
            }
        }
        self.accounting.note(&Event::Answered(judge.name.clone(), reply.usage, price));
        Ok(reply)
    }

    fn record(
        &self,
        request: &ChatRequest,
        end: &Result<ChatReply, ProviderError>,
    ) -> Result<(), Halt> {
        let Some(recorder) = &self.recorder else { return Ok(()) };
        recorder.record(request, end).map_err(|error| Halt::Recording(error.into()))
    }

    /// A failure for good: of this request, or of the run.
    fn give_up(&self, judge: &Judge, error: ProviderError) -> NoReply {
        self.accounting.note(&Event::Failed(judge.name.clone(), error.clone()));
        if error.concerns_the_run() {
            return Halt::Provider { model: judge.name.clone(), source: error }.into();
        }
        NoReply::Failed(error)
    }
}

/// What an answered request is billed at. A provider that counts nothing, or says that it was
/// nothing, is billed at the most it can have been: a budget must hold whoever counts.
fn billed(request: &ChatRequest, reply: &ChatReply) -> Usage {
    if reply.usage.counted {
        return reply.usage;
    }
    Usage { output_tokens: reply.text.len() as u64, ..request.ceiling() }
}

fn cost(judge: &Judge, usage: &Usage) -> Cost {
    Cost {
        tokens: usage.total(),
        price_nanodollars: judge.price.map(|price| price.of(usage).nanodollars),
        is_estimated: !usage.counted,
    }
}
