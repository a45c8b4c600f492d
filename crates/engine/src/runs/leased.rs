//! Working on a run together with others: items are claimed in small batches, held while they
//! are worked on, and finished where the lease still stands.
//!
//! Several processes may do this to one run at once. Whoever has nothing left to claim waits
//! for the others, because one of them may die and its items return. Items whose leases ran out
//! repeatedly come last and one at a time, with nothing beside them: they may be what kills
//! whoever works on them. In the end such an item is given up, and says so.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use assize_store::{
    Claimed, Finished, LOSSES_MAX, NewVerdict, Open, RunId, RunState, Store, StoreError,
};
use futures_util::stream::{FuturesUnordered, StreamExt};
use tokio::select;
use tokio::time::{self, Instant, MissedTickBehavior};

use crate::Workspace;
use crate::asking::item::{Item, RunContext};
use crate::asking::items::better;
use crate::asking::{AskSession, Halt, Stop};

/// How long an item is ours without a sign of life. Long enough for a machine that is busy
/// with something else, short enough that the work of a dead process is not waited for long.
pub(crate) const HOLD: Duration = Duration::from_secs(20);
/// Four chances to be heard before the lease runs out.
#[cfg(not(test))]
const HEARTBEAT: Duration = Duration::from_secs(5);
/// All the time, so that one falls into everything that can be under way.
#[cfg(test)]
const HEARTBEAT: Duration = Duration::from_millis(1);
/// How often one who has nothing to do looks whether something returned.
const POLL: Duration = Duration::from_millis(500);
/// Items claimed at once, at most: what one process holds and does not work on yet, others
/// cannot have.
const CLAIM_MAX: usize = 256;

/// How many items may be under way beyond the requests that are allowed at once: while some wait
/// for their replies and verdicts to be on disk, others ask.
const WRITING_MAX: usize = 32;

/// How long, and under which name, one works on a run.
#[derive(Debug, Clone)]
pub(crate) struct Slice {
    /// What the process is called beside the items that it holds.
    pub(crate) worker: String,
    /// Ends after so long, if there is more to do elsewhere.
    pub(crate) quantum: Option<Duration>,
    /// Whether to wait for items that others hold: they may return.
    pub(crate) waits: bool,
}

impl Default for Slice {
    /// To the end of the run.
    fn default() -> Self {
        let worker = format!("process {}", std::process::id());
        Self { worker, quantum: None, waits: true }
    }
}

/// What an item is that nobody may work on any more.
type GiveUp<'a> = &'a (dyn Fn(&Claimed, &str) -> Result<NewVerdict, Halt> + Sync);

/// Work on several items at once. A trait and not an asynchronous closure, because of such a
/// closure nobody can say yet that its future may move between threads.
pub(crate) trait BatchWork {
    /// Judges a batch and writes down what came of it.
    fn finish(&mut self, batch: Vec<Claimed>) -> impl Future<Output = Result<(), Halt>> + Send;
}

/// One process's part in a run.
pub(crate) struct Share<'a> {
    pub(crate) store: &'a Store,
    pub(crate) run: Arc<RunContext>,
    /// What becomes of an item that is given up, and the reason that it is kept with.
    pub(crate) give_up: GiveUp<'a>,
    pub(crate) concurrency: usize,
    pub(crate) stop: &'a Stop,
    pub(crate) slice: &'a Slice,
    /// Limits the work to some items; the others are held meanwhile and given back.
    pub(crate) only: Option<&'a (dyn Fn(&Claimed) -> bool + Sync)>,
}

/// How one's part in a run ended, if nothing went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
    /// Nothing is left to do, or nothing of what was asked for.
    Complete,
    /// Somebody stopped the run.
    Stopped,
    /// There is more to do, here or by those who hold the rest.
    Paused,
}

/// The state in which whoever ends here leaves a run, and the reason that is noted. A budget or a
/// ceiling only pauses it.
pub(crate) fn left_as(halt: Option<&Halt>) -> (RunState, Option<String>) {
    match halt {
        None | Some(Halt::Asked) => (RunState::Stopped, None),
        Some(halt @ Halt::Budget(_)) => (RunState::Stopped, Some(halt.to_string())),
        Some(halt) => (RunState::Failed, Some(halt.to_string())),
    }
}

