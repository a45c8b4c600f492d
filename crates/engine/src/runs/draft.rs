//! A result that becomes a run.

use std::sync::atomic::{AtomicU64, Ordering};

use assize_score::MethodVersion;
use assize_store::{Instrument, NewItem, NewRun, NewVerdict, Run, RunId, RunState, StoreError};
use async_recursion::async_recursion as boxed;
use chrono::Utc;
use serde_json::Value as Json;

use super::error::{Result, RunError};
use super::find::check_name;
use crate::Workspace;
use crate::compliance::configuration::hash_of;

/// How many runs this process drafted.
static DRAFTS: AtomicU64 = AtomicU64::new(0);

/// A run that is not saved yet.
#[derive(Debug, Clone)]
pub struct Draft {
    /// What it measures.
    pub instrument: Instrument,
    /// Everything that decides its verdicts.
    pub configuration: Json,
    /// Which method scores it.
    pub method_version: String,
    /// What belongs to the run as a whole.
    pub material: Option<Json>,
}

impl Workspace {
    /// Saves what is done already. Returns the run.
    #[boxed]
    pub async fn save(
        &self,
        draft: Draft,
        name: Option<&str>,
        items: &[(NewItem, NewVerdict)],
    ) -> Result<Run> {
        let run = self.drafted(draft, name).await?;
        let saved = self.store.runs().save(&run, items).await;
        self.numbered(&run, saved).await
    }

    /// Plans what is to be done. Returns the run.
    #[boxed]
    pub async fn plan_run(
        &self,
        draft: Draft,
        name: Option<&str>,
        items: &[NewItem],
    ) -> Result<Run> {
        let run = self.drafted(draft, name).await?;
        let planned = self.store.runs().plan(&run, items).await;
        self.numbered(&run, planned).await
    }

    /// Begins a run whose items come with their verdicts.
    #[boxed]
    pub async fn begin_run(&self, draft: Draft, name: Option<&str>) -> Result<Run> {
        let run = self.drafted(draft, name).await?;
        let begun = self.store.runs().begin(&run).await;
        self.numbered(&run, begun).await
    }

    /// Adds items to such a run; `before` is how many it has.
    #[boxed]
    pub async fn append_to_run(
        &self,
        run: &Run,
        before: usize,
        items: &[(NewItem, NewVerdict)],
    ) -> Result<()> {
        let from = i64::try_from(before).unwrap_or(i64::MAX);
        Ok(self.store.runs().append(&run.id, from, items).await?)
    }

    /// All items have come: the run is done.
    #[boxed]
    pub async fn end_run(&self, run: &Run) -> Result<()> {
        let runs = self.store.runs();
        Ok(runs.set_state(&self.organisation, &run.id, RunState::Done, None).await?)
    }

    async fn drafted(&self, draft: Draft, name: Option<&str>) -> Result<NewRun> {
        let Draft { instrument, configuration, method_version, material } = draft;
        if let Some(name) = name {
            check_name(name)?;
            if self.store.runs().named(&self.organisation, name).await?.is_some() {
                return Err(RunError::NameTaken(name.to_owned()));
            }
        }
        let now = Utc::now();
        let hash = hash_of([configuration.to_string().as_str()]);
        // A server makes several in one moment; the count tells them apart.
        let count = DRAFTS.fetch_add(1, Ordering::Relaxed).to_string();
        let parts = [instrument.word(), &hash, &std::process::id().to_string(), &count];
        Ok(NewRun {
            id: RunId::at(now, &parts),
            organisation_id: self.organisation.clone(),
            instrument,
            name: name.map(ToOwned::to_owned),
            criteria_set_id: None,
            doc_set_id: None,
            configuration: Some(configuration),
            configuration_hash: Some(hash),
            method_version: Some(method_version),
            material,
            who: self.who.clone(),
            created_at: now,
        })
    }

    async fn numbered(&self, run: &NewRun, written: Result<i64, StoreError>) -> Result<Run> {
        match (written, &run.name) {
            // Somebody else took the name in the moment since it was looked up.
            (Err(StoreError::Exists(_)), Some(name)) => Err(RunError::NameTaken(name.clone())),
            (Err(error), _) => Err(error.into()),
            (Ok(number), _) => {
                let found = self.store.runs().numbered(&self.organisation, number).await?;
                found.ok_or_else(|| RunError::Missing(number.to_string()))
            }
        }
    }
}

/// A method with its version, as it is kept.
pub(super) fn method(method: &MethodVersion) -> String {
    format!("{} {}", method.name, method.version)
}
