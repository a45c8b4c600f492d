//! A worker: takes items of whatever runs there are, from any number of processes at once.
//!
//! [`work`] is all of it. It serves `assize worker`, and any other program that has a store and
//! wants its runs worked on beside something else.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use assize_store::{Instrument, QueuedRun, Run, RunId, Store, StoreError, WorkerRow};
use chrono::Utc;
use tokio::select;
use tokio::time::{self, Instant};

use super::error::RunError;
use super::leased::{Left, Slice};
use super::summary as summaries;
use crate::Workspace;
use crate::asking::{AskError, AskOptions, AskSession, Config, Event, Halt, Stop};
use crate::compliance::ComplianceError;
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
}

/// Something that whoever looks after a worker would want to know.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum WorkEvent {
    /// It took up a run.
    TookUp(RunId),
    /// An item was finished.
    Finished(RunId),
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
/// let options = WorkOptions { name: "serve-1".into(), host: "here".into(), asking, config,
///     ends_when_idle: false };
/// tokio::spawn(work(store, options, |event| tracing::debug!(?event), stop.clone()));
/// // … and in the end:
/// stop.ask();
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
    let WorkOptions { name, host, asking, config, ends_when_idle } = options;
    let over = Some(Arc::clone(&store));
    let session = AskSession::over(over, &asking, config, stop.clone(), listener).await?;
    let done = Arc::new(AtomicI64::new(0));
    let worker = Worker { store, session, name, host, ends_when_idle, events, stop, done };
    select! {
        () = worker.beat() => {}
        () = Box::pin(worker.until_stopped()) => {}
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
}

/// Runs that are not taken up now, each until when; those of others for ever.
#[derive(Default)]
struct Avoided(BTreeMap<RunId, Option<Instant>>);

impl Avoided {
    fn now(&mut self) -> Vec<RunId> {
        let now = Instant::now();
        self.0.retain(|_, until| until.is_none_or(|until| now < until));
        self.0.keys().cloned().collect()
    }
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

    async fn until_stopped(&self) {
        let mut avoided = Avoided::default();
        while !self.stop.is_asked() {
            let next = self.store.workers().next_run(&avoided.now()).await;
            let found = match next {
                Ok(found) => found,
                Err(error) => {
                    self.tell(&WorkEvent::Waiting(error));
                    None
                }
            };
            match found {
                Some(run) => self.take_up(&run, &mut avoided).await,
                None if self.ends_when_idle && avoided.0.is_empty() => return,
                None => self.rest().await,
            }
        }
    }

    async fn rest(&self) {
        let chance = Utc::now().timestamp_subsec_nanos() % 300;
        select! {
            () = self.stop.asked() => {}
            () = time::sleep(POLL + Duration::from_millis(u64::from(chance))) => {}
        }
    }

    async fn take_up(&self, queued: &QueuedRun, avoided: &mut Avoided) {
        let QueuedRun { id, organisation_id } = queued;
        self.tell(&WorkEvent::TookUp(id.clone()));
        let workspace = Workspace {
            store: Arc::clone(&self.store),
            organisation: organisation_id.clone(),
            who: self.name.clone(),
            address: None,
        };
        let end = Box::pin(self.slice_of(&workspace, id)).await;
        let later = Some(Instant::now() + REST);
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
                avoided.0.insert(id.clone(), later);
                let because = format!("cannot call {model}: {source}");
                self.tell(&WorkEvent::Resting(id.clone(), because));
            }
            Ok(Err(halt)) => {
                avoided.0.insert(id.clone(), None);
                self.tell(&WorkEvent::LeftToOthers(id.clone(), halt.to_string()));
            }
            Err(Trouble::Unknown(because)) => {
                avoided.0.insert(id.clone(), None);
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

    async fn slice_of(
        &self,
        workspace: &Workspace,
        id: &RunId,
    ) -> Result<Result<Left, Halt>, Trouble> {
        let found = workspace.store.runs().get(&workspace.organisation, id).await?;
        let Some(run) = found else { return Ok(Ok(Left::Complete)) };
        let others = async || {
            let next = self.store.workers().next_run(std::slice::from_ref(id)).await;
            next.is_ok_and(|next| next.is_some())
        };
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
                Instrument::Retrieval | Instrument::Council => return Ok(Ok(Left::Complete)),
            };
            // Nobody waits: it goes on where it is.
            if !matches!(left, Ok(Left::Paused)) || self.stop.is_asked() || others().await {
                return Ok(left);
            }
        }
    }

    fn summary_judge(&self, run: &Run) -> Result<SummaryJudge, Trouble> {
        let judge = summaries::judge(run, self.session.clone())?;
        let ours = super::draft::method(&judge.framework().method());
        match &run.method_version {
            Some(theirs) if *theirs != ours => Err(Trouble::Unknown(format!(
                "it was scored with {theirs}, but this program has {ours}"
            ))),
            _ => Ok(judge),
        }
    }

    fn tell(&self, event: &WorkEvent) {
        (self.events)(event);
    }
}

/// Why a run was not even begun.
enum Trouble {
    /// The database is away.
    Store(StoreError),
    /// It cannot be worked on here; others may.
    Unknown(String),
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        if error.is_failure() { Self::Store(error) } else { Self::Unknown(error.to_string()) }
    }
}

impl From<RunError> for Trouble {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Store(error) => error.into(),
            other => Self::Unknown(other.to_string()),
        }
    }
}

impl From<ComplianceError> for Trouble {
    fn from(error: ComplianceError) -> Self {
        match error {
            ComplianceError::Store(error) => error.into(),
            other => Self::Unknown(other.to_string()),
        }
    }
}
