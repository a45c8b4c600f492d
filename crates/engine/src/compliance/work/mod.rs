//! Working on a run: what is planned and has no result is judged, kept, and never judged twice.
//!
//! The rule judge takes one document after the other and many criteria at once ([`rules`]); a
//! model is asked about many pairs at once ([`models`]). Whatever stops it, what is committed
//! stays, and the next to come goes on from there.

mod document_cache;
mod models;
mod rules;

use std::collections::BTreeMap;

use assize_store::{CriteriaItemId, DocumentId, Pair, Run, RunId, RunState};
use chrono::Utc;

use super::configuration::Configuration;
use super::error::ComplianceError;
use super::mask::Identifiers;
use super::material::Criteria;
use super::registry::Registry;
use crate::asking::{AskSession, Halt, JudgeName, Stop};

/// A run as it is worked on.
pub(super) struct Work {
    pub(super) registry: Registry,
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

impl Registry {
    /// Judges whatever of a run has no result. `only` limits it to some pairs.
    pub async fn work(
        &self,
        run: &RunId,
        session: &AskSession,
        only: Option<&dyn Fn(&Pair) -> bool>,
        mut progress: impl FnMut(Progress),
    ) -> Result<Ended, ComplianceError> {
        let work = self.prepared(run, session.stop.clone()).await?;
        let planned = self.store.runs().progress(&self.organisation, run).await?;
        let mut pending = self.store.runs().pending(&self.organisation, run).await?;
        if let Some(only) = only {
            pending.retain(|pair| only(pair));
        }
        if !pending.is_empty() || work.run.state != RunState::Done {
            self.set_state(run, RunState::Running).await?;
        }
        let mut told = Progress { done: planned.done(), planned: planned.planned };
        let before = told.done;
        progress(told);
        let mut count = |judged: u64| {
            told.done += judged;
            progress(told);
        };
        let halt = if pending.is_empty() {
            None
        } else {
            match work.judge()? {
                JudgeName::Rules => work.by_rules(by_document(&pending), &mut count).await?,
                JudgeName::Model(name) => {
                    let judge = session.judge(&name)?;
                    work.by_model(session, &judge, pending, &mut count).await?
                }
                JudgeName::Panel(_) => return Err(work.unknown_judge()),
            }
        };
        let judged = told.done - before;
        self.conclude(run, halt.as_ref(), told.done == told.planned).await?;
        Ok(Ended { judged, halt })
    }

    async fn prepared(&self, run: &RunId, stop: Stop) -> Result<Work, ComplianceError> {
        let found = self.store.runs().get(&self.organisation, run).await?;
        let run = found.ok_or_else(|| ComplianceError::missing("run", run.as_str()))?;
        let configuration = Configuration::of(&run)?;
        let planned = self.store.runs().criteria(&self.organisation, &run.id).await?;
        let criteria = Criteria::of(planned);
        let ids = criteria.criteria.iter().map(|criterion| criterion.id.as_str());
        let identifiers = configuration.masks_identifiers.then(|| Identifiers::of(ids));
        Ok(Work { registry: self.clone(), run, configuration, criteria, identifiers, stop })
    }

    /// Notes how it ended. A database that is gone cannot be told, and then the run stays
    /// `running`, which the next to come understands.
    async fn conclude(
        &self,
        run: &RunId,
        halt: Option<&Halt>,
        is_complete: bool,
    ) -> Result<(), ComplianceError> {
        match halt {
            None if is_complete => self.set_state(run, RunState::Done).await,
            None | Some(Halt::Asked | Halt::Budget(_)) => {
                self.set_state(run, RunState::Stopped).await
            }
            Some(halt) => {
                let runs = self.store.runs();
                let _ = runs.fail(&self.organisation, run, &halt.to_string(), Utc::now()).await;
                Ok(())
            }
        }
    }

    async fn set_state(&self, run: &RunId, state: RunState) -> Result<(), ComplianceError> {
        Ok(self.store.runs().set_state(&self.organisation, run, state, Utc::now()).await?)
    }
}

impl Work {
    fn judge(&self) -> Result<JudgeName, ComplianceError> {
        let judge = &self.configuration.judge;
        judge.parse().map_err(|_| self.unknown_judge())
    }

    fn unknown_judge(&self) -> ComplianceError {
        let judge = &self.configuration.judge;
        ComplianceError::Refused(format!("the judge `{judge}` of this run is not known here"))
    }
}

/// The pairs document by document, in the order of the plan.
fn by_document(pending: &[Pair]) -> Vec<(DocumentId, Vec<CriteriaItemId>)> {
    let mut places: BTreeMap<&DocumentId, usize> = BTreeMap::new();
    let mut documents: Vec<(DocumentId, Vec<CriteriaItemId>)> = Vec::new();
    for Pair { document_id, criteria_item_id } in pending {
        let place = *places.entry(document_id).or_insert_with(|| {
            documents.push((document_id.clone(), Vec::new()));
            documents.len() - 1
        });
        documents[place].1.push(criteria_item_id.clone());
    }
    documents
}
