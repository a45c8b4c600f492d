//! A worker: takes items of whatever runs there are, from any number of processes at once.
//!
//! [`work`] is all of it. It serves `assize worker`, and any other program that has a store and
//! wants its runs worked on beside something else.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use assize_methods::council::METHOD;
use assize_score::MethodVersion;
use assize_store::{Instrument, QueuedRun, Run, RunId, RunState, Store, StoreError, WorkerRow};
use chrono::Utc;
use futures_util::future::join_all;
use tokio::select;
use tokio::sync::Notify;
use tokio::time::{self, Instant};

use super::error::RunError;
use super::leased::{Left, Slice};
use super::summary as summaries;
use crate::Workspace;
use crate::asking::{AskError, AskOptions, AskSession, Config, Event, Halt, Stop};
use crate::compliance::ComplianceError;
use crate::council::step::{Watch, unwatched};
use crate::summary::model::SummaryJudge;

/// How long one run is worked on while others wait.
const SLICE: Duration = Duration::from_secs(5);
/// How often a worker that has nothing to do looks for work; a part of it is left to chance, so
/// that many workers do not look together.
const POLL: Duration = Duration::from_millis(700);
/// How often a worker says that it is there.
const BEAT: Duration = Duration::from_secs(5);
/// How long a run whose provider is down is left alone.
const REST: Duration = Duration::from_secs(15);
/// How long a database that went away is waited for before what was not written is given up.
const PATIENCE: Duration = Duration::from_mins(1);
/// A worker that was silent for so long is not alive.
pub const SILENCE: Duration = Duration::from_secs(30);

/// How a worker works.
#[derive(Debug, Clone)]
pub struct WorkOptions {
    /// What it is called; no two that are alive may have the same name.
    pub name: String,
    /// The machine, for people to read.
    pub host: String,
    /// How models are asked: how many items at once, time-outs.
    pub asking: AskOptions,
    /// Which providers there are. Runs whose judge is not among them are left to others.
    pub config: Config,
    /// Whether to end when there is nothing to do, instead of waiting for more.
    pub ends_when_idle: bool,
    /// How many runs it takes up at once: with more than one, a quick run does not wait for the
    /// slice of a slow one.
    pub runs_at_once: usize,
    /// Wakes it when there may be something to do, sooner than it would look.
    pub wake: Arc<Notify>,
}

/// Something that whoever looks after a worker would want to know.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum WorkEvent {
    /// It took up a run.
    TookUp(RunId),
    /// An item was finished.
    Finished(RunId),
    /// It left a run, for now or for good.
    PutDown(RunId),
    /// A run cannot be worked on by anybody, and says so.
    Failed(RunId, String),
    /// A run is left to other workers: its judge or its method is not known here.
    LeftToOthers(RunId, String),
    /// A run was paused, and somebody has to resume it.
    Paused(RunId, String),
    /// A provider is down; the run is tried again later.
    Resting(RunId, String),
    /// The database is away.
    Waiting(StoreError),
    /// A model was asked, or answered.
    Asking(Event),
}

/// What a worker did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Worked {
    /// Items that it finished.
    pub items: i64,
}

/// Works on the runs of a store until somebody wants it to stop, and longer than that only to
/// finish what is under way; leases are given back. Any number of processes, and of calls in one
/// process, may do this to one store at once: an item is worked on by one of them, and what one
/// pays for no other does.
///
/// ```ignore
/// let stop = Stop::default();
/// let store = Arc::new(Store::open("postgres://assize@localhost/assize").await?);
/// let options = WorkOptions { name: "batch-1".into(), host: "here".into(), asking, config,
///     ends_when_idle: true, runs_at_once: 1, wake: Arc::default() };
/// let worked = work(store, options, |event| tracing::debug!(?event), stop).await?;
/// ```
pub async fn work(
    store: Arc<Store>,
    options: WorkOptions,
    events: impl Fn(&WorkEvent) + Send + Sync + 'static,
    stop: Stop,
) -> Result<Worked, AskError> {
    store.be_patient(PATIENCE);
    let events: Events = Arc::new(events);
    let asked = Arc::clone(&events);
    let listener = move |event: &Event| asked(&WorkEvent::Asking(event.clone()));
    let WorkOptions { name, host, asking, config, ends_when_idle, runs_at_once, wake } = options;
    let over = Some(Arc::clone(&store));
    let session = AskSession::over(over, &asking, config, stop.clone(), listener).await?;
    let done = Arc::new(AtomicI64::new(0));
    let avoided = Mutex::default();
    let worker =
        Worker { store, session, name, host, ends_when_idle, events, stop, done, wake, avoided };
    let hands = (0..runs_at_once.max(1)).map(|_| Box::pin(worker.until_stopped()));
    select! {
        () = worker.beat() => {}
        _ = join_all(hands) => {}
    }
    // A database that is away forgets a silent worker by itself.
    let _ = worker.store.workers().leave(&worker.name).await;
    Ok(Worked { items: worker.done.load(Ordering::Relaxed) })
}