/// What is held, and what of it is not begun.
#[derive(Default)]
struct HeldItems {
    waiting: VecDeque<Claimed>,
    /// How many items are held under each token.
    tokens: BTreeMap<i64, usize>,
    /// Whether the last claim brought nothing: then it is not tried again at once.
    is_dry: bool,
}

impl<'a> Share<'a> {
    /// One's part in a run whose models a session asks; an item that is given up has failed.
    pub(crate) async fn new(
        workspace: &'a Workspace,
        run: &RunId,
        session: &'a AskSession,
        slice: &'a Slice,
    ) -> Result<Self, StoreError> {
        let Workspace { store, organisation, .. } = workspace;
        let limit = session.sender.limit();
        Ok(Self {
            store,
            run: RunContext::of(store, organisation, run, limit).await?,
            give_up: &|_, because| Ok(NewVerdict::failed(because)),
            concurrency: session.concurrency,
            stop: &session.stop,
            slice,
            only: None,
        })
    }
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
        Working: Future<Output = Result<NewVerdict, Halt>>,
    {
        let mut held = HeldItems::default();
        let end = self.until_nothing_is_left(&mut held, work, &mut done).await;
        // What is not finished is given back at once; if even that fails, the lease runs out.
        let released = self.store.leases().release(&self.run.id, &held.tokens()).await;
        let left = end?;
        released?;
        Ok(left)
    }

    /// Works on batches of up to `count` items, one after the other; `work` finishes them.
    pub(crate) async fn work_in_batches(
        &self,
        count: usize,
        mut work: impl BatchWork,
    ) -> Result<Left, Halt> {
        let begun = Instant::now();
        loop {
            if self.stop.is_asked() {
                return Err(Halt::Asked);
            }
            let mut held = HeldItems::default();
            held.add(self.claim_up_to(count).await?, self.only);
            if held.is_dry && self.only.is_none() {
                held.waiting.extend(self.claim_alone(&mut held.tokens).await?);
            }
            let batch: Vec<Claimed> = held.waiting.drain(..).collect();
            let tokens = held.tokens();
            let end = if batch.is_empty() {
                Ok(())
            } else {
                held.is_dry = false;
                self.holding(&tokens, work.finish(batch)).await
            };
            if !tokens.is_empty() {
                self.store.leases().release(&self.run.id, &tokens).await?;
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
            } else if self.is_over(begun) {
                return Ok(Left::Paused);
            }
        }
    }

    fn is_over(&self, begun: Instant) -> bool {
        self.slice.quantum.is_some_and(|quantum| begun.elapsed() >= quantum)
    }

    /// Holds on to what was claimed while something else goes on.
    async fn holding<T>(
        &self,
        tokens: &BTreeSet<i64>,
        working: impl Future<Output = Result<T, Halt>>,
    ) -> Result<T, Halt> {
        // Beside each other, not in turns: the work may be inside a transaction, and SQLite has
        // one writer.
        let holding_on = async {
            let mut heartbeat = beats();
            loop {
                heartbeat.tick().await;
                if let Err(error) = self.hold_on(tokens.clone()).await {
                    return Err(error.into());
                }
            }
        };
        select! {
            end = working => end,
            error = holding_on => error,
        }
    }

    /// Works on an item, or gives it up, and writes down what came of it. Returns its token, and
    /// whether it counts.
    async fn finish(
        &self,
        claimed: Claimed,
        working: Option<impl Future<Output = Result<NewVerdict, Halt>>>,
    ) -> Result<(i64, bool), Halt> {
        let (run, position, attempt) =
            (Arc::clone(&self.run), claimed.position, claimed.ask_attempt);
        let item = Item { run, position, attempt };
        let verdict = match working {
            Some(working) => item.working(working).await?,
            None => (self.give_up)(&claimed, &lost(&claimed))?,
        };
        let token = claimed.token;
        let is_ours = self.store.finish(Finished { claimed, verdict }).await?;
        Ok((token, is_ours))
    }

