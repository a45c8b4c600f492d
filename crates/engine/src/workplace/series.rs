//! Runs over time: a series is all runs of one criteria set, of one tag, or of one name that only
//! counts on (`nightly 1`, `nightly 2`). Nothing is computed here: means and intervals are those
//! of each run's page, differences those of the comparison of two runs.

use std::collections::{BTreeMap, BTreeSet};

use assize_store::views::MeasureFigure;
use assize_store::{CriteriaSetId, Instrument, Run, RunFilter, RunState};
use assize_wire::runs::{Difference, RunEntry};
use assize_wire::workplace::{
    RunRow, SeriesPoint, SeriesRow, SeriesView, SetupChange, SinceBaseline,
};
use async_recursion::async_recursion as boxed;
use serde_json::Value as Json;

use super::figures::{figures, main_measure};
use crate::Workspace;
use crate::runs::comparisons::Comparisons;
use crate::runs::export::row;
use crate::runs::{Result, RunError};

/// Runs that are looked through for series.
const RUNS_MAX: i64 = 500;
/// Runs of a series that are shown: each is compared with the one before it.
const SHOWN: usize = 30;
/// What stands between a name and what counts on.
const SEPARATORS: [char; 7] = [' ', '-', '_', '.', '#', ':', '/'];
/// Longer settings are only said to be another.
const WORDS_MAX: usize = 40;

/// What the runs of a series have in common.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    id: String,
    kind: &'static str,
    name: String,
}

impl Workspace {
    /// Every series of at least two runs, that with the latest run first.
    #[boxed]
    pub async fn series_list(&self) -> Result<Vec<SeriesRow>> {
        let runs = self.series_runs().await?;
        let mut groups: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
        for (place, (_, keys)) in runs.iter().enumerate() {
            for key in keys {
                groups.entry(key.clone()).or_default().push(place);
            }
        }
        let mut groups: Vec<_> =
            groups.into_iter().filter(|(_, places)| places.len() > 1).collect();
        groups.sort_by_key(|(_, places)| places[0]);
        let latest: Vec<Run> = groups.iter().map(|(_, places)| runs[places[0]].0.clone()).collect();
        let entries = self.run_entries(&latest).await?;
        let mut rows = Vec::with_capacity(groups.len());
        for ((key, places), (run, entry)) in groups.into_iter().zip(latest.iter().zip(entries)) {
            let measures = self.measure_figures(run, run.version).await?;
            let figure = main_of(&measures).map(|place| figures(run, &measures).swap_remove(place));
            rows.push(SeriesRow {
                name: self.series_name(&key).await?,
                id: key.id,
                kind: key.kind.to_owned(),
                runs: places.len(),
                latest: RunRow { run: entry, figure },
            });
        }
        Ok(rows)
    }

    /// A series with a measure; without one, with that which stands for its runs.
    #[boxed]
    pub async fn series_view(
        &self,
        id: &str,
        measure: Option<&str>,
        comparisons: &Comparisons,
    ) -> Result<SeriesView> {
        let all = self.series_runs().await?;
        let key = all.iter().flat_map(|(_, keys)| keys).find(|key| key.id == id).cloned();
        let key = key.ok_or_else(|| RunError::Missing(format!("series {id}")))?;
        let is_part = |(run, keys): (Run, Vec<Key>)| keys.contains(&key).then_some(run);
        let mut runs: Vec<Run> = all.into_iter().filter_map(is_part).collect();
        let older = runs.len().saturating_sub(SHOWN);
        runs.truncate(SHOWN);
        runs.reverse();
        let mut found = Vec::with_capacity(runs.len());
        for run in &runs {
            found.push(self.measure_figures(run, run.version).await?);
        }
        let names: BTreeSet<&String> = found.iter().flatten().map(|one| &one.measure).collect();
        let names: Vec<String> = names.into_iter().cloned().collect();
        let known = measure.filter(|wanted| names.iter().any(|name| name == wanted));
        let main = main_measure(&names).map(|place| names[place].as_str());
        let measure = known.or(main).unwrap_or_default().to_owned();
        let base = runs.iter().position(|run| run.is_baseline).unwrap_or(0);
        let last = runs.len() - 1;
        let since_baseline = match last {
            last if last == base => None,
            last => self.step([&runs[base], &runs[last]], &measure, comparisons).await?,
        };
        Ok(SeriesView {
            baseline: runs[base].number,
            points: self.points(&runs, &found, (base, &measure), comparisons).await?,
            name: self.series_name(&key).await?,
            id: key.id,
            kind: key.kind.to_owned(),
            measure,
            measures: names,
            older,
            since_baseline,
        })
    }

