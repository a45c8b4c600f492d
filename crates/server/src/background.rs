//! What goes on behind the requests: the worker of this process, and searches.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use assize_engine::Workspace;
use assize_engine::asking::{AskError, AskSession, Event, JudgeName, ModelName, Stop};
use assize_engine::compliance::work::Progress;
use assize_engine::council::{CouncilRequest, Participant};
use assize_engine::database::{self, Swept};
use assize_engine::runs::worker::{self, WorkEvent, WorkOptions};
use assize_engine::store::{Instrument, OptRun, Run, RunFilter, RunState};
use axum::http::StatusCode;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::{select, time};

use crate::error::{AppError, Result, to_app_error};
use crate::state::AppState;

/// Runs that are worked on at once: enough that a run by rules does not wait for models, few
/// enough that the requests of all of them together stay below what providers allow.
const RUNS_AT_ONCE: usize = 4;
/// How often old data is removed.
const SWEEPS: Duration = Duration::from_hours(24);
/// How long after its worker ended by a fault of ours a server has another.
const BEGINS_AGAIN: Duration = Duration::from_secs(1);

/// The tasks of this process that outlive a request.
#[derive(Debug, Default)]
pub struct Background {
    /// Wakes the worker.
    wake: Arc<Notify>,
    tasks: Mutex<BTreeMap<String, JoinHandle<()>>>,
}

impl Background {
    /// Waits until everything that was asked to stop has; leases are given back on the way.
    pub(crate) async fn end(&self) {
        loop {
            let next = self.tasks.lock().unwrap_or_else(PoisonError::into_inner).pop_first();
            let Some((_, task)) = next else { return };
            // One that panicked has ended too.
            let _ = task.await;
        }
    }

    /// Spawns a task unless one of that name goes on.
    fn spawn(&self, name: &str, task: impl Future<Output = ()> + Send + 'static) -> bool {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        tasks.retain(|_, task| !task.is_finished());
        if tasks.contains_key(name) {
            return false;
        }
        tasks.insert(name.to_owned(), tokio::spawn(task));
        true
    }
}

/// Starts the worker of this process, and goes on with what was under way when the process
/// before this one died.
pub async fn start_worker(state: &Arc<AppState>) -> Result<()> {
    for organisation in state.store.organisations().list().await? {
        let workspace = Workspace { organisation: organisation.id, ..state.everything() };
        let workspace = Workspace { who: "server".to_owned(), ..workspace };
        // The process may have died between writing the plan and beginning.
        let filter = RunFilter { state: Some(RunState::Planned), ..RunFilter::default() };
        for run in workspace.list_runs(&filter, i64::MAX).await? {
            match check_judge_of(state, &run).await {
                // Those of instruments that are never worked on stay planned.
                Ok(()) => drop(workspace.start_run(&run).await),
                Err(error) => {
                    let (runs, because) = (state.store.runs(), Some(error.detail()));
                    let organisation = &workspace.organisation;
                    runs.set_state(organisation, &run.id, RunState::Failed, because).await?;
                }
            }
        }
        for run in state.store.optimisations().list(&workspace.organisation).await? {
            if matches!(run.state, RunState::Planned | RunState::Running) {
                let _ = search(state, workspace.clone(), run);
            }
        }
    }
    let owner = Arc::clone(state);
    state.background.spawn("worker", async move {
        loop {
            match tokio::spawn(work(Arc::clone(&owner))).await {
                Ok(Ok(())) => return,
                Ok(Err(error)) => tracing::error!(error = error.detail(), "the worker ended"),
                // What it was busy with returns when its leases run out.
                Err(_) => tracing::error!("the worker panicked"),
            }
            select! {
                () = owner.stop.asked() => return,
                () = time::sleep(BEGINS_AGAIN) => {}
            }
        }
    });
    Ok(())
}

/// Takes away every day what organisations keep no longer.
pub(crate) fn start_sweeps(state: &Arc<AppState>) {
    let owner = Arc::clone(state);
    state.background.spawn("retention", async move {
        loop {
            match database::sweep(&owner.store).await {
                Ok(swept) if swept == Swept::default() => {}
                Ok(swept) => tracing::info!(swept.runs, swept.documents, "old data removed"),
                Err(error) => tracing::warn!(%error, "old data could not be removed"),
            }
            select! {
                () = owner.stop.asked() => return,
                () = time::sleep(SWEEPS) => {}
            }
        }
    });
}

async fn work(state: Arc<AppState>) -> Result<()> {
    let models = &state.settings.models;
    let options = WorkOptions {
        name: format!("server {}", std::process::id()),
        host: "this server".to_owned(),
        asking: models.options.clone(),
        config: models.config.clone(),
        ends_when_idle: false,
        runs_at_once: RUNS_AT_ONCE,
        wake: Arc::clone(&state.background.wake),
    };
    let metrics = Arc::clone(&state);
    let events = move |event: &WorkEvent| {
        metrics.metrics.worked(event);
        log(event);
    };
    let (store, stop) = (Arc::clone(&state.store), state.stop.clone());
    worker::work(store, options, events, stop).await.map(drop).map_err(|error| to_app_error(&error))
}