type Events = Arc<dyn Fn(&WorkEvent) + Send + Sync>;

struct Worker {
    store: Arc<Store>,
    session: AskSession,
    name: String,
    host: String,
    ends_when_idle: bool,
    events: Events,
    stop: Stop,
    done: Arc<AtomicI64>,
    wake: Arc<Notify>,
    avoided: Mutex<BTreeMap<RunId, Avoidance>>,
}

/// Why a run is not taken up now.
enum Avoidance {
    /// It is worked on here already: twice would double what is in flight.
    TakenUp,
    /// Its provider is down.
    Until(Instant),
    /// Nobody here can judge it.
    LeftToOthers,
}

impl Worker {
    /// Says that it is there, for ever.
    async fn beat(&self) {
        loop {
            let row = WorkerRow {
                name: self.name.clone(),
                host: self.host.clone(),
                process: i64::from(std::process::id()),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                state: if self.stop.is_asked() { "draining" } else { "working" }.to_owned(),
                items_done: self.done.load(Ordering::Relaxed),
                started_at: Utc::now(),
                seen_at: Utc::now(),
                is_alive: true,
                held: Vec::new(),
            };
            // Nothing hangs on it.
            let _ = self.store.workers().announce(&row).await;
            time::sleep(BEAT).await;
        }
    }

