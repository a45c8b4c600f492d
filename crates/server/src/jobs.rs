//! Runs that this process works on.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use assize_engine::Workspace;
use assize_engine::asking::{AskError, AskSession, Event, Halt, JudgeName, Stop};
use assize_engine::compliance::work::Progress;
use assize_engine::runs::summary as summaries;
use assize_engine::store::{Instrument, OptRun, Run, RunFilter, RunState};
use axum::http::StatusCode;
use tokio::time;

use crate::error::{AppError, told};
use crate::state::AppState;
use crate::work::apart;

/// How often is looked whether everybody came to an end.
const LOOK: Duration = Duration::from_millis(50);

/// The runs that are worked on here, each with the wish to stop it.
#[derive(Debug, Default)]
pub struct Jobs {
    running: Mutex<BTreeMap<String, Stop>>,
}

impl Jobs {
    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn begin(&self, id: &str) -> Option<Stop> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if running.contains_key(id) {
            return None;
        }
        let stop = Stop::default();
        running.insert(id.to_owned(), stop.clone());
        Some(stop)
    }

    fn end(&self, id: &str) {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }

    /// Asks whoever works on a run to leave it.
    pub(crate) fn stop(&self, run: &Run) {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(stop) = running.get(run.id.as_str()) {
            stop.ask();
        }
    }

    /// Asks everybody to stop and waits until they have; leases are given back on the way.
    pub(crate) async fn stop_all(&self) {
        for stop in self.running.lock().unwrap_or_else(PoisonError::into_inner).values() {
            stop.ask();
        }
        while self.count() > 0 {
            time::sleep(LOOK).await;
        }
    }
}

/// Refuses a judge that cannot be asked from here: a model whose provider or key is not known.
pub(crate) async fn check_judge(state: &AppState, judge: &JudgeName) -> Result<(), AppError> {
    if !judge.asks_models() {
        return Ok(());
    }
    let session = session(state, Stop::default()).await?;
    session.connect(&judge.models()).map_err(|error| told(&AskError::from(error)))
}

/// The same for the judge of a run that is there.
pub(crate) async fn check_judge_of(state: &AppState, run: &Run) -> Result<(), AppError> {
    let judge = run.configuration.as_ref().and_then(|json| json["judge"].as_str());
    match judge.map(str::parse) {
        Some(Ok(judge)) => check_judge(state, &judge).await,
        // Whoever works on it says what is wrong with a name that nobody understands.
        _ => Ok(()),
    }
}

/// Works on a run from now on, without keeping whoever asked for it. They are told at once if its
/// judge cannot be asked.
pub(crate) async fn start(
    state: &Arc<AppState>,
    workspace: Workspace,
    run: Run,
) -> Result<(), AppError> {
    check_judge_of(state, &run).await?;
    begin(state, workspace, run)
}

/// Works on a run from now on; what is in the way is written down in the run.
fn begin(state: &Arc<AppState>, workspace: Workspace, run: Run) -> Result<(), AppError> {
    if !matches!(run.instrument, Instrument::Compliance | Instrument::Summary) {
        let detail = format!(
            "run #{} is a {} run and cannot be started or resumed",
            run.number, run.instrument
        );
        return Err(AppError::refused(detail));
    }
    if run.state == RunState::Done {
        return Err(AppError::refused(format!("run #{} is already finished", run.number)));
    }
    let what = format!("run #{}", run.number);
    let id = run.id.to_string();
    apart_from(state, (id, what), move |state, stop| async move {
        work(&state, &workspace, run, stop).await
    })
}

/// Works on a search for something better from now on.
pub(crate) fn search(
    state: &Arc<AppState>,
    workspace: Workspace,
    run: OptRun,
) -> Result<(), AppError> {
    if run.state == RunState::Done {
        return Err(AppError::refused("the search is already finished"));
    }
    let names = (run.id.to_string(), format!("search {}", run.id));
    apart_from(state, names, move |state, stop| async move {
        let session = session(&state, stop).await?;
        let mut known = BTreeMap::new();
        let count = |name: &str, at: Progress| {
            let before = known.insert(name.to_owned(), at.done).unwrap_or(at.done);
            state.metrics.work.finished(at.done.saturating_sub(before));
        };
        match workspace.proceed(run, &session, count).await?.halt {
            Some(halt) => Err(told(&halt)),
            None => Ok(()),
        }
    })
}

