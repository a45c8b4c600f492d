//! Runs in lists, and a run of any instrument at a glance.

use std::sync::Arc;

use assize_store::views::{ItemQuery, ItemSort, MeasureFigure};
use assize_store::{Instrument, Run, RunFilter};
use assize_wire::runs::RunEntry;
use assize_wire::workplace::{Figure, ItemsPage, RunPage, RunRow, Tally};
use async_recursion::async_recursion as boxed;
use serde_json::Value as Json;

use super::cursor;
use super::figures::{figures, main_measure};
use crate::Workspace;
use crate::runs::Result;
use crate::runs::view::{item, made};

/// Rows of a page.
pub(crate) const PAGE: i64 = 100;

/// Settings that are shown of a configuration; longer ones are left to the export.
const SETTING_LENGTH_MAX: usize = 120;

impl Workspace {
    /// Runs for a list, the latest first.
    #[boxed]
    pub async fn run_rows(&self, filter: &RunFilter, limit: i64) -> Result<Vec<RunRow>> {
        let runs = self.list_runs(filter, limit).await?;
        let entries = self.run_entries(&runs).await?;
        let all = self.store.views().figures_of(&runs).await?;
        let row = |((run, entry), measures): ((&Run, RunEntry), Arc<Vec<MeasureFigure>>)| {
            let names: Vec<String> = measures.iter().map(|one| one.measure.clone()).collect();
            let mut figures = figures(run, &measures);
            let figure = main_measure(&names).map(|place| figures.swap_remove(place));
            RunRow { run: entry, figure }
        };
        Ok(runs.iter().zip(entries).zip(all).map(row).collect())
    }

    /// Runs with the means of their measures and their intervals, the best by the measure that
    /// stands for them first.
    #[boxed]
    pub async fn leaderboard(&self, runs: &[Run]) -> Result<Vec<(RunEntry, Vec<Figure>)>> {
        let mut rows = Vec::with_capacity(runs.len());
        for (run, entry) in runs.iter().zip(self.run_entries(runs).await?) {
            let measures = self.measure_figures(run, run.version).await?;
            rows.push((entry, figures(run, &measures)));
        }
        let main = |(_, figures): &(RunEntry, Vec<Figure>)| {
            let names: Vec<String> = figures.iter().map(|one| one.name.clone()).collect();
            let place = main_measure(&names);
            place.and_then(|place| figures[place].value).unwrap_or(f64::NEG_INFINITY)
        };
        rows.sort_by(|left, right| main(right).total_cmp(&main(left)));
        Ok(rows)
    }

    /// How many runs there are of each instrument.
    #[boxed]
    pub async fn run_tally(&self) -> Result<Tally> {
        let counts = self.store.views().runs_by_instrument(&self.organisation).await?;
        let of = |instrument| counts.get(&instrument).copied().unwrap_or_default();
        Ok(Tally {
            all: counts.values().sum(),
            retrieval: of(Instrument::Retrieval),
            summary: of(Instrument::Summary),
            compliance: of(Instrument::Compliance),
            council: of(Instrument::Council),
        })
    }

    /// A run with its figures and a page of items.
    #[boxed]
    pub async fn run_page(&self, run: &Run, query: &ItemQuery) -> Result<RunPage> {
        let measures = &self.measure_figures(run, run.version).await?;
        let names: Vec<String> = measures.iter().map(|one| one.measure.clone()).collect();
        let shown = main_measure(&names);
        let range = shown.and_then(|place| measures[place].range).map(natural).unwrap_or_default();
        let distribution = match shown {
            Some(place) => {
                let views = self.store.views();
                views.distribution(run, run.version, &names[place], range).await?
            }
            None => Vec::new(),
        };
        let main = shown.map(|place| names[place].clone()).unwrap_or_default();
        let versions = self.store.verdicts().versions(&run.id).await?;
        let shown = versions.iter().find(|one| one.version == run.version);
        let decides = shown.map_or(&run.configuration, |version| &version.configuration);
        let mut entry = self.run_entry(run).await?;
        entry.method = shown.and_then(|one| one.method_version.clone()).or(entry.method);
        Ok(RunPage {
            run: entry,
            figures: figures(run, measures),
            main,
            distribution,
            range,
            settings: settings(decides.as_ref()),
            items: self.items_page(run, query, names).await?,
            latest: versions.last().map_or(1, |last| last.version),
            versions: versions.into_iter().map(made).collect(),
        })
    }

    async fn items_page(
        &self,
        run: &Run,
        query: &ItemQuery,
        measures: Vec<String>,
    ) -> Result<ItemsPage> {
        let known = |sort: &ItemSort| match sort {
            ItemSort::Position => true,
            ItemSort::Measure(name, _) => measures.contains(name),
        };
        let mut query = query.clone();
        if !known(&query.sort) {
            query.sort = ItemSort::Position;
        }
        let mut page = self.store.views().items(&run.id, run.version, &query, PAGE + 1).await?;
        let is_more = page.len() > usize::try_from(PAGE).unwrap_or(usize::MAX);
        if is_more {
            page.pop();
        }
        let next = page.last().filter(|_| is_more);
        let next = next.map(|(item, key)| cursor::write((*key, item.position)));
        Ok(ItemsPage {
            items: page.into_iter().map(|(one, _)| item(one)).collect(),
            measures,
            next,
            all: run.items,
            unscored: run.items_unscored,
        })
    }
}

/// The scale that values lie on: 0 to 1, to 10, to 100, or just as far as they go.
fn natural((low, high): (f64, f64)) -> (f64, f64) {
    match [1.0, 10.0, 100.0].into_iter().find(|end| high <= *end) {
        Some(end) if low >= 0.0 => (0.0, end),
        _ => (low, high),
    }
}

/// What decides a run, in short words.
fn settings(configuration: Option<&Json>) -> Vec<(String, String)> {
    let fields = configuration.and_then(Json::as_object).into_iter().flatten();
    let shown = fields.filter_map(|(name, value)| {
        let text = match value {
            Json::String(text) => text.clone(),
            Json::Bool(_) | Json::Number(_) => value.to_string(),
            _ => return None,
        };
        (text.len() <= SETTING_LENGTH_MAX).then(|| (name.replace('_', " "), text))
    });
    shown.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distribution_lies_on_the_scale_of_its_measure() {
        assert_eq!(natural((0.2, 0.9)), (0.0, 1.0));
        assert_eq!(natural((3.0, 10.0)), (0.0, 10.0));
        assert_eq!(natural((3.0, 100.0)), (0.0, 100.0));
        assert_eq!(natural((-0.5, 0.5)), (-0.5, 0.5));
        assert_eq!(natural((0.0, 2_000.0)), (0.0, 2_000.0));
    }
}