    async fn points(
        &self,
        runs: &[Run],
        found: &[Vec<MeasureFigure>],
        (base, measure): (usize, &str),
        comparisons: &Comparisons,
    ) -> Result<Vec<SeriesPoint>> {
        let figure = |place: usize| {
            let all = figures(&runs[place], &found[place]);
            all.into_iter().find(|one| one.name == measure).unwrap_or_default()
        };
        let baseline = figure(base).value;
        let mut points = Vec::with_capacity(runs.len());
        for (place, entry) in self.run_entries(runs).await?.into_iter().enumerate() {
            let before = place.checked_sub(1).map(|place| &runs[place]);
            let step = match before {
                Some(before) => self.step([before, &runs[place]], measure, comparisons).await?,
                None => None,
            };
            let figure = figure(place);
            points.push(SeriesPoint {
                since_baseline: figure.value.zip(baseline).map(|(value, base)| value - base),
                changes: before.map(|before| changes(before, &runs[place])).unwrap_or_default(),
                run: entry,
                figure,
                step,
            });
        }
        Ok(points)
    }

    /// How a measure differs between two runs, as their comparison says; none where they cannot be
    /// compared by it.
    async fn step(
        &self,
        [first, second]: [&Run; 2],
        measure: &str,
        comparisons: &Comparisons,
    ) -> Result<Option<Difference>> {
        let pair = [(first, first.version), (second, second.version)];
        let found = match comparisons.comparison(self, pair, 0).await {
            Ok(found) => found,
            Err(RunError::Refused(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        Ok(found.measures.iter().find(|one| one.measure == measure).cloned())
    }

    /// The latest run of each instrument beside its baseline, where both share items. A council's
    /// marks are no sample of anything.
    #[boxed]
    pub async fn since_baselines(&self, comparisons: &Comparisons) -> Result<Vec<SinceBaseline>> {
        let mut all = Vec::new();
        for instrument in [Instrument::Compliance, Instrument::Summary, Instrument::Retrieval] {
            let Some(base) = self.store.runs().baseline(&self.organisation, instrument).await?
            else {
                continue;
            };
            let filter = RunFilter {
                instrument: Some(instrument),
                state: Some(RunState::Done),
                ..RunFilter::default()
            };
            let latest = self.list_runs(&filter, 2).await?;
            let Some(run) = latest.into_iter().find(|run| run.number > base.number) else {
                continue;
            };
            let measures = self.measure_figures(&run, run.version).await?;
            let Some(place) = main_of(&measures) else { continue };
            let step = self.step([&base, &run], &measures[place].measure, comparisons).await?;
            if let Some(step) = step {
                let (baseline, run) = (self.run_entry(&base).await?, self.run_entry(&run).await?);
                all.push(SinceBaseline { baseline, run, step });
            }
        }
        Ok(all)
    }

    /// The latest finished runs, each with the series it belongs to.
    async fn series_runs(&self) -> Result<Vec<(Run, Vec<Key>)>> {
        let filter = RunFilter { state: Some(RunState::Done), ..RunFilter::default() };
        let runs = self.list_runs(&filter, RUNS_MAX).await?;
        let marks = self.store.runs().marks_of(runs.iter().map(|run| &run.id)).await?;
        let series = |run: Run| {
            let tags = marks.get(&run.id).map(|marks| marks.tags.as_slice()).unwrap_or_default();
            let keys = keys(&run, tags);
            (run, keys)
        };
        Ok(runs.into_iter().map(series).collect())
    }

    /// A criteria set may have been renamed since: its id is what its runs have in common.
    async fn series_name(&self, key: &Key) -> Result<String> {
        if key.kind != CRITERIA {
            return Ok(key.name.clone());
        }
        let id = CriteriaSetId::from(key.name.as_str());
        let set = self.store.criteria_sets().get(&self.organisation, &id).await?;
        Ok(set.map_or_else(|| key.name.clone(), |set| set.name))
    }
}

const CRITERIA: &str = "criteria set";

fn main_of(measures: &[MeasureFigure]) -> Option<usize> {
    main_measure(&measures.iter().map(|one| one.measure.clone()).collect::<Vec<_>>())
}

/// The series that a run belongs to.
fn keys(run: &Run, tags: &[String]) -> Vec<Key> {
    let instrument = run.instrument.word();
    let key = |kind: &'static str, word: &str, name: &str| Key {
        id: format!("{word}-{instrument}-{name}"),
        kind,
        name: name.to_owned(),
    };
    let set = run.criteria_set_id.as_ref().map(|set| key(CRITERIA, "criteria", set.as_str()));
    let tags = tags.iter().map(|tag| key("tag", "tag", tag));
    let name = run.name.as_deref().and_then(stem).map(|stem| key("name", "name", stem));
    set.into_iter().chain(tags).chain(name).collect()
}

/// A name without what counts on at its end: a number, a version, a date. None if nothing does.
pub(super) fn stem(name: &str) -> Option<&str> {
    let mut rest = name;
    while let Some(place) = rest.rfind(SEPARATORS) {
        let last = &rest[place..][1..];
        let digits = last.strip_prefix('v').unwrap_or(last);
        if !digits.chars().all(|letter| letter.is_ascii_digit()) {
            break;
        }
        rest = &rest[..place];
    }
    (rest.len() < name.len() && !rest.is_empty()).then_some(rest)
}

/// What a run was set up with otherwise than the one before it. What was judged is named last.
pub fn changes(before: &Run, after: &Run) -> Vec<SetupChange> {
    let fields = |run: &Run| run.configuration.as_ref().and_then(Json::as_object).cloned();
    let (old, new) = (fields(before).unwrap_or_default(), fields(after).unwrap_or_default());
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let other = names.into_iter().filter(|name| old.get(*name) != new.get(*name));
    let mut all: Vec<SetupChange> = other
        .map(|name| {
            let what = match name.as_str() {
                "template" => "prompt".to_owned(),
                "structure" => "response structure".to_owned(),
                "criteria_hash" => "criteria".to_owned(),
                "document_hashes" => "documents".to_owned(),
                other => other.replace('_', " "),
            };
            let words = match (said(old.get(name)), said(new.get(name))) {
                (Some(old), Some(new)) => format!("{what} {old} → {new}"),
                (None, Some(new)) => format!("{what} {new}"),
                _ => what.clone(),
            };
            SetupChange { what, words }
        })
        .collect();
    if let (Some(old), Some(new)) = (&before.method_version, &after.method_version)
        && old != new
    {
        all.push(SetupChange { what: "method".to_owned(), words: format!("{old} → {new}") });
    }
    all.sort_by_key(|one| matches!(one.what.as_str(), "criteria" | "documents"));
    all
}

/// A setting that is short enough to be said; of a prompt, its name and version. A hash says
/// nothing to anybody.
fn said(setting: Option<&Json>) -> Option<String> {
    let text = match setting? {
        Json::String(text) => text.clone(),
        number @ Json::Number(_) => number.to_string(),
        Json::Bool(is) => if *is { "on" } else { "off" }.to_owned(),
        Json::Object(fields) => {
            let version = fields.get("version")?.as_i64()?;
            format!("{}@{version}", fields.get("name")?.as_str()?)
        }
        _ => return None,
    };
    let is_hash = text.len() >= 20 && text.chars().all(|letter| letter.is_ascii_hexdigit());
    (text.len() <= WORDS_MAX && !is_hash).then_some(text)
}

/// The table beside the chart, as a file.
pub fn series_table(series: &SeriesView) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let head = [
        "run",
        "name",
        "created_at",
        "measure",
        "mean",
        "low",
        "high",
        "scored",
        "since_baseline",
        "since_before",
        "p_corrected",
        "verdict",
        "changed",
    ];
    row(&mut bytes, head.into_iter().map(ToOwned::to_owned))?;
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    for point in &series.points {
        let step = point.step.as_ref();
        let changed: Vec<&str> = point.changes.iter().map(|one| one.words.as_str()).collect();
        let RunEntry { number: run, name, created_at, .. } = &point.run;
        let cells = [
            run.to_string(),
            name.clone().unwrap_or_default(),
            created_at.to_rfc3339(),
            series.measure.clone(),
            number(point.figure.value),
            number(point.figure.interval.map(|(low, _)| low)),
            number(point.figure.interval.map(|(_, high)| high)),
            point.figure.scored.to_string(),
            number(point.since_baseline),
            number(step.map(|step| step.difference)),
            number(step.and_then(|step| step.p_corrected)),
            step.map(|step| step.verdict().to_owned()).unwrap_or_default(),
            changed.join("; "),
        ];
        row(&mut bytes, cells.into_iter())?;
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_name_that_counts_on_belongs_to_a_series() {
        let stems = ["nightly 2026-11-18", "hybrid-v3", "bm25", "a v2 final", "7", "nightly 12"];
        let expected = [Some("nightly"), Some("hybrid"), None, None, None, Some("nightly")];
        assert_eq!(stems.map(stem), expected);
    }

    #[test]
    fn what_changed_says_what_it_was_where_that_is_short() {
        let hash = "0123456789abcdef0123";
        let prompt = json!({"name": "assess", "version": 2, "body": "long"});
        let settings = [
            (Some(json!("rules")), Some(json!("openai/x")), Some("openai/x".to_owned())),
            (None, Some(prompt), Some("assess@2".to_owned())),
            (None, Some(json!(hash)), None),
            (None, Some(json!([1, 2])), None),
        ];
        for (_, new, expected) in settings {
            assert_eq!(said(new.as_ref()), expected);
        }
    }
}