    async fn until_nothing_is_left<Working>(
        &self,
        held: &mut HeldItems,
        work: impl Fn(Claimed) -> Working,
        done: &mut impl FnMut(),
    ) -> Result<Left, Halt>
    where
        Working: Future<Output = Result<NewVerdict, Halt>>,
    {
        let finish = |claimed: Claimed| {
            let working = (claimed.losses < LOSSES_MAX).then(|| work(claimed.clone()));
            self.finish(claimed, working)
        };
        let concurrency = self.concurrency.max(1);
        let items_max = concurrency + concurrency.min(WRITING_MAX);
        let (mut under_way, mut claiming, mut beating) = (FuturesUnordered::new(), None, None);
        let mut halt: Option<Halt> = None;
        let (mut heartbeat, begun) = (beats(), Instant::now());
        loop {
            // Nothing more is begun when the time is up; what is under way is finished.
            let is_over = self.is_over(begun);
            while halt.is_none() && !is_over && under_way.len() < items_max {
                let Some(claimed) = held.waiting.pop_front() else { break };
                under_way.push(finish(claimed));
            }
            let is_low = !held.is_dry && held.waiting.len() <= concurrency / 2;
            if halt.is_none() && !is_over && is_low && claiming.is_none() {
                claiming = Some(Box::pin(self.claim()));
            }
            // What follows is waited for here, so nothing else may be inside a transaction.
            if under_way.is_empty() && claiming.is_none() && beating.is_none() {
                if let Some(halt) = halt {
                    return Err(halt);
                }
                if is_over {
                    return Ok(Left::Paused);
                }
                if held.is_dry && self.only.is_none() {
                    let alone = self.claim_alone(&mut held.tokens).await?;
                    if alone.is_some() {
                        held.waiting.extend(alone);
                        continue;
                    }
                }
                if let Some(left) = self.left(held).await? {
                    return Ok(left);
                }
            }
            let is_idle = under_way.is_empty() && claiming.is_none();
            select! {
                biased;
                () = self.stop.asked(), if halt.is_none() => halt = Some(Halt::Asked),
                // Not waited for here: a claim that is inside its transaction must get on.
                _ = heartbeat.tick(), if beating.is_none() => {
                    beating = Some(Box::pin(self.hold_on(held.tokens())));
                }
                heard = next(&mut beating), if beating.is_some() => {
                    beating = None;
                    heard?;
                }
                Some(end) = under_way.next(), if !under_way.is_empty() => match end {
                    Ok((token, is_ours)) => {
                        held.ended(token);
                        if is_ours {
                            done();
                        }
                    }
                    Err(reason) => halt = Some(better(halt, reason)),
                },
                claimed = next(&mut claiming), if claiming.is_some() => {
                    claiming = None;
                    held.add(claimed?, self.only);
                }
                () = time::sleep(POLL), if is_idle => held.is_dry = false,
            }
        }
    }

    /// A sign of life. A database that is away for a moment does not hear it; if it is away for
    /// long the leases run out, and then nothing is committed.
    async fn hold_on(&self, tokens: BTreeSet<i64>) -> Result<(), StoreError> {
        match self.store.leases().heartbeat(&self.run.id, &tokens, HOLD).await {
            Err(StoreError::Unreachable(_)) => Ok(()),
            other => other.map(drop),
        }
    }

    async fn claim(&self) -> Result<Vec<Claimed>, StoreError> {
        self.claim_up_to(self.concurrency.clamp(1, CLAIM_MAX)).await
    }

    async fn claim_up_to(&self, count: usize) -> Result<Vec<Claimed>, StoreError> {
        // To work on some only, all are held: which they are is seen when they are.
        let count = if self.only.is_some() { usize::MAX } else { count };
        self.store.leases().claim(&self.run.id, &self.slice.worker, count, HOLD).await
    }

    /// Takes an item that may be what kills whoever works on it.
    async fn claim_alone(
        &self,
        tokens: &mut BTreeMap<i64, usize>,
    ) -> Result<Option<Claimed>, StoreError> {
        let alone = self.store.leases().claim_alone(&self.run.id, &self.slice.worker, HOLD).await?;
        tokens.extend(alone.iter().map(|claimed| (claimed.token, 1)));
        Ok(alone)
    }

