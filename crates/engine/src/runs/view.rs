//! A run at a glance: what it is, the mean of every measure, and a page of its items.

use assize_store::{AnyRun, Instrument, Order, RunItem, RunState, RunVersion};
use chrono::{DateTime, Utc};
use serde::Serialize;

use super::error::RunError;
use crate::compliance::Registry;

/// A run as it stands in a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunLine {
    /// What people call it.
    pub number: i64,
    /// What somebody named it.
    pub name: Option<String>,
    /// Which one.
    pub id: String,
    /// What it measures.
    pub instrument: Instrument,
    /// How far it has come.
    pub state: RunState,
    /// All its items.
    pub items: i64,
    /// Those with a verdict.
    pub done: i64,
    /// Those of them without a score.
    pub unscored: i64,
    /// Who judges or counts.
    pub judge: Option<String>,
    /// Which method, with its version.
    pub method: Option<String>,
    /// Which version of its verdicts counts.
    pub version: i64,
    /// Whether others are compared with it.
    pub baseline: bool,
    /// Its tags, in order.
    pub tags: Vec<String>,
    /// Who began it.
    pub who: String,
    /// When it was planned.
    pub created_at: DateTime<Utc>,
    /// Why it failed, if it did.
    pub failure: Option<String>,
}

/// The mean of a measure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeasureMean {
    /// The measure.
    pub measure: String,
    /// Its mean; none if no item has a value.
    pub mean: Option<f64>,
    /// Items with a value.
    pub scored: usize,
    /// Finished items without one.
    pub unscored: usize,
}

/// A run with its means and a page of its items.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunView {
    /// The run.
    #[serde(flatten)]
    pub run: RunLine,
    /// What decides its verdicts, in the version that is shown.
    pub configuration: Option<serde_json::Value>,
    /// The means, measure by measure.
    pub means: Vec<MeasureMean>,
    /// The versions that rescores made.
    pub versions: Vec<RunVersion>,
    /// A page of items.
    pub page: Vec<RunItem>,
}

impl Registry {
    /// A run as it stands in a list.
    pub async fn run_line(&self, run: &AnyRun) -> Result<RunLine, RunError> {
        let judge = run.configuration.as_ref().and_then(|json| json["judge"].as_str());
        Ok(RunLine {
            number: run.number,
            name: run.name.clone(),
            id: run.id.to_string(),
            instrument: run.instrument,
            state: run.state,
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
        let columns = self.store.verdicts().columns(&run.id, version).await?;
        let means = columns.into_iter().map(|(measure, values)| {
            let values: Vec<f64> = values.into_iter().flatten().collect();
            let scored = values.len();
            let mean = (scored > 0).then(|| values.iter().sum::<f64>() / scored as f64);
            MeasureMean { measure, mean, scored, unscored: done.saturating_sub(scored) }
        });
        let mut line = self.run_line(run).await?;
        line.version = version;
        Ok(RunView {
            run: line,
            configuration,
            means: means.collect(),
            page: self.store.run_items().page(&run.id, version, order, limit).await?,
            versions,
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
