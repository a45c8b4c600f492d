//! Two runs over the same subjects: paired tests, what moved, what has no score any more.

use std::collections::BTreeMap;

use assize_store::{AnyRun, Order, RunItem};
use assize_wire::runs as shape;

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

impl Registry {
    /// Compares two runs, each in a version.
    pub async fn compare_runs(
        &self,
        [(first, first_version), (second, second_version)]: [(&AnyRun, i64); 2],
        options: &ComparisonOptions,
    ) -> Result<RunComparison, RunError> {
        if first.instrument != second.instrument {
            let because = format!(
                "run #{} is a {} run and run #{} a {} run: they have nothing in common",
                first.number, first.instrument, second.number, second.instrument
            );
            return Err(RunError::Refused(because));
        }
        let before = self.subjects(first, first_version).await?;
        let after = self.subjects(second, second_version).await?;
        let shared: Vec<_> = before.keys().filter(|key| after.contains_key(*key)).collect();
        if shared.is_empty() {
            let because =
                format!("runs #{} and #{} have no subject in common", first.number, second.number);
            return Err(RunError::Refused(because));
        }
        let mut became_unscored = Vec::new();
        let mut became_scored = Vec::new();
        for key in &shared {
            let (old, new) = (&before[*key], &after[*key]);
            match (is_scored(old), is_scored(new)) {
                (true, false) => {
                    became_unscored.push((key.0.clone(), new.reason.clone().unwrap_or_default()));
                }
                (false, true) => became_scored.push(key.0.clone()),
                _ => {}
            }
        }
        let measures = shared_measures(&before, &after);
        let boards = vec![
            (label(first, first_version), board(&before, &shared, &after, &measures)),
            (label(second, second_version), board(&after, &shared, &before, &measures)),
        ];
        Ok(RunComparison {
            comparison: compare(boards, options),
            measures,
            shared: shared.len(),
            only_first: before.len() - shared.len(),
            only_second: after.len() - shared.len(),
            became_unscored,
            became_scored,
        })
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

fn label(run: &AnyRun, version: i64) -> String {
    match version {
        1 => format!("#{}", run.number),
        version => format!("#{} v{version}", run.number),
    }
}

fn is_scored(item: &RunItem) -> bool {
    item.scores.values().any(Option::is_some)
}

fn shared_measures(before: &Subjects, after: &Subjects) -> Vec<String> {
    let measures = |subjects: &Subjects| {
        let names = subjects.values().flat_map(|item| item.scores.keys().cloned());
        names.collect::<std::collections::BTreeSet<String>>()
    };
    measures(before).intersection(&measures(after)).cloned().collect()
}

/// The shared subjects that have every shared measure in both runs: a paired test needs pairs.
fn board(
    own: &Subjects,
    shared: &[&(String, usize)],
    other: &Subjects,
    measures: &[String],
) -> Scoreboard {
    let column =
        |name: &String| Column { name: name.clone(), aggregate: Aggregate::Mean, count: false };
    let values = |item: &RunItem| {
        let values = measures.iter().map(|name| item.scores.get(name).copied().flatten());
        values.collect::<Option<Vec<f64>>>()
    };
    let rows = shared.iter().filter_map(|key| {
        let row = Row { query: key.0.clone(), values: values(&own[*key])? };
        values(&other[*key]).map(|_| row)
    });
    Scoreboard {
        columns: measures.iter().map(column).collect(),
        rows: rows.collect(),
        unanswered: 0,
        notices: Vec::new(),
    }
}
