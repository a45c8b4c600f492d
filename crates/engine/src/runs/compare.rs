//! Two runs over the same subjects: paired tests, what moved, what has no score any more.

use std::collections::BTreeMap;
use std::sync::Arc;

use assize_store::views::{Cell, Scored};
use assize_store::{AnyRun, Order, RunItem};
use assize_wire::runs as shape;
use async_recursion::async_recursion as boxed;

use super::error::RunError;
use crate::compliance::Registry;
use crate::retrieval::compare::{Comparison, ComparisonOptions, Moved, Pair, compare};
use crate::retrieval::scoreboard::{Aggregate, Column, Row, Scoreboard};

/// Items that are read at once.
const PAGE: i64 = 2_000;

/// Two runs compared.
#[derive(Debug, Clone)]
pub struct RunComparison {
    /// Differences, intervals and tests over the subjects that both score.
    pub comparison: Comparison,
    /// The measures, in the order of the pairs.
    pub measures: Vec<String>,
    /// Subjects that both have.
    pub shared: usize,
    /// Subjects of the first that the second does not have.
    pub only_first: usize,
    /// Subjects of the second that the first does not have.
    pub only_second: usize,
    /// Subjects that had a score and have none, with the reason.
    pub became_unscored: Vec<(String, String)>,
    /// Subjects that had none and have one.
    pub became_scored: Vec<String>,
}

impl RunComparison {
    /// In the shape that programs see.
    pub fn to_wire(&self) -> shape::Comparison {
        let runs = &self.comparison.runs;
        let moved = |moved: &Moved| shape::Moved {
            subject: moved.query.clone(),
            before: moved.before,
            after: moved.after,
        };
        let measure = |pair: &Pair| shape::Difference {
            measure: self.measures[pair.measure].clone(),
            first: runs[0].scores[pair.measure].value,
            second: runs[1].scores[pair.measure].value,
            difference: pair.difference,
            interval: pair.interval,
            p_randomization: pair.tests.randomization,
            p_corrected: pair.corrected,
            better: pair.wins,
            same: pair.ties,
            worse: pair.losses,
            moved: pair.moved.iter().map(moved).collect(),
        };
        let unscored = |(subject, reason): &(String, String)| shape::Unscored {
            subject: subject.clone(),
            reason: reason.clone(),
        };
        shape::Comparison {
            runs: runs.iter().map(|run| run.name.clone()).collect(),
            shared: self.shared,
            scored_in_both: self.comparison.queries,
            only_first: self.only_first,
            only_second: self.only_second,
            measures: self.comparison.pairs.iter().map(measure).collect(),
            became_unscored: self.became_unscored.iter().map(unscored).collect(),
            became_scored: self.became_scored.clone(),
        }
    }
}

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

impl Registry {
    /// Compares two runs, each in a version.
    #[boxed]
    pub async fn compare_runs(
        &self,
        runs: [(&AnyRun, i64); 2],
        options: &ComparisonOptions,
    ) -> Result<RunComparison, RunError> {
        Ok(self.comparable(runs).await?.compare(options))
    }

    /// Reads what a comparison needs of two runs, each in a version. To compute it takes as long
    /// as to read it, and nothing is waited for then.
    #[boxed]
    pub async fn comparable(
        &self,
        [(first, first_version), (second, second_version)]: [(&AnyRun, i64); 2],
    ) -> Result<Comparable, RunError> {
        if first.instrument != second.instrument {
            let because = format!(
                "run #{} is a {} run and run #{} a {} run: they have nothing in common",
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
                format!("runs #{} and #{} have no subject in common", first.number, second.number);
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
    pub(crate) async fn subjects(&self, run: &AnyRun, version: i64) -> Result<Subjects, RunError> {
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
                    became_unscored.push((key.0.to_owned(), reason.unwrap_or_default()));
                }
                (false, true) => became_scored.push(key.0.to_owned()),
                _ => {}
            }
        }
        let columns = shared_measures(before, after);
        let [first, second] = boards([before, after], &shared, &columns);
        let [first_name, second_name] = self.names.clone();
        RunComparison {
            comparison: compare(vec![(first_name, first), (second_name, second)], options),
            measures: columns.into_iter().map(|(name, _)| name).collect(),
            shared: shared.len(),
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

fn label(run: &AnyRun, version: i64) -> String {
    match version {
        1 => format!("#{}", run.number),
        version => format!("#{} v{version}", run.number),
    }
}

fn is_scored(scored: &Scored, place: usize) -> bool {
    scored.values(place).iter().any(|cell| cell.value().is_some())
}

/// The measures that both runs have, by name, with the columns in which they stand.
fn shared_measures(before: &Scored, after: &Scored) -> Vec<(String, [usize; 2])> {
    let columns = |scored: &Scored| -> BTreeMap<String, usize> {
        let is_measured = |column: usize| {
            (0..scored.subjects.len()).any(|place| scored.values(place)[column] != Cell::Absent)
        };
        let names = scored.measures.iter().cloned().enumerate();
        names.filter(|(column, _)| is_measured(*column)).map(|(at, name)| (name, at)).collect()
    };
    let after = columns(after);
    let both = |(name, column)| {
        let other = *after.get(&name)?;
        Some((name, [column, other]))
    };
    columns(before).into_iter().filter_map(both).collect()
}

/// The shared subjects that have every shared measure in both runs: a paired test needs pairs.
fn boards(
    scored: [&Scored; 2],
    shared: &[(&str, [usize; 2])],
    measures: &[(String, [usize; 2])],
) -> [Scoreboard; 2] {
    let values = |run: usize, place: usize| {
        let values = scored[run].values(place);
        let values = measures.iter().map(|(_, columns)| values[columns[run]].value());
        values.collect::<Option<Vec<f64>>>()
    };
    let mut rows = [Vec::new(), Vec::new()];
    for (subject, [first, second]) in shared {
        let both = values(0, *first).zip(values(1, *second));
        let Some((before, after)) = both else { continue };
        for (rows, values) in rows.iter_mut().zip([before, after]) {
            rows.push(Row { query: (*subject).to_owned(), values });
        }
    }
    let column = |(name, _): &(String, [usize; 2])| Column {
        name: name.clone(),
        aggregate: Aggregate::Mean,
        count: false,
    };
    rows.map(|rows| Scoreboard {
        columns: measures.iter().map(column).collect(),
        rows,
        unanswered: 0,
        notices: Vec::new(),
    })
}
