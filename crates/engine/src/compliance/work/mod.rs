//! Working on a run: what is planned and has no result is judged, kept, and never judged twice.
//!
//! The rule judge takes one document after the other and many criteria at once ([`rules`]); a
//! model is asked about many pairs at once ([`models`]). Several processes may work on one run:
//! they share it by leases, and what one pays for no other does. Whatever stops it, what is
//! committed stays, and the next to come goes on from there.

mod document_cache;
mod models;
mod rules;

use assize_store::{Claimed, Pair, Run, RunId, RunState, StoreError};

use super::configuration::Configuration;
use super::error::{ComplianceError, Result};
use super::findings::given_up;
use super::mask::Identifiers;
use super::material::Criteria;
use crate::Workspace;
use crate::asking::item::RunContext;
use crate::asking::{AskSession, Halt, Judge, JudgeName, Stop};
use crate::runs::leased::{Left, Share, Slice, left_as};

/// Which pairs are worked on; `None` for all.
type Only<'a> = Option<&'a (dyn Fn(&Pair) -> bool + Sync)>;

/// A run as it is worked on.
pub(super) struct Work {
    pub(super) workspace: Workspace,
    pub(super) run: Run,
    pub(super) configuration: Configuration,
    pub(super) criteria: Criteria,
    pub(super) identifiers: Option<Identifiers>,
    pub(super) stop: Stop,
}

/// How far a run has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Pairs that have a result.
    pub done: u64,
    /// All pairs.
    pub planned: u64,
}

/// How work ended.
#[derive(Debug)]
pub struct Ended {
    /// Pairs that were judged now.
    pub judged: u64,
    /// Why it ended before its end, if it did.
    pub halt: Option<Halt>,
}

impl Workspace {
    /// Judges whatever of a run has no result. `only` limits it to some pairs.
    pub async fn work(
        &self,
        run: &RunId,
        session: &AskSession,
        only: Only<'_>,
        mut progress: impl FnMut(Progress) + Send,
    ) -> Result<Ended> {
        let work = self.prepared(run, session.stop.clone()).await?;
        let count = |items: i64| u64::try_from(items).unwrap_or_default();
        let mut told =
            Progress { done: count(work.run.items_done), planned: count(work.run.items) };
        progress(told);
        if work.run.state == RunState::Done {
            return Ok(Ended { judged: 0, halt: None });
        }
        work.model(session)?;
        let runs = self.store.runs();
        let was = work.run.state;
        runs.set_state(&self.organisation, run, RunState::Running, None).await?;
        if only.is_none() {
            self.audit_begin(run, was).await?;
        }
        let mut judged = 0;
        let count = |more: u64| {
            judged += more;
            told.done += more;
            progress(told);
        };
        let slice = Slice::default();
        let end = Box::pin(self.share(work, session, (&slice, only), count)).await?;
        let halt = match end {
            Ok(Left::Complete | Left::Paused) => None,
            Ok(Left::Stopped) => Some(Halt::Asked),
            Err(halt) => Some(halt),
        };
        self.conclude(run, halt.as_ref()).await?;
        Ok(Ended { judged, halt })
    }

    /// Notes that work on a run begins or goes on, unless others are at it already.
    pub(crate) async fn audit_begin(&self, run: &RunId, was: RunState) -> Result<(), StoreError> {
        let action = match was {
            RunState::Running | RunState::Done => return Ok(()),
            RunState::Planned => "start",
            _ => "resume",
        };
        self.note([action, "run", run.as_str()], (None, None)).await
    }

    /// Judges pairs of a run that is going on, for a while.
    pub(crate) async fn work_slice(
        &self,
        run: &RunId,
        session: &AskSession,
        slice: &Slice,
        mut count: impl FnMut() + Send,
    ) -> Result<Result<Left, Halt>> {
        let work = self.prepared(run, session.stop.clone()).await?;
        let count = |more: u64| (0..more).for_each(|_| count());
        Box::pin(self.share(work, session, (slice, None), count)).await
    }