fn log(event: &WorkEvent) {
    match event {
        WorkEvent::Failed(run, because) => tracing::warn!(%run, because, "run failed"),
        WorkEvent::Paused(run, because) => tracing::warn!(%run, because, "run paused"),
        WorkEvent::Resting(run, because) => tracing::warn!(%run, because, "provider down"),
        WorkEvent::LeftToOthers(run, because) => {
            tracing::warn!(%run, because, "run left to other workers");
        }
        WorkEvent::Waiting(error) => tracing::warn!(%error, "the database is away"),
        _ => {}
    }
}

/// Refuses a judge that cannot be asked from here: a model whose provider or key is not known.
pub(crate) async fn check_judge(state: &AppState, judge: &JudgeName) -> Result<()> {
    if !judge.asks_models() {
        return Ok(());
    }
    check_models(state, &judge.models()).await
}

/// Refuses models that cannot be asked from here.
pub(crate) async fn check_models(
    state: &AppState,
    models: impl IntoIterator<Item = &ModelName>,
) -> Result<()> {
    let session = session(state, Stop::default()).await?;
    session.connect(models).map_err(|error| to_app_error(&AskError::from(error)))
}

/// The same for the judge of a run that is there, and for everyone in a council.
pub(crate) async fn check_judge_of(state: &AppState, run: &Run) -> Result<()> {
    if run.instrument == Instrument::Council {
        return check_models(state, &participants_of(run)).await;
    }
    let judge = run.configuration.as_ref().and_then(|json| json["judge"].as_str());
    match judge.map(str::parse) {
        Some(Ok(judge)) => check_judge(state, &judge).await,
        // The worker says what is wrong with a name that nobody understands.
        _ => Ok(()),
    }
}

/// The models of a council, as far as they can be read; the worker says what is wrong with others.
fn participants_of(run: &Run) -> Vec<ModelName> {
    let request = run.configuration.clone().map(serde_json::from_value::<CouncilRequest>);
    let Some(Ok(CouncilRequest { members, reviewers, chair, .. })) = request else {
        return Vec::new();
    };
    let all = members.iter().chain(&reviewers).chain(&chair);
    all.filter_map(|typed| Some(typed.parse::<Participant>().ok()?.model)).collect()
}

/// Hands a run to the worker. Whoever asks is told at once if its judge cannot be asked.
pub(crate) async fn start(state: &AppState, workspace: &Workspace, run: &Run) -> Result<()> {
    if run.state == RunState::Running {
        return Err(already(&format!("run #{}", run.number)));
    }
    check_judge_of(state, run).await?;
    workspace.start_run(run).await?;
    state.background.wake.notify_one();
    Ok(())
}

fn already(what: &str) -> AppError {
    AppError::new(StatusCode::CONFLICT, "already_running", format!("{what} is already running"))
}

/// Works on a search for something better from now on.
pub(crate) fn search(state: &Arc<AppState>, workspace: Workspace, run: OptRun) -> Result<()> {
    if run.state == RunState::Done {
        return Err(AppError::refused("the search is already finished"));
    }
    let (owner, id) = (Arc::clone(state), run.id.to_string());
    let name = format!("search {id}");
    let task = async move {
        match proceed(owner, workspace, run).await {
            Ok(()) => tracing::info!(id, "search ended"),
            Err(error) => tracing::warn!(id, error = error.detail(), "search failed"),
        }
    };
    if state.background.spawn(&name, task) { Ok(()) } else { Err(already(&name)) }
}

async fn proceed(state: Arc<AppState>, workspace: Workspace, run: OptRun) -> Result<()> {
    let session = session(&state, state.stop.clone()).await?;
    let mut known = BTreeMap::new();
    let count = |name: &str, at: Progress| {
        let before = known.insert(name.to_owned(), at.done).unwrap_or(at.done);
        state.metrics.work.finished(at.done.saturating_sub(before));
    };
    match workspace.proceed(run, &session, count).await?.halt {
        Some(halt) => Err(to_app_error(&halt)),
        None => Ok(()),
    }
}

async fn session(state: &AppState, stop: Stop) -> Result<AskSession> {
    let models = &state.settings.models;
    let (store, config) = (Some(Arc::clone(&state.store)), models.config.clone());
    let counted = state.metrics.work.clone();
    let count = move |event: &Event| counted.asked(event);
    let session = AskSession::over(store, &models.options, config, stop, count).await;
    session.map_err(|error| to_app_error(&error))
}
