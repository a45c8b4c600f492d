//! A run at a glance: what it is, the mean of every measure, and a page of its items.

use assize_store::{Instrument, Order, ResultOutcome, Run, RunItem, RunVersion};
use assize_wire::runs::{Approval, ExportedItem, Item, Version};
pub use assize_wire::runs::{Mean, RunEntry, RunView};
use async_recursion::async_recursion as boxed;

use super::approve::approval_of;
use super::error::{Result, RunError};
use super::export::ExportFormat;
use crate::Workspace;

impl Workspace {
    /// A run as it stands in a list.
    #[boxed]
    pub async fn run_entry(&self, run: &Run) -> Result<RunEntry> {
        let mut entries = self.run_entries(std::slice::from_ref(run)).await?;
        entries.pop().ok_or_else(|| RunError::Missing(run.number.to_string()))
    }

    /// Runs as they stand in a list. Their tags and sets are read at once: one question for each
    /// run would be most of the time that a page of a hundred takes.
    #[boxed]
    pub async fn run_entries(&self, runs: &[Run]) -> Result<Vec<RunEntry>> {
        let mut marks = self.store.runs().marks_of(runs.iter().map(|run| &run.id)).await?;
        let with_sets = runs.iter().filter(|run| run.instrument == Instrument::Compliance);
        let with_sets = with_sets.map(|run| &run.id);
        let mut sets = self.store.plans().sets_of(&self.organisation, with_sets).await?;
        let were_approved = marks.iter().filter(|(_, marks)| marks.was_approved);
        let were_approved = were_approved.map(|(id, _)| id);
        let mut approved = self.store.approvals().of_runs(were_approved).await?;
        let entry = |run: &Run| {
            let approval = approved.remove(&run.id).map(approval_of);
            let tags = marks.remove(&run.id).map(|marks| marks.tags);
            entry(run, tags, sets.remove(&run.id), approval)
        };
        Ok(runs.iter().map(entry).collect())
    }

    /// The entry of a compliance run by one who knows its sets and whether anybody ever approved
    /// it already: what follows is not asked for again.
    pub(crate) async fn evaluated_entry(
        &self,
        run: &Run,
        sets: (String, String),
        was_approved: bool,
    ) -> Result<RunEntry> {
        let tags = self.store.runs().tags(&run.id).await?;
        let approval = if was_approved { self.approval(&run.id).await? } else { None };
        Ok(entry(run, Some(tags), Some(sets), approval))
    }

    /// A page of items, in the version that counts or in another.
    #[boxed]
    pub async fn run_items(
        &self,
        run: &Run,
        version: Option<i64>,
        order: &Order,
        limit: i64,
    ) -> Result<Vec<Item>> {
        let version = checked_version(run, version)?;
        let page = self.store.run_items().page(&run.id, version, order, limit).await?;
        if let (Order::ByScore { measure, .. }, true) = (order, page.is_empty()) {
            self.check_measure(run, version, measure).await?;
        }
        Ok(page.into_iter().map(item).collect())
    }

    /// Refuses a measure that the run does not have. A run without any scores has no measures yet.
    async fn check_measure(&self, run: &Run, version: i64, measure: &str) -> Result<()> {
        let known: Vec<String> =
            self.store.verdicts().means(&run.id, version).await?.into_keys().collect();
        if known.is_empty() || known.iter().any(|one| one == measure) {
            return Ok(());
        }
        Err(RunError::Measure { number: run.number, measure: measure.to_owned(), known })
    }

    /// One item with all that its scores rest on.
    #[boxed]
    pub async fn run_item(
        &self,
        run: &Run,
        version: Option<i64>,
        position: i64,
    ) -> Result<ExportedItem> {
        let version = checked_version(run, version)?;
        let order = Order::ByPosition { after: Some(position - 1) };
        let found = self.store.run_items().page(&run.id, version, &order, 1).await?.pop();
        let found = found.filter(|item| item.position == position);
        let found =
            found.ok_or_else(|| RunError::Missing(format!("#{} item {position}", run.number)))?;
        let verdict = self.store.verdicts().page(&run.id, version, position, 1).await?.pop();
        let verdict = verdict.filter(|verdict| verdict.position == position);
        let (ledger, evidence, exchanges) = verdict
            .map(|verdict| (verdict.ledger, verdict.evidence, verdict.exchange_keys))
            .unwrap_or_default();
        Ok(ExportedItem { item: item(found), ledger, evidence, exchanges })
    }

