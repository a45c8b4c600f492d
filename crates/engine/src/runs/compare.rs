//! Two runs over the same subjects: paired tests, what moved, what has no score any more.

use std::collections::BTreeMap;
use std::sync::Arc;

use assize_stats::correction::adjust;
use assize_store::views::{Cell, Scored};
use assize_store::{Order, Run, RunItem};
use assize_wire::runs::{Comparison as RunComparison, Difference, Moved, Unscored};
use async_recursion::async_recursion as boxed;

use super::error::{Result, RunError};
use crate::Workspace;
use crate::retrieval::compare::{Comparison, ComparisonOptions, compare};
use crate::retrieval::scoreboard::{Aggregate, Column, Row, Scoreboard};
use crate::workplace::figures::put_in_order;

/// Items that are read at once.
const PAGE: i64 = 2_000;

/// The items of a run by subject; a subject that comes several times is told apart by place.
pub(crate) type Subjects = BTreeMap<(String, usize), RunItem>;

/// The places of a run's subjects, in the order in which they are compared.
type Places<'a> = BTreeMap<(&'a str, usize), usize>;

/// Two runs with everything that a comparison computes from.
#[derive(Debug)]
pub struct Comparable {
    names: [String; 2],
    scored: [Arc<Scored>; 2],
    /// Why subjects of the second have no score; only read where some have none any more.
    reasons: BTreeMap<(String, usize), String>,
}

impl Workspace {
    /// Compares two runs, each in a version.
    #[boxed]
    pub async fn compare_runs(
        &self,
        runs: [(&Run, i64); 2],
        options: &ComparisonOptions,
    ) -> Result<RunComparison> {
        Ok(self.comparable(runs).await?.compare(options))
    }

    /// Reads what a comparison needs of two runs, each in a version. To compute it takes as long
    /// as to read it, and nothing is waited for then.
    #[boxed]
    pub async fn comparable(
        &self,
        [(first, first_version), (second, second_version)]: [(&Run, i64); 2],
    ) -> Result<Comparable> {
        if first.instrument != second.instrument {
            let because = format!(
                "run #{} is a {} run and run #{} is a {} run: they cannot be compared",
                first.number, first.instrument, second.number, second.instrument
            );
            return Err(RunError::Refused(because));
        }
        let views = self.store.views();
        let before = views.scored(first, first_version).await?;
        let after = views.scored(second, second_version).await?;
        let (old, new) = (places(&before), places(&after));
        if !old.keys().any(|key| new.contains_key(key)) {
            let because =
                format!("runs #{} and #{} have no subjects in common", first.number, second.number);
            return Err(RunError::Refused(because));
        }
        let is_lost = |(key, place): (&(&str, usize), &usize)| {
            let other = new.get(key);
            is_scored(&before, *place) && other.is_some_and(|other| !is_scored(&after, *other))
        };
        let reasons = if old.iter().any(is_lost) {
            let items = self.subjects(second, second_version).await?.into_iter();
            items.filter_map(|(key, item)| Some((key, item.reason?))).collect()
        } else {
            BTreeMap::new()
        };
        let names = [label(first, first_version), label(second, second_version)];
        Ok(Comparable { names, scored: [before, after], reasons })
    }

    /// The items of a run in a version.
    pub(crate) async fn subjects(&self, run: &Run, version: i64) -> Result<Subjects> {
        let mut subjects = Subjects::new();
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        let mut after = None;
        loop {
            let order = Order::ByPosition { after };
            let page = self.store.run_items().page(&run.id, version, &order, PAGE).await?;
            let is_last = i64::try_from(page.len()).is_ok_and(|length| length < PAGE);
            after = page.last().map(|last| last.position);
            for item in page {
                let count = seen.entry(item.subject.clone()).or_default();
                subjects.insert((item.subject.clone(), *count), item);
                *count += 1;
            }
            if is_last {
                return Ok(subjects);
            }
        }
    }
}

impl Comparable {
    /// The comparison: pure, and the same for the same two runs.
    pub fn compare(&self, options: &ComparisonOptions) -> RunComparison {
        let [before, after] = &self.scored;
        let (old, new) = (places(before), places(after));
        let shared: Vec<(&str, [usize; 2])> =
            old.iter().filter_map(|(key, place)| Some((key.0, [*place, *new.get(key)?]))).collect();
        let mut became_unscored = Vec::new();
        let mut became_scored = Vec::new();
        for (key, place) in &old {
            let Some(other) = new.get(key) else { continue };
            match (is_scored(before, *place), is_scored(after, *other)) {
                (true, false) => {
                    let reason = self.reasons.get(&(key.0.to_owned(), key.1)).cloned();
                    let (subject, reason) = (key.0.to_owned(), reason.unwrap_or_default());
                    became_unscored.push(Unscored { subject, reason });
                }
                (false, true) => became_scored.push(key.0.to_owned()),
                _ => {}
            }
        }
        let both = [&**before, &**after];
        let columns = shared_measures(before, after);
        let (measures, unpaired) = paired(both, &shared, &columns, options);
        let has_a_pair =
            |places: &[usize; 2]| columns.iter().any(|(_, at)| has_both(both, *places, *at));
        RunComparison {
            runs: self.names.to_vec(),
            measures,
            unpaired,
            shared: shared.len(),
            scored_in_both: shared.iter().filter(|(_, places)| has_a_pair(places)).count(),
            only_first: old.len() - shared.len(),
            only_second: new.len() - shared.len(),
            became_unscored,
            became_scored,
        }
    }
}

