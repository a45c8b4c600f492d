//! A run at a glance: what it is, the mean of every measure, and a page of its items.

use assize_store::{AnyRun, Instrument, Order, ResultOutcome, RunItem, RunVersion};
use assize_wire::runs::{Item, Version};
pub use assize_wire::runs::{Mean, RunEntry, RunView};

use super::error::RunError;
use crate::compliance::Registry;

impl Registry {
    /// A run as it stands in a list.
    pub async fn run_entry(&self, run: &AnyRun) -> Result<RunEntry, RunError> {
        let about = match run.instrument {
            Instrument::Compliance => self.store.runs().sets(&self.organisation, &run.id).await?,
            _ => None,
        };
        let judge = run.configuration.as_ref().and_then(|json| json["judge"].as_str());
        Ok(RunEntry {
            number: run.number,
            name: run.name.clone(),
            run: run.id.to_string(),
            instrument: run.instrument.to_string(),
            about: about.map(|(documents, criteria)| format!("{documents} × {criteria}")),
            state: run.state.to_string(),
            items: run.items,
            done: run.items_done,
            unscored: run.items_unscored,
            judge: judge.map(ToOwned::to_owned),
            method: run.method_version.clone(),
            version: run.version,
            baseline: run.is_baseline,
            tags: self.store.any_runs().tags(&run.id).await?,
            who: run.who.clone(),
            created_at: run.created_at,
            failure: run.failure.clone(),
        })
    }

    /// A run with a page of items, in the version that counts or in another.
    pub async fn run_view(
        &self,
        run: &AnyRun,
        version: Option<i64>,
        order: &Order,
        limit: i64,
    ) -> Result<RunView, RunError> {
        let version = checked_version(run, version)?;
        let versions = self.store.verdicts().versions(&run.id).await?;
        let of_version = versions.iter().find(|one| one.version == version);
        let configuration =
            of_version.map_or(&run.configuration, |version| &version.configuration).clone();
        let done = usize::try_from(run.items_done).unwrap_or_default();
        let means = self.store.verdicts().means(&run.id, version).await?;
        let means = means.into_iter().map(|(measure, (scored, mean))| {
            let scored = usize::try_from(scored).unwrap_or(usize::MAX);
            Mean { measure, mean, scored, unscored: done.saturating_sub(scored) }
        });
        let page = self.store.run_items().page(&run.id, version, order, limit).await?;
        let mut entry = self.run_entry(run).await?;
        entry.version = version;
        Ok(RunView {
            run: entry,
            configuration,
            means: means.collect(),
            page: page.into_iter().map(item).collect(),
            versions: versions.into_iter().map(made).collect(),
        })
    }
}

/// The version that was asked for, or the one that counts.
pub(super) fn checked_version(run: &AnyRun, version: Option<i64>) -> Result<i64, RunError> {
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
    let RunItem { position, subject, state, outcome, reason, scores } = item;
    let outcome = outcome.map(ResultOutcome::word).map(ToOwned::to_owned);
    Item { position, subject, state: state.to_string(), outcome, reason, scores }
}

fn made(version: RunVersion) -> Version {
    let RunVersion { version, reason, who, created_at, .. } = version;
    Version { version, reason, who, created_at }
}