/// Works on something that is named by its id and in words, once at a time.
fn apart_from<F: Future<Output = Result<(), AppError>>>(
    state: &Arc<AppState>,
    (id, what): (String, String),
    job: impl FnOnce(Arc<AppState>, Stop) -> F + Send + 'static,
) -> Result<(), AppError> {
    let Some(stop) = state.jobs.begin(&id) else {
        let detail = format!("{what} is already running");
        return Err(AppError::new(StatusCode::CONFLICT, "already_running", detail));
    };
    let state = Arc::clone(state);
    tokio::spawn(async move {
        let owner = Arc::clone(&state);
        let ended = apart(move || job(owner, stop)).await;
        state.jobs.end(&id);
        match ended {
            Ok(()) => tracing::info!(what, "ended"),
            Err(error) => tracing::warn!(what, error = error.detail(), "failed"),
        }
    });
    Ok(())
}

/// Goes on with whatever was under way when the process before this one died.
pub(crate) async fn resume_all(state: &Arc<AppState>) -> Result<usize, AppError> {
    let mut resumed = 0;
    for organisation in state.store.organisations().list().await? {
        let workspace = Workspace {
            store: Arc::clone(&state.store),
            organisation: organisation.id,
            who: "server".to_owned(),
            address: None,
        };
        // Planned ones too: the process may have died between writing the plan and beginning.
        for begun in [RunState::Planned, RunState::Running] {
            let filter = RunFilter { state: Some(begun), ..RunFilter::default() };
            for run in workspace.list_runs(&filter, i64::MAX).await? {
                resumed += usize::from(begin(state, workspace.clone(), run).is_ok());
            }
        }
        for run in state.store.optimisations().list(&workspace.organisation).await? {
            if matches!(run.state, RunState::Planned | RunState::Running) {
                resumed += usize::from(search(state, workspace.clone(), run).is_ok());
            }
        }
    }
    Ok(resumed)
}

async fn work(
    state: &AppState,
    workspace: &Workspace,
    run: Run,
    stop: Stop,
) -> Result<(), AppError> {
    match worked(state, workspace, &run, stop).await {
        Ok(None) => Ok(()),
        Ok(Some(halt)) => Err(told(&halt)),
        Err(error) => {
            fail(workspace, &run, error.detail()).await;
            Err(error)
        }
    }
}

/// Works until the end, or until something that is written down already.
async fn worked(
    state: &AppState,
    workspace: &Workspace,
    run: &Run,
    stop: Stop,
) -> Result<Option<Halt>, AppError> {
    let session = session(state, stop).await?;
    if run.instrument == Instrument::Compliance {
        return Ok(workspace.work(&run.id, &session, None, counted(state)).await?.halt);
    }
    let judge = summaries::judge(run, session)?;
    workspace.audit_begin(&run.id, run.state).await?;
    let count = |_| state.metrics.work.finished(1);
    Ok(workspace.work_on_summaries(run, &judge, count).await?.halt)
}

/// Writes down why nothing could be done. A run that others are at is theirs, and a database that
/// is gone cannot be told.
async fn fail(workspace: &Workspace, run: &Run, because: &str) {
    let (runs, organisation) = (workspace.store.runs(), &workspace.organisation);
    let kept = async {
        runs.leave(&run.id, RunState::Failed, Some(because)).await?;
        match runs.get(organisation, &run.id).await? {
            Some(now) if now.state == RunState::Planned => {
                runs.set_state(organisation, &run.id, RunState::Failed, Some(because)).await
            }
            _ => Ok(()),
        }
    };
    if let Err(error) = kept.await {
        tracing::warn!(run = run.number, %error, "the failure could not be saved");
    }
}

/// Counts what is finished from the first call on, which says what was done before.
fn counted(state: &AppState) -> impl FnMut(Progress) {
    let mut known = None;
    move |at| {
        let before = known.replace(at.done).unwrap_or(at.done);
        state.metrics.work.finished(at.done.saturating_sub(before));
    }
}

async fn session(state: &AppState, stop: Stop) -> Result<AskSession, AppError> {
    let models = &state.settings.models;
    let (store, config) = (Some(Arc::clone(&state.store)), models.config.clone());
    let counted = state.metrics.work.clone();
    let count = move |event: &Event| counted.asked(event);
    let session = AskSession::over(store, &models.options, config, stop, count).await;
    session.map_err(|error| told(&error))
}