fn places(scored: &Scored) -> Places<'_> {
    let mut places = Places::new();
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for (place, subject) in scored.subjects.iter().enumerate() {
        let count = seen.entry(subject).or_default();
        places.insert((subject, *count), place);
        *count += 1;
    }
    places
}

fn label(run: &Run, version: i64) -> String {
    match version {
        1 => format!("#{}", run.number),
        version => format!("#{} v{version}", run.number),
    }
}

fn is_scored(scored: &Scored, place: usize) -> bool {
    scored.values(place).iter().any(|cell| cell.value().is_some())
}

/// A place among the other answers of its own run: 1 is the best, and a difference of places between
/// two runs says nothing that their scores do not say better.
const PLACE: &str = "rank";

/// The measures that both runs have, by name, with the columns in which they stand.
fn shared_measures(before: &Scored, after: &Scored) -> Vec<(String, [usize; 2])> {
    let columns = |scored: &Scored| -> BTreeMap<String, usize> {
        let is_measured = |column: usize| {
            (0..scored.subjects.len()).any(|place| scored.values(place)[column] != Cell::Absent)
        };
        let names = scored.measures.iter().cloned().enumerate();
        let names = names.filter(|(_, name)| name != PLACE);
        names.filter(|(column, _)| is_measured(*column)).map(|(at, name)| (name, at)).collect()
    };
    let after = columns(after);
    let both = |(name, column)| {
        let other = *after.get(&name)?;
        Some((name, [column, other]))
    };
    columns(before).into_iter().filter_map(both).collect()
}

/// Whether a subject has a measure in both runs.
fn has_both(scored: [&Scored; 2], places: [usize; 2], columns: [usize; 2]) -> bool {
    (0..2).all(|run| scored[run].values(places[run])[columns[run]].value().is_some())
}

/// Every measure over the subjects that have it in both runs, and the names of those that no
/// subject has in both. Measures over the same subjects are compared at once.
fn paired(
    scored: [&Scored; 2],
    shared: &[(&str, [usize; 2])],
    measures: &[(String, [usize; 2])],
    options: &ComparisonOptions,
) -> (Vec<Difference>, Vec<String>) {
    let mut groups: BTreeMap<Vec<bool>, Vec<usize>> = BTreeMap::new();
    for (measure, (_, columns)) in measures.iter().enumerate() {
        let is_paired = |(_, places): &(&str, [usize; 2])| has_both(scored, *places, *columns);
        groups.entry(shared.iter().map(is_paired).collect()).or_default().push(measure);
    }
    let alone = ComparisonOptions { correction: None, ..options.clone() };
    let (mut found, mut unpaired) = (BTreeMap::new(), Vec::new());
    for (is_paired, group) in groups {
        if !is_paired.contains(&true) {
            unpaired.extend(group.iter().map(|measure| measures[*measure].0.clone()));
            continue;
        }
        let subjects = shared.iter().zip(&is_paired).filter(|(_, paired)| **paired);
        let subjects: Vec<_> = subjects.map(|(subject, _)| *subject).collect();
        let of_group: Vec<_> = group.iter().map(|measure| &measures[*measure]).collect();
        let [first, second] = boards(scored, &subjects, &of_group);
        let Comparison { runs, pairs, .. } =
            compare(vec![(String::new(), first), (String::new(), second)], &alone);
        for pair in pairs {
            let mean = |run: usize| runs[run].scores[pair.measure].value;
            let moved = pair.moved.into_iter();
            let difference = Difference {
                measure: of_group[pair.measure].0.clone(),
                first: mean(0),
                second: mean(1),
                difference: pair.difference,
                interval: pair.interval,
                p_randomization: pair.p.randomization,
                p_corrected: pair.p.corrected,
                better: pair.wins,
                same: pair.ties,
                worse: pair.losses,
                moved: moved
                    .map(|one| Moved { subject: one.query, before: one.before, after: one.after })
                    .collect(),
            };
            found.insert(group[pair.measure], difference);
        }
    }
    let mut found: Vec<Difference> = found.into_values().collect();
    correct(&mut found, options);
    put_in_order(&mut found, |one| &one.measure);
    (found, unpaired)
}

/// Corrects the deciding test over all measures.
fn correct(measures: &mut [Difference], options: &ComparisonOptions) {
    let Some(correction) = options.correction else { return };
    let mut tested: Vec<&mut f64> =
        measures.iter_mut().filter_map(|measure| measure.p_corrected.as_mut()).collect();
    let raw: Vec<f64> = tested.iter().map(|p| **p).collect();
    let corrected = adjust(correction, &raw).expect("p-values lie between 0 and 1");
    for (p, corrected) in tested.iter_mut().zip(corrected) {
        **p = corrected;
    }
}

/// Subjects that have each of these measures in both runs: a paired test needs pairs.
fn boards(
    scored: [&Scored; 2],
    subjects: &[(&str, [usize; 2])],
    measures: &[&(String, [usize; 2])],
) -> [Scoreboard; 2] {
    let column = |(name, _): &&(String, [usize; 2])| Column {
        name: name.clone(),
        aggregate: Aggregate::Mean,
        count: false,
    };
    [0, 1].map(|run: usize| {
        let row = |(subject, places): &(&str, [usize; 2])| {
            let values = scored[run].values(places[run]);
            let values = measures.iter().filter_map(|(_, columns)| values[columns[run]].value());
            Row { query: (*subject).to_owned(), values: values.collect() }
        };
        Scoreboard {
            columns: measures.iter().map(column).collect(),
            rows: subjects.iter().map(row).collect(),
            ..Scoreboard::default()
        }
    })
}