    /// Takes part in a run.
    async fn share(
        &self,
        work: Work,
        session: &AskSession,
        (slice, only): (&Slice, Only<'_>),
        mut count: impl FnMut(u64) + Send,
    ) -> Result<Result<Left, Halt>> {
        // Who works on a part of a run pays for more than this run: the session's budget holds.
        let limit = if only.is_some() { None } else { session.sender.limit() };
        let run = work.run.id.clone();
        let model = work.model(session)?;
        let context = RunContext::of(&self.store, &self.organisation, &run, limit).await?;
        let configuration = work.configuration.clone();
        let give_up = |_: &Claimed, because: &str| Ok(given_up(&configuration, because));
        let only = only.map(|only| move |claimed: &Claimed| pair(claimed).is_ok_and(|p| only(&p)));
        let share = Share {
            store: &self.store,
            run: context,
            give_up: &give_up,
            concurrency: session.concurrency,
            stop: &session.stop,
            slice,
            only: only.as_ref().map(|only| only as _),
        };
        Ok(match model {
            None => {
                let reader = session.reader.get().map_err(|error| {
                    ComplianceError::Refused(format!("the reader cannot be opened: {error}"))
                })?;
                Box::pin(work.by_rules(reader, &share, &mut count)).await
            }
            Some(judge) => Box::pin(work.by_model(session, &judge, &share, &mut count)).await,
        })
    }

    async fn prepared(&self, run: &RunId, stop: Stop) -> Result<Work> {
        let found = self.store.runs().get(&self.organisation, run).await?;
        let run = found.ok_or_else(|| ComplianceError::missing("run", run.as_str()))?;
        let configuration = Configuration::of(&run)?;
        let planned = self.store.plans().criteria(&self.organisation, &run.id).await?;
        let criteria = Criteria::of(planned);
        let ids = criteria.criteria.iter().map(|criterion| criterion.id.as_str());
        let identifiers = configuration.masks_identifiers.then(|| Identifiers::of(ids));
        Ok(Work { workspace: self.clone(), run, configuration, criteria, identifiers, stop })
    }

    /// Notes how it ended, unless the last item did or others are still at it. A database that
    /// is gone cannot be told, and then the run stays `running`, which the next to come
    /// understands.
    async fn conclude(&self, run: &RunId, halt: Option<&Halt>) -> Result<()> {
        let (state, reason) = left_as(halt);
        let left = self.store.runs().leave(run, state, reason.as_deref()).await;
        if state == RunState::Failed { Ok(()) } else { Ok(left?) }
    }
}

impl Work {
    /// The model that judges; none if rules do.
    fn model(&self, session: &AskSession) -> Result<Option<Judge>> {
        match self.judge()? {
            JudgeName::Rules => Ok(None),
            JudgeName::Model(name) => Ok(Some(session.judge(&name)?)),
            JudgeName::Assisted(_) | JudgeName::Panel(_) => Err(self.unknown_judge()),
        }
    }

    fn judge(&self) -> Result<JudgeName> {
        let judge = &self.configuration.judge;
        judge.parse().map_err(|_| self.unknown_judge())
    }

    fn unknown_judge(&self) -> ComplianceError {
        let judge = &self.configuration.judge;
        ComplianceError::Refused(format!("unknown judge `{judge}` in this run"))
    }
}

/// The document and the criterion of an item.
fn pair(claimed: &Claimed) -> Result<Pair, StoreError> {
    match (&claimed.document_id, &claimed.criteria_item_id) {
        (Some(document_id), Some(criteria_item_id)) => Ok(Pair {
            document_id: document_id.clone(),
            criteria_item_id: criteria_item_id.clone(),
        }),
        _ => Err(StoreError::Missing { what: "document of", id: claimed.subject.clone() }),
    }
}