    /// Whether there is nothing to wait for.
    async fn left(&self, held: &HeldItems) -> Result<Option<Left>, StoreError> {
        if self.only.is_some() && !held.tokens.is_empty() {
            return Ok(Some(Left::Complete));
        }
        Ok(match self.store.leases().open(&self.run.id).await? {
            Open { claimable: 0, held: 0 } => Some(Left::Complete),
            // Others are at it.
            Open { claimable: 0, .. } => (!self.slice.waits).then_some(Left::Paused),
            // There is something, and it was not given to us: or it returned this moment.
            Open { .. } => match self.store.runs().state(&self.run.id).await? {
                Some(RunState::Running) => None,
                _ => Some(Left::Stopped),
            },
        })
    }
}

impl HeldItems {
    fn add(&mut self, claimed: Vec<Claimed>, only: Option<&(dyn Fn(&Claimed) -> bool + Sync)>) {
        self.is_dry = claimed.is_empty() || only.is_some();
        for claimed in &claimed {
            *self.tokens.entry(claimed.token).or_default() += 1;
        }
        self.waiting.extend(claimed.into_iter().filter(|one| only.is_none_or(|only| only(one))));
    }
}

impl HeldItems {
    /// What is still held.
    fn tokens(&self) -> BTreeSet<i64> {
        self.tokens.keys().copied().collect()
    }

    /// One item less under a token: what nothing is held under needs no sign of life.
    fn ended(&mut self, token: i64) {
        if let Some(count) = self.tokens.get_mut(&token) {
            *count -= 1;
            if *count == 0 {
                self.tokens.remove(&token);
            }
        }
    }
}

/// Why an item is given up.
pub(crate) fn lost(claimed: &Claimed) -> String {
    format!(
        "{} processes crashed while working on it, the last one with no other item in progress",
        claimed.losses
    )
}

fn beats() -> time::Interval {
    let mut heartbeat = time::interval_at(Instant::now() + HEARTBEAT, HEARTBEAT);
    heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    heartbeat
}

async fn next<T>(waiting: &mut Option<Pin<Box<impl Future<Output = T>>>>) -> T {
    match waiting {
        Some(waiting) => waiting.await,
        // Only asked while there is one.
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use assize_store::{
        Instrument, NewItem, NewRun, NewVerdict, OrganisationId, ResultOutcome, RunId,
    };
    use chrono::Utc;

    use super::*;

    const ITEMS: usize = 600;

    async fn planned(store: &Store, organisation: &OrganisationId) -> RunId {
        let id = RunId::at(Utc::now(), &["heartbeats"]);
        let run = NewRun {
            id: id.clone(),
            organisation_id: organisation.clone(),
            instrument: Instrument::Summary,
            name: None,
            criteria_set_id: None,
            doc_set_id: None,
            configuration: None,
            configuration_hash: None,
            method_version: None,
            material: None,
            who: "nobody".into(),
            created_at: Utc::now(),
        };
        let item = |number| NewItem { subject: format!("item {number}"), material: None };
        let items: Vec<NewItem> = (0..ITEMS).map(item).collect();
        store.runs().plan(&run, &items).await.unwrap();
        store.runs().set_state(organisation, &id, RunState::Running, None).await.unwrap();
        id
    }

    /// SQLite has one writer. A heartbeat that waits for it must not keep the claim that holds it
    /// from getting on: both would wait until the database's patience is over, half a minute.
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_heartbeat_and_a_claim_do_not_wait_for_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("a.db")).await.unwrap();
        let organisation = OrganisationId::default_organisation();
        let run = planned(&store, &organisation).await;
        let share = Share {
            store: &store,
            run: RunContext::of(&store, &organisation, &run, None).await.unwrap(),
            give_up: &|_, because| panic!("given up: {because}"),
            concurrency: 4,
            stop: &Stop::default(),
            slice: &Slice::default(),
            only: None,
        };
        let verdict = || NewVerdict {
            outcome: ResultOutcome::Scored,
            reason: None,
            scores: Vec::new(),
            ledger: None,
            evidence: None,
            exchange_keys: None,
            assessment: None,
            created_at: Utc::now(),
        };
        let mut done = 0;
        let work = share.work(async |_| Ok(verdict()), || done += 1);
        let left = time::timeout(Duration::from_secs(25), work).await;
        assert_eq!(left.expect("it stalled").unwrap(), Left::Complete);
        assert_eq!(done, ITEMS);
    }
}
