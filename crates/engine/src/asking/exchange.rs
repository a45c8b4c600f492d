//! One request and its reply: look up, budget, limiter, send, journal.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use assize_methods::Ask;
use assize_methods::hello::Hello;
use assize_models::retry::Trials;
use assize_models::{
    Budget, ChatReply, ChatRequest, Ending, ExchangeKey, Exhausted, Permit, ProviderError, Purpose,
    Reservation, Usage,
};
use assize_store::{Begun, Cost, Exchange, SendFailure, Sending, Sent};
use chrono::Utc;
use serde_json::value::to_raw_value;
use tokio::{select, time};

use super::account::Event;
use super::item::{self, Item};
use super::judge::Judge;
use super::outcome::Halt;
use super::sender::{self, Sender};

/// How often a request that takes long says that it is still under way.
const SIGN_OF_LIFE: Duration = Duration::from_secs(3);
/// The first wait for a reply that another process asks for; it doubles.
const FIRST_POLL: Duration = Duration::from_millis(30);
/// It doubles so often,
const POLL_DOUBLINGS: u32 = 6;
/// and not beyond this.
const LONGEST_POLL: Duration = Duration::from_millis(500);

/// A request, hashed once.
#[derive(Debug)]
pub(super) struct KeyedRequest<'a> {
    pub(super) request: &'a ChatRequest,
    pub(super) key: ExchangeKey,
    /// A reply is kept that this program cannot read: nobody else will bring a better one.
    is_unreadable: AtomicBool,
}

