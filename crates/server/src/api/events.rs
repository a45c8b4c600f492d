//! What happens to a run, sent as it happens.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use assize_engine::Workspace;
use assize_engine::store::Run;
use assize_wire::runs::RunProgress;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::{Stream, StreamExt, TryStreamExt, stream};
use tokio::time::Instant;
use tokio::{select, time};

use super::describe::Operation;
use super::extract;
use super::runs::named;
use crate::auth::{Door, Org};
use crate::error::Result;
use crate::state::AppState;

/// How often is looked: one row by its key, so many watchers cost little.
const LOOK: Duration = Duration::from_millis(500);
/// How often is asked whether whoever watches may still come in.
const ASK_AGAIN: Duration = Duration::from_secs(5);

pub(crate) const EVENTS: Operation =
    Operation::new("Stream the progress of a run as server-sent events")
        .gives_file("text/event-stream");

struct Watch {
    state: Arc<AppState>,
    door: Door,
    asked: Instant,
    workspace: Workspace,
    run: Run,
    /// The id of the last event that the client has.
    told: Option<String>,
    is_over: bool,
}

/// `GET /api/v1/runs/{run}/events`. An event carries the whole progress, so whoever comes back
/// with `Last-Event-ID` gets the present state if it is another, and misses nothing that counts.
pub(crate) async fn watch(
    State(state): State<Arc<AppState>>,
    Org(workspace): Org,
    door: Door,
    extract::Path(name): extract::Path<String>,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = io::Result<Event>>>> {
    let run = named(&workspace, &name).await?;
    let told = headers.get("last-event-id").and_then(|id| Some(id.to_str().ok()?.to_owned()));
    let asked = Instant::now();
    let watch = Watch { state, door, asked, workspace, run, told, is_over: false };
    let events = stream::try_unfold(watch, Watch::next).map_err(|error| {
        tracing::warn!(error = error.detail(), "a stream of events ended early");
        io::Error::other("the stream ended early")
    });
    let events = events.fuse();
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))))
}

impl Watch {
    /// The next event. What cannot be told is an error, so that nobody takes the end of the
    /// stream for that of the run.
    async fn next(mut self) -> Result<Option<(Event, Self)>> {
        while !self.is_over {
            let progress = progress(&self.workspace, &self.run).await;
            let id = event_id(&progress);
            // A run that nobody can go on with by itself has nothing more to tell.
            self.is_over = self.run.state.is_end();
            if self.told.as_deref() != Some(&id) {
                let name = if self.is_over { "state" } else { "progress" };
                let event = Event::default().event(name).id(&id);
                let event = event.json_data(&progress).unwrap_or_default();
                self.told = Some(id);
                return Ok(Some((event, self)));
            }
            if self.is_over {
                break;
            }
            select! {
                () = time::sleep(LOOK) => {}
                () = self.state.stop.asked() => return Ok(None),
            }
            if self.asked.elapsed() >= ASK_AGAIN {
                if !self.door.is_open(&self.state).await? {
                    return Ok(None);
                }
                self.asked = Instant::now();
            }
            self.run = named(&self.workspace, self.run.id.as_str()).await?;
        }
        Ok(None)
    }
}

async fn progress(workspace: &Workspace, run: &Run) -> RunProgress {
    RunProgress {
        number: run.number,
        state: run.state.to_string(),
        items: run.items,
        done: run.items_done,
        unscored: run.items_unscored,
        version: run.version,
        failure: run.failure.clone(),
        // Who cannot be told how far everyone is, still hears how far the whole is.
        steps: workspace.council_steps(run).await.unwrap_or_default(),
    }
}

fn event_id(progress: &RunProgress) -> String {
    let RunProgress { state, done, unscored, version, steps, .. } = progress;
    let at = |word: &str| steps.iter().filter(|step| step.state == word).count();
    let (asked, over) = (at("asked"), at("done") + at("failed"));
    format!("{done}.{unscored}.{version}.{asked}.{over}.{state}")
}