    fn avoided(&self) -> MutexGuard<'_, BTreeMap<RunId, Avoidance>> {
        let mut avoided = self.avoided.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        avoided.retain(|_, why| !matches!(why, Avoidance::Until(until) if *until <= now));
        avoided
    }

    async fn until_stopped(&self) {
        while !self.stop.is_asked() {
            let avoided: Vec<RunId> = self.avoided().keys().cloned().collect();
            let is_alone = avoided.is_empty();
            let next = self.store.workers().next_run(&avoided).await;
            let found = match next {
                Ok(found) => found,
                Err(error) => {
                    self.tell(&WorkEvent::Waiting(error));
                    None
                }
            };
            match found {
                Some(run) => self.take_up(&run).await,
                None if self.ends_when_idle && is_alone => return,
                None => self.rest().await,
            }
        }
    }

    async fn rest(&self) {
        let chance = Utc::now().timestamp_subsec_nanos() % 300;
        select! {
            () = self.stop.asked() => {}
            () = self.wake.notified() => {}
            () = time::sleep(POLL + Duration::from_millis(u64::from(chance))) => {}
        }
    }

    async fn take_up(&self, queued: &QueuedRun) {
        let QueuedRun { id, organisation_id } = queued;
        // Another hand may have been faster.
        if let Entry::Vacant(free) = self.avoided().entry(id.clone()) {
            free.insert(Avoidance::TakenUp);
        } else {
            return;
        }
        self.tell(&WorkEvent::TookUp(id.clone()));
        let workspace = Workspace {
            store: Arc::clone(&self.store),
            organisation: organisation_id.clone(),
            who: self.name.clone(),
            address: None,
            token: None,
        };
        let end = Box::pin(self.slice_of(&workspace, id)).await;
        self.avoided().remove(id);
        self.tell(&WorkEvent::PutDown(id.clone()));
        match end {
            // Others hold the rest, or somebody stopped it.
            Ok(Ok(Left::Complete | Left::Stopped | Left::Paused) | Err(Halt::Asked)) => {}
            Ok(Err(Halt::Store(error))) | Err(Trouble::Store(error)) => {
                self.tell(&WorkEvent::Waiting(error));
                self.rest().await;
            }
            Ok(Err(halt @ Halt::Budget(_))) => self.pause(id, &halt.to_string()).await,
            Ok(Err(Halt::Provider { model, source })) if source.concerns_the_run() => {
                self.pause(id, &format!("cannot call {model}: {source}")).await;
            }
            Ok(Err(Halt::Provider { model, source })) => {
                self.avoided().insert(id.clone(), Avoidance::Until(Instant::now() + REST));
                let because = format!("cannot call {model}: {source}");
                self.tell(&WorkEvent::Resting(id.clone(), because));
            }
            Ok(Err(halt)) => {
                self.avoided().insert(id.clone(), Avoidance::LeftToOthers);
                self.tell(&WorkEvent::LeftToOthers(id.clone(), halt.to_string()));
            }
            Err(Trouble::Broken(because)) => self.fail(id, because).await,
            Err(Trouble::Unknown(because)) => {
                self.avoided().insert(id.clone(), Avoidance::LeftToOthers);
                self.tell(&WorkEvent::LeftToOthers(id.clone(), because));
            }
        }
    }

    async fn pause(&self, run: &RunId, because: &str) {
        match self.store.workers().pause(run, because).await {
            Ok(()) => self.tell(&WorkEvent::Paused(run.clone(), because.to_owned())),
            Err(error) => self.tell(&WorkEvent::Waiting(error)),
        }
    }

    async fn fail(&self, run: &RunId, because: String) {
        match self.store.runs().leave(run, RunState::Failed, Some(&because)).await {
            Ok(()) => self.tell(&WorkEvent::Failed(run.clone(), because)),
            Err(error) => self.tell(&WorkEvent::Waiting(error)),
        }
    }

    async fn slice_of(
        &self,
        workspace: &Workspace,
        id: &RunId,
    ) -> Result<Result<Left, Halt>, Trouble> {
        let found = workspace.store.runs().get(&workspace.organisation, id).await?;
        let Some(run) = found else { return Ok(Ok(Left::Complete)) };
        let slice = Slice { worker: self.name.clone(), quantum: Some(SLICE), waits: false };
        let count = || {
            self.done.fetch_add(1, Ordering::Relaxed);
            self.tell(&WorkEvent::Finished(id.clone()));
        };
        loop {
            let left = match run.instrument {
                Instrument::Compliance => {
                    workspace.work_slice(id, &self.session, &slice, count).await?
                }
                Instrument::Summary => {
                    let judge = self.summary_judge(&run)?;
                    workspace.work_on_summaries_slice(&run, &judge, &slice, count).await?
                }
                Instrument::Council => {
                    known_here(&run, &METHOD)?;
                    let watched = (&unwatched as Watch<'_>, count);
                    workspace.hold_council_slice(&run, &self.session, &slice, watched).await?
                }
                Instrument::Retrieval => return Ok(Ok(Left::Complete)),
            };
            // Nobody waits: it goes on where it is.
            if !matches!(left, Ok(Left::Paused)) || self.stop.is_asked() || self.others_wait().await
            {
                return Ok(left);
            }
        }
    }

    /// Whether there is a run that nobody here works on.
    async fn others_wait(&self) -> bool {
        let avoided: Vec<RunId> = self.avoided().keys().cloned().collect();
        let next = self.store.workers().next_run(&avoided).await;
        next.is_ok_and(|next| next.is_some())
    }

    fn summary_judge(&self, run: &Run) -> Result<SummaryJudge, Trouble> {
        let judge = summaries::judge(run, self.session.clone())?;
        known_here(run, &judge.framework().method())?;
        Ok(judge)
    }

    fn tell(&self, event: &WorkEvent) {
        (self.events)(event);
    }
}

/// Refuses a run of a method that is not ours.
fn known_here(run: &Run, method: &MethodVersion) -> Result<(), Trouble> {
    let ours = super::draft::method(method);
    match &run.method_version {
        Some(theirs) if *theirs != ours => Err(Trouble::Unknown(format!(
            "it was scored with {theirs}, but this program has {ours}"
        ))),
        _ => Ok(()),
    }
}

/// Why a run was not even begun.
enum Trouble {
    /// The database is away.
    Store(StoreError),
    /// Its judge or its method is not known here; others may have it.
    Unknown(String),
    /// What is stored of it makes no sense to anybody.
    Broken(String),
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        if error.is_failure() { Self::Store(error) } else { Self::Broken(error.to_string()) }
    }
}

impl From<RunError> for Trouble {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Store(error) => error.into(),
            RunError::Ask(error) => Self::Unknown(error.to_string()),
            other => Self::Broken(other.to_string()),
        }
    }
}

impl From<ComplianceError> for Trouble {
    fn from(error: ComplianceError) -> Self {
        match error {
            ComplianceError::Store(error) => error.into(),
            ComplianceError::Run(error) => error.into(),
            ComplianceError::Ask(error) => Self::Unknown(error.to_string()),
            other => Self::Broken(other.to_string()),
        }
    }
}
