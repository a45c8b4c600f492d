//! Holding councils that are planned as runs: whole, by one process, with what was answered kept.
//!
//! The answers of a council are judged together, so whoever claims some of its items holds it and
//! finishes them. A process that dies has paid for nothing that is asked again: every reply is
//! kept when it comes, and the next to hold the council finds it.

use std::convert::Infallible;
use std::future;
use std::sync::Arc;
use std::time::Duration;

use assize_store::{
    Claimed, Finished, LOSSES_MAX, NewVerdict, Reopened, RetryFilter, Run, RunState,
};
use chrono::Utc;
use tokio::sync::watch;
use tokio::{join, select, time};

use super::council::{StoredCouncil, hearing, held, items, stored, unheld};
use super::error::{Result, RunError};
use super::leased::{BatchWork, Left, Share, Slice, left_as, lost};
use super::summary::{json, unstorable};
use crate::Workspace;
use crate::asking::item::Item;
use crate::asking::{AskSession, Halt, Stop};
use crate::council::step::{self, Watch};
use crate::council::{CouncilRun, Hearing, hold};

/// How often is looked whether somebody stopped the run.
const LOOK: Duration = Duration::from_millis(500);

impl Workspace {
    /// Holds the council of a run, unless somebody else does. Returns why it ended before its
    /// end, if it did.
    pub async fn hold_council(
        &self,
        run: &Run,
        session: &AskSession,
        watch: Watch<'_>,
    ) -> Result<Option<Halt>> {
        if run.state == RunState::Done {
            return Ok(None);
        }
        let runs = self.store.runs();
        runs.set_state(&self.organisation, &run.id, RunState::Running, None).await?;
        let slice = Slice::default();
        let held = Box::pin(self.hold_council_slice(run, session, &slice, (watch, || {}))).await?;
        let halt = match held {
            Ok(Left::Complete | Left::Paused) => None,
            Ok(Left::Stopped) => Some(Halt::Asked),
            Err(halt) => Some(halt),
        };
        let (state, failure) = left_as(halt.as_ref());
        // A database that is gone cannot be told; the run stays `running`, and can go on.
        let _ = runs.leave(&run.id, state, failure.as_deref()).await;
        Ok(halt)
    }

    /// Holds the council of a run that is going on.
    pub(crate) async fn hold_council_slice(
        &self,
        run: &Run,
        session: &AskSession,
        slice: &Slice,
        (watch, count): (Watch<'_>, impl FnMut() + Send),
    ) -> Result<Result<Left, Halt>> {
        let share = Share::new(self, &run.id, session, slice).await?;
        let bench = Bench { run, session, share: &share, watch };
        Ok(Box::pin(share.work_in_batches(usize::MAX, Batches { bench, count })).await)
    }

    /// Opens a council again in which something has no score: those who answered are not asked
    /// again, the others are.
    pub(super) async fn retry_council(&self, run: &Run, filter: &RetryFilter) -> Result<Reopened> {
        let material = self.store.runs().material(&run.id).await?;
        let Some(hearing) = hearing(run, material.as_ref())? else {
            let because = format!(
                "run #{} was saved as a finished council and cannot be retried",
                run.number
            );
            return Err(RunError::Refused(because));
        };
        let unheld = unheld(&hearing)?;
        Ok(self.store.reopen(run, filter, (&self.who, Utc::now()), Some(&unheld)).await?)
    }
}

/// Where one council is held.
struct Bench<'a> {
    run: &'a Run,
    session: &'a AskSession,
    share: &'a Share<'a>,
    watch: Watch<'a>,
}

/// Answers that come in batches, mostly one of all of them, and who hears of each that is done.
struct Batches<'a, Count> {
    bench: Bench<'a>,
    count: Count,
}

impl<Count: FnMut() + Send> BatchWork for Batches<'_, Count> {
    async fn finish(&mut self, batch: Vec<Claimed>) -> Result<(), Halt> {
        let (ours, lost_for_good): (Vec<Claimed>, Vec<Claimed>) =
            batch.into_iter().partition(|claimed| claimed.losses < LOSSES_MAX);
        let mut finished = Vec::new();
        for claimed in lost_for_good {
            let verdict = NewVerdict::failed(&lost(&claimed));
            finished.push(Finished { claimed, verdict });
        }
        if let Some(first) = ours.first() {
            let Some(council) = self.bench.council(first).await? else { return Ok(()) };
            let verdicts = items(&council.verdict()).map_err(|error| unstorable(&error))?;
            let mut verdicts: Vec<Option<NewVerdict>> =
                verdicts.into_iter().map(|(_, verdict)| Some(verdict)).collect();
            for claimed in ours {
                let place = usize::try_from(claimed.position).ok();
                let verdict = place.and_then(|place| verdicts.get_mut(place)?.take());
                let missing = || NewVerdict::failed("the council has no such answer");
                finished.push(Finished { claimed, verdict: verdict.unwrap_or_else(missing) });
            }
        }
        for _ in 0..self.bench.share.store.finish_all(&finished).await? {
            (self.count)();
        }
        Ok(())
    }
}

impl Bench<'_> {
    /// The council, held now unless it was before. `None`: somebody else has it now.
    async fn council(&self, claimed: &Claimed) -> Result<Option<CouncilRun>, Halt> {
        let runs = self.share.store.runs();
        let material = runs.material(&self.run.id).await?;
        let broken = |error: RunError| unstorable(&error);
        let hearing = match stored(self.run, material.clone()).map_err(broken)? {
            StoredCouncil::Held(council) => return Ok(Some(*council)),
            StoredCouncil::Planned(hearing) => hearing,
        };
        // No attempt of its own: who was retried finds the replies that came before.
        let run = Arc::clone(&self.share.run);
        let item = Item { run, position: claimed.position, attempt: None };
        let council = item.working(self.hold(&hearing)).await?;
        let material = held(material, &council).map_err(broken)?;
        let is_ours = runs.set_material(&self.run.id, claimed.token, &material).await?;
        Ok(is_ours.then_some(council))
    }

    /// Holds the council and notes who is how far, until somebody stops the run.
    async fn hold(&self, hearing: &Hearing) -> Result<CouncilRun, Halt> {
        let (told, mut heard) = watch::channel(step::waiting(hearing));
        let mut session = self.session.clone();
        session.stop = Stop::default();
        let stop = session.stop.clone();
        let holding = async move {
            let watch = |step: &step::Step| {
                told.send_modify(|steps| step::note(steps, step));
                (self.watch)(step);
            };
            select! {
                end = hold(&session, hearing, &watch) => end,
                never = self.stop_with_the_run(&stop) => match never {},
            }
        };
        let noting = async {
            // It ends when the council has.
            while heard.changed().await.is_ok() {
                let steps = json(&*heard.borrow_and_update());
                if let Ok(steps) = steps {
                    // Nothing hangs on it.
                    let _ = self.share.store.runs().set_progress(&self.run.id, &steps).await;
                }
            }
        };
        join!(holding, noting).0
    }

    /// Stops politely when the run is stopped or whoever works is: nothing new is asked, and what
    /// is under way is kept.
    async fn stop_with_the_run(&self, stop: &Stop) -> Infallible {
        loop {
            select! {
                () = self.session.stop.asked() => break,
                () = time::sleep(LOOK) => {}
            }
            let state = self.share.store.runs().state(&self.run.id).await;
            if state.is_ok_and(|state| state != Some(RunState::Running)) {
                break;
            }
        }
        stop.ask();
        future::pending().await
    }
}