impl<'a> KeyedRequest<'a> {
    pub(super) fn new(request: &'a ChatRequest) -> Self {
        // Its JSON is not kept: while a request is under way, its words are there once.
        Self { request, key: request.key(), is_unreadable: AtomicBool::new(false) }
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

/// Whether a request may go out.
enum SendPermit<'a> {
    /// It is noted, where there is something to note it in.
    Yes(Option<Sent>, SetAside<'a>),
    /// Another process is asking for the same.
    Elsewhere,
}

/// While it lives, what a request can cost at most is set aside in shared budgets.
struct SetAside<'a>(&'a AtomicUsize);

impl<'a> SetAside<'a> {
    fn new(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for SetAside<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// How one attempt ended.
enum End {
    /// With a reply, or without one.
    Here(Result<ChatReply, ProviderError>),
    /// Nothing was sent: another process is asking for the same.
    Elsewhere,
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
        if let Some(reply) = self.kept(keyed).await? {
            self.accounting.note(&Event::FromStore(judge.name.clone()));
            self.record(request, &Ok(reply.clone()))?;
            return Ok(reply);
        }
        // In a box: what waits for it is nested deeply enough.
        let end = match Box::pin(self.send_until_answered(judge, keyed)).await {
            Ok(reply) => Ok(reply),
            Err(NoReply::Failed(error)) => Err(error),
            Err(halt) => return Err(halt),
        };
        self.record(request, &end)?;
        end.map_err(|error| self.give_up(judge, error))
    }

    /// The reply kept under a key. One that cannot be understood was kept by another
    /// program; it is asked for again and, as the first reply stays, never replaced.
    async fn kept(&self, keyed: &KeyedRequest<'_>) -> Result<Option<ChatReply>, NoReply> {
        let Some(store) = &self.store else { return Ok(None) };
        let Some(kept) = store.find_reply(&keyed.key.to_string()).await? else { return Ok(None) };
        let reply = serde_json::from_str(kept.get()).ok();
        keyed.is_unreadable.store(reply.is_none(), Ordering::Relaxed);
        Ok(reply)
    }

    async fn send_until_answered(
        &self,
        judge: &Judge,
        keyed: &KeyedRequest<'_>,
    ) -> Result<ChatReply, NoReply> {
        let KeyedRequest { request, key, .. } = keyed;
        let mut reservation = self.reserve(judge, request).await?;
        let (mut trials, mut polls) = (Trials::default(), 0);
        loop {
            self.wait_for_all(judge, request).await?;
            let permit = self.admit(judge, *key).await?;
            let purpose = permit.purpose();
            if purpose == Purpose::HealthCheck {
                self.check_health(judge, permit).await?;
                continue;
            }
            let error = match self.send(judge, keyed, permit).await? {
                End::Elsewhere => match self.reply_of_another(judge, keyed, &mut polls).await? {
                    Some(reply) => return Ok(reply),
                    None => continue,
                },
                End::Here(Ok(reply)) => {
                    reservation.settle(&billed(request, &reply), judge.price);
                    return Ok(reply);
                }
                End::Here(Err(error)) => error,
            };
            trials.note(&error, purpose == Purpose::Probe);
            let is_spent = error.may_have_been_paid();
            let wait = judge.retry.wait(&error, trials, key.seed());
            let wait = wait.filter(|wait| judge.has_time_after(*wait));
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

    /// Waits for a reply that another process asks for. `None`: it is not there yet, and it may
    /// be our turn.
    async fn reply_of_another(
        &self,
        judge: &Judge,
        keyed: &KeyedRequest<'_>,
        polls: &mut u32,
    ) -> Result<Option<ChatReply>, NoReply> {
        self.poll(polls).await?;
        let reply = self.kept(keyed).await?;
        if reply.is_some() {
            self.accounting.note(&Event::FromStore(judge.name.clone()));
        }
        Ok(reply)
    }

    /// Waits a little, each time a little longer.
    async fn poll(&self, polls: &mut u32) -> Result<(), Halt> {
        let wait = FIRST_POLL * 2_u32.pow((*polls).min(POLL_DOUBLINGS));
        *polls += 1;
        self.wait(wait.min(LONGEST_POLL)).await
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

    /// Waits until what all processes together may ask of the provider has room for one more.
    async fn wait_for_all(&self, judge: &Judge, request: &ChatRequest) -> Result<(), NoReply> {
        let Some(store) = &self.store else { return Ok(()) };
        while let Some(wait) = self.shared_limits.wait(store, judge, request).await? {
            self.wait(wait).await?;
        }
        Ok(())
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
        let (request, _) = sender::request(judge, Hello.prompt(), 0)?;
        let reservation = self.reserve(judge, &request).await?;
        let keyed = KeyedRequest::new(&request);
        // Everybody asks for themselves whether a provider is well.
        let SendPermit::Yes(sent, _aside) = self.begin(judge, &keyed, false).await? else {
            return Ok(());
        };
        let Some(end) = self.complete(judge, &keyed, sent.as_ref()).await else {
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

    /// Notes a request before it goes out, at the most it can cost. What others of this process
    /// have set aside may come back: as long as something does, a full budget is no end.
    async fn begin(
        &self,
        judge: &Judge,
        keyed: &KeyedRequest<'_>,
        is_exclusive: bool,
    ) -> Result<SendPermit<'_>, NoReply> {
        let aside = || SetAside::new(&self.set_aside);
        let Some(store) = &self.store else { return Ok(SendPermit::Yes(None, aside())) };
        let item = Item::current();
        let scopes = match &item {
            Some(item) => item.run.scopes(store).await?,
            None => item::charged_scopes(),
        };
        let model = &keyed.request.model;
        let sending = Sending {
            item: item.as_ref().map(|item| (item.run.id.clone(), item.position)),
            asked: Some((model.provider().to_owned(), model.model().to_owned())),
            ceiling: cost(judge, &keyed.request.ceiling()),
            scopes,
            is_exclusive,
            ..Sending::new(&keyed.key.to_string(), Utc::now())
        };
        let mut polls = 0;
        loop {
            // Looked at before the budget is: what comes back meanwhile is not missed.
            let others = self.set_aside.load(Ordering::Relaxed);
            let full = match store.begin_send(sending.clone()).await? {
                Begun::Sent(sent) => return Ok(SendPermit::Yes(Some(sent), aside())),
                Begun::Held => return Ok(SendPermit::Elsewhere),
                Begun::NoRoom(full) => full,
            };
            if full.is_unpriced {
                return Err(Halt::Budget(Exhausted::NoPrice).into());
            }
            if others == 0 {
                let of_a_day = full.is_of_a_day();
                let used_up = if of_a_day { Exhausted::Day } else { Exhausted::Elsewhere };
                return Err(Halt::Budget(used_up).into());
            }
            self.poll(&mut polls).await?;
        }
    }

    /// What the model says, or `None` if somebody cannot wait for it.
    async fn complete(
        &self,
        judge: &Judge,
        keyed: &KeyedRequest<'_>,
        sent: Option<&Sent>,
    ) -> Option<Result<ChatReply, ProviderError>> {
        self.accounting.note(&Event::Sent(judge.name.clone()));
        select! {
            biased;
            end = judge.provider.complete(keyed.request) => Some(end),
            () = self.stop.at_once() => None,
            () = self.hold_on(sent) => None,
            after = give_up_at(judge.deadline) => Some(Err(ProviderError::TimedOut { after })),
        }
    }

    /// Says again and again, for ever, that a request is still under way.
    async fn hold_on(&self, sent: Option<&Sent>) {
        loop {
            time::sleep(SIGN_OF_LIFE).await;
            if let (Some(store), Some(sent)) = (&self.store, sent) {
                // A database that is away forgets who asks; the reply is kept all the same.
                let _ = store.hold_send(sent).await;
            }
        }
    }

    /// Sends once: noted before it goes out, kept before anyone sees the reply.
    async fn send(
        &self,
        judge: &Judge,
        keyed: &KeyedRequest<'_>,
        permit: Permit,
    ) -> Result<End, NoReply> {
        let is_exclusive = !keyed.is_unreadable.load(Ordering::Relaxed);
        let SendPermit::Yes(sent, _aside) = self.begin(judge, keyed, is_exclusive).await? else {
            return Ok(End::Elsewhere);
        };
        let begun = time::Instant::now();
        let Some(end) = self.complete(judge, keyed, sent.as_ref()).await else {
            return Err(Halt::Asked.into());
        };
        trace(judge, keyed.key, &end, begun.elapsed());
        match end {
            Ok(reply) => {
                permit.end(Ending::Answered);
                let reply = self.keep(judge, keyed, sent, reply).await?;
                Ok(End::Here(Ok(reply)))
            }
            Err(error) => {
                permit.end(Ending::Failed(&error));
                if let (Some(store), ProviderError::RateLimited { .. }) = (&self.store, &error) {
                    self.shared_limits.complained(store, judge).await?;
                }
                if let (Some(store), Some(sent)) = (&self.store, sent) {
                    let cost = (!error.may_have_been_paid()).then(Cost::default);
                    let (class, said) = (error.class(), error.to_string());
                    store
                        .fail_send(sent, SendFailure { class, said, at: Utc::now(), cost })
                        .await?;
                }
                Ok(End::Here(Err(error)))
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
                request: to_raw_value(keyed.request).expect("a request is plain data"),
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

/// Returns at a deadline how long it was waited; without one, never.
async fn give_up_at(deadline: Option<time::Instant>) -> Duration {
    let Some(deadline) = deadline else { return std::future::pending().await };
    let begun = time::Instant::now();
    time::sleep_until(deadline).await;
    begun.elapsed()
}

/// A line of the log for one request: whose it was, what it is called, how it ended.
fn trace(judge: &Judge, key: ExchangeKey, end: &Result<ChatReply, ProviderError>, took: Duration) {
    let item = Item::current();
    let run = item.as_ref().map(|item| item.run.id.as_str());
    let item = item.as_ref().map(|item| item.position);
    let (model, milliseconds) = (&judge.name, took.as_secs_f64() * 1e3);
    match end {
        Ok(reply) => {
            let tokens = reply.usage.total();
            tracing::info!(run, item, exchange = %key, %model, milliseconds, tokens, "answered");
        }
        Err(error) => {
            let class = error.class();
            tracing::warn!(run, item, exchange = %key, %model, milliseconds, class, %error, "failed");
        }
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
