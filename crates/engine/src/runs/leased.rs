//! Working on a run together with others: items are claimed in small batches, held while they
//! are worked on, and finished where the lease still stands.
//!
//! Several processes may do this to one run at once. Whoever has nothing left to claim waits
//! for the others, because one of them may die and its items return.

use std::collections::{BTreeSet, VecDeque};
use std::pin::Pin;
use std::time::Duration;

use assize_store::{Claimed, Finished, Open, Product, RunId, RunState, Store, StoreError};
use futures_util::stream::{FuturesUnordered, StreamExt};
use tokio::select;
use tokio::time::{self, Instant, MissedTickBehavior};

use crate::asking::items::better;
use crate::asking::{Halt, Stop};

/// How long an item is ours without a sign of life. Long enough for a machine that is busy
/// with something else, short enough that the work of a dead process is not waited for long.
pub(crate) const HOLD: Duration = Duration::from_secs(20);
/// Four chances to be heard before the lease runs out.
const HEARTBEAT: Duration = Duration::from_secs(5);
/// How often one who has nothing to do looks whether something returned.
const POLL: Duration = Duration::from_millis(500);
/// Items claimed at once, at most: what one process holds and does not work on yet, others
/// cannot have.
const CLAIM_MAX: usize = 64;

/// One process's part in a run.
pub(crate) struct Share<'a> {
    pub(crate) store: &'a Store,
    pub(crate) run: &'a RunId,
    pub(crate) concurrency: usize,
    pub(crate) stop: &'a Stop,
    /// Limits the work to some items; the others are held meanwhile and given back.
    pub(crate) only: Option<&'a dyn Fn(&Claimed) -> bool>,
}

/// How one's part in a run ended, if nothing went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
    /// Nothing is left to do, or nothing of what was asked for.
    Complete,
    /// Somebody stopped the run.
    Stopped,
}

/// What is held, and what of it is not begun.
#[derive(Default)]
struct Held {
    waiting: VecDeque<Claimed>,
    tokens: BTreeSet<i64>,
    /// Whether the last claim brought nothing: then it is not tried again at once.
    is_dry: bool,
}