    /// The version that was asked for, or the one that counts.
    pub fn version_of(&self, run: &Run, version: Option<i64>) -> Result<i64> {
        checked_version(run, version)
    }

    /// A run with a page of items, in the version that counts or in another.
    #[boxed]
    pub async fn run_view(
        &self,
        run: &Run,
        version: Option<i64>,
        order: &Order,
        limit: i64,
    ) -> Result<RunView> {
        let version = checked_version(run, version)?;
        let versions = self.store.verdicts().versions(&run.id).await?;
        let of_version = versions.iter().find(|one| one.version == version);
        let configuration =
            of_version.map_or(&run.configuration, |version| &version.configuration).clone();
        let method = of_version.and_then(|version| version.method_version.clone());
        let done = usize::try_from(run.items_done).unwrap_or_default();
        let means = self.measure_figures(run, version).await?;
        let means = means.into_iter().map(|one| {
            let scored = usize::try_from(one.count).unwrap_or(usize::MAX);
            Mean {
                measure: one.measure,
                mean: one.mean,
                interval: one.interval,
                scored,
                unscored: done.saturating_sub(scored),
            }
        });
        let page = self.store.run_items().page(&run.id, version, order, limit).await?;
        let repeats = self.repeat_figures(run).await?;
        let mut entry = self.run_entry(run).await?;
        entry.version = version;
        entry.method = method.or(entry.method);
        Ok(RunView {
            repeats,
            run: entry,
            configuration,
            means: means.collect(),
            page: page.into_iter().map(item).collect(),
            versions: versions.into_iter().map(made).collect(),
        })
    }
}

fn entry(
    run: &Run,
    tags: Option<Vec<String>>,
    sets: Option<(String, String)>,
    approval: Option<Approval>,
) -> RunEntry {
    let judge = run.configuration.as_ref().and_then(|json| json["judge"].as_str());
    RunEntry {
        number: run.number,
        name: run.name.clone(),
        run: run.id.to_string(),
        instrument: run.instrument.to_string(),
        about: sets.map(|(documents, criteria)| format!("{documents} × {criteria}")),
        state: run.state.to_string(),
        items: run.items,
        done: run.items_done,
        unscored: run.items_unscored,
        judge: judge.map(ToOwned::to_owned),
        method: run.method_version.clone(),
        version: run.version,
        baseline: run.is_baseline,
        tags: tags.unwrap_or_default(),
        who: run.who.clone(),
        created_at: run.created_at,
        failure: run.failure.clone(),
        approval,
        archived: run.archived_at.is_some(),
        exports: ExportFormat::offered(run.instrument)
            .map(|format| (format.name(), format.title()))
            .collect(),
    }
}

/// The version that was asked for, or the one that counts.
pub(super) fn checked_version(run: &Run, version: Option<i64>) -> Result<i64> {
    match version {
        None => Ok(run.version),
        Some(version) if (1..=run.version).contains(&version) => Ok(version),
        Some(version) => {
            let (number, last) = (run.number, run.version);
            let because = format!("run #{number} has versions 1 to {last}, not {version}");
            Err(RunError::Refused(because))
        }
    }
}

/// An item in the shape that programs see.
pub(crate) fn item(item: RunItem) -> Item {
    let RunItem { position, subject, state, outcome, reason, scores, judged } = item;
    let outcome = outcome.map(ResultOutcome::word).map(ToOwned::to_owned);
    Item { position, subject, state: state.to_string(), outcome, reason, scores, judged }
}

/// A version in the shape that programs see.
pub(crate) fn made(version: RunVersion) -> Version {
    let RunVersion { version, reason, who, created_at, .. } = version;
    Version { version, reason, who, created_at }
}