impl Share<'_> {
    /// Works on items until nothing is left, and finishes each. `done` hears of every item
    /// that counts.
    pub(crate) async fn work<Working>(
        &self,
        work: impl Fn(Claimed) -> Working,
        mut done: impl FnMut(),
    ) -> Result<Left, Halt>
    where
        Working: Future<Output = Result<Product, Halt>>,
    {
        let mut held = Held::default();
        let end = self.until_nothing_is_left(&mut held, work, &mut done).await;
        // What is not finished is given back at once; if even that fails, the lease runs out.
        let released = self.store.leases().release(self.run, &held.tokens).await;
        let left = end?;
        released?;
        Ok(left)
    }

    /// Works on batches of up to `count` items, one after the other; `work` finishes them.
    pub(crate) async fn work_in_batches(
        &self,
        count: usize,
        mut work: impl AsyncFnMut(Vec<Claimed>) -> Result<(), Halt>,
    ) -> Result<Left, Halt> {
        loop {
            if self.stop.is_asked() {
                return Err(Halt::Asked);
            }
            let mut held = Held::default();
            held.add(self.claim_up_to(count).await?, self.only);
            let batch: Vec<Claimed> = held.waiting.drain(..).collect();
            let end = if batch.is_empty() {
                Ok(())
            } else {
                self.holding(&held.tokens, work(batch)).await
            };
            if !held.tokens.is_empty() {
                self.store.leases().release(self.run, &held.tokens).await?;
            }
            end?;
            if held.is_dry {
                if let Some(left) = self.left(&held).await? {
                    return Ok(left);
                }
                select! {
                    () = self.stop.asked() => {}
                    () = time::sleep(POLL) => {}
                }
            }
        }
    }

    /// Holds on to what was claimed while something else goes on.
    async fn holding<T>(
        &self,
        tokens: &BTreeSet<i64>,
        working: impl Future<Output = Result<T, Halt>>,
    ) -> Result<T, Halt> {
        let mut working = std::pin::pin!(working);
        let mut heartbeat = beats();
        loop {
            select! {
                end = &mut working => return end,
                _ = heartbeat.tick() => {
                    self.store.leases().heartbeat(self.run, tokens, HOLD).await?;
                }
            }
        }
    }

    async fn until_nothing_is_left<Working>(
        &self,
        held: &mut Held,
        work: impl Fn(Claimed) -> Working,
        done: &mut impl FnMut(),
    ) -> Result<Left, Halt>
    where
        Working: Future<Output = Result<Product, Halt>>,
    {
        let finish = |claimed: Claimed, working: Working| async move {
            let product = working.await?;
            Ok::<bool, Halt>(self.store.finish(Finished { claimed, product }).await?)
        };
        let concurrency = self.concurrency.max(1);
        let (mut under_way, mut claiming) = (FuturesUnordered::new(), None);
        let mut halt: Option<Halt> = None;
        let mut heartbeat = beats();
        loop {
            while halt.is_none() && under_way.len() < concurrency {
                let Some(claimed) = held.waiting.pop_front() else { break };
                under_way.push(finish(claimed.clone(), work(claimed)));
            }
            let is_low = !held.is_dry && held.waiting.len() <= concurrency / 2;
            if halt.is_none() && is_low && claiming.is_none() {
                claiming = Some(Box::pin(self.claim()));
            }
            if under_way.is_empty() && claiming.is_none() {
                if let Some(halt) = halt {
                    return Err(halt);
                }
                if let Some(left) = self.left(held).await? {
                    return Ok(left);
                }
            }
            let is_idle = under_way.is_empty() && claiming.is_none();
            select! {
                biased;
                () = self.stop.asked(), if halt.is_none() => halt = Some(Halt::Asked),
                Some(end) = under_way.next(), if !under_way.is_empty() => match end {
                    Ok(true) => done(),
                    Ok(false) => {}
                    Err(reason) => halt = Some(better(halt, reason)),
                },
                claimed = next(&mut claiming), if claiming.is_some() => {
                    claiming = None;
                    held.add(claimed?, self.only);
                }
                _ = heartbeat.tick() => {
                    self.store.leases().heartbeat(self.run, &held.tokens, HOLD).await?;
                }
                () = time::sleep(POLL), if is_idle => held.is_dry = false,
            }
        }
    }

    async fn claim(&self) -> Result<Vec<Claimed>, StoreError> {
        self.claim_up_to(self.concurrency.clamp(1, CLAIM_MAX)).await
    }

    async fn claim_up_to(&self, count: usize) -> Result<Vec<Claimed>, StoreError> {
        // To work on some only, all are held: which they are is seen when they are.
        let count = if self.only.is_some() { usize::MAX } else { count };
        let worker = format!("process {}", std::process::id());
        self.store.leases().claim(self.run, &worker, count, HOLD).await
    }

    /// Whether there is nothing to wait for.
    async fn left(&self, held: &Held) -> Result<Option<Left>, StoreError> {
        if self.only.is_some() && !held.tokens.is_empty() {
            return Ok(Some(Left::Complete));
        }
        Ok(match self.store.leases().open(self.run).await? {
            Open { claimable: 0, held: 0 } => Some(Left::Complete),
            // Others are at it.
            Open { claimable: 0, .. } => None,
            // There is something, and it was not given to us: or it returned this moment.
            Open { .. } => match self.store.any_runs().state(self.run).await? {
                Some(RunState::Running) => None,
                _ => Some(Left::Stopped),
            },
        })
    }
}

impl Held {
    fn add(&mut self, claimed: Vec<Claimed>, only: Option<&dyn Fn(&Claimed) -> bool>) {
        self.is_dry = claimed.is_empty() || only.is_some();
        self.tokens.extend(claimed.iter().map(|claimed| claimed.token));
        self.waiting.extend(claimed.into_iter().filter(|one| only.is_none_or(|only| only(one))));
    }
}

fn beats() -> time::Interval {
    let mut heartbeat = time::interval_at(Instant::now() + HEARTBEAT, HEARTBEAT);
    heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    heartbeat
}

async fn next<T>(claiming: &mut Option<Pin<Box<impl Future<Output = T>>>>) -> T {
    match claiming {
        Some(claiming) => claiming.await,
        // Only asked while there is one.
        None => std::future::pending().await,
    }
}
