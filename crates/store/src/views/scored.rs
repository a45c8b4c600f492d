//! All subjects of a run with their values, for comparisons. Those of runs that are done are
//! kept in memory: they do not change any more.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_recursion::async_recursion as boxed;
use chrono::{DateTime, Utc};

use super::Views;
use crate::error::StoreError;
use crate::ids::{OrganisationId, RunId};
use crate::runs::Run;
use crate::state::RunState;
use crate::value::values;

/// Subjects that are kept in all: some 100 bytes each, so ten megabytes.
const KEPT_MAX: usize = 100_000;

/// The subjects of a run, in their order, with the values of a version.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scored {
    /// What people call them.
    pub subjects: Vec<String>,
    /// The measures.
    pub measures: Vec<String>,
    /// What each subject has of each measure, subject by subject.
    values: Vec<Cell>,
}

/// What a subject has of a measure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cell {
    /// It was not measured.
    Absent,
    /// It was, and has no value.
    Unscored,
    /// Its value.
    Scored(f64),
}

impl Cell {
    /// The value, if there is one.
    pub fn value(self) -> Option<f64> {
        match self {
            Self::Absent | Self::Unscored => None,
            Self::Scored(value) => Some(value),
        }
    }
}

impl From<Option<f64>> for Cell {
    fn from(value: Option<f64>) -> Self {
        value.map_or(Self::Unscored, Self::Scored)
    }
}

impl Scored {
    /// What a subject has, in the order of the measures.
    pub fn values(&self, subject: usize) -> &[Cell] {
        let width = self.measures.len();
        &self.values[subject * width..(subject + 1) * width]
    }
}

impl Views<'_> {
    /// The subjects of a run with the values of a version.
    #[boxed]
    pub async fn scored(&self, run: &Run, version: i64) -> Result<Arc<Scored>, StoreError> {
        if let Some(kept) = self.0.scores.get(run, version) {
            return Ok(kept);
        }
        let found = Arc::new(self.scored_verdicts(&run.id, version).await?);
        self.0.scores.keep(run, version, &found);
        Ok(found)
    }

    async fn scored_verdicts(&self, run: &RunId, version: i64) -> Result<Scored, StoreError> {
        let sql = "SELECT position, subject FROM run_items WHERE run_id = $1 ORDER BY position";
        let mut scored = Scored::default();
        let mut places: BTreeMap<i64, usize> = BTreeMap::new();
        for row in self.0.database.fetch(sql, &values![run]).await? {
            places.insert(row.get("position")?, scored.subjects.len());
            scored.subjects.push(row.get("subject")?);
        }
        let sql = "SELECT measure, position, value FROM scores \
            WHERE run_id = $1 AND version = $2 ORDER BY measure";
        let mut columns: Vec<Vec<Cell>> = Vec::new();
        for row in self.0.database.fetch(sql, &values![run, version]).await? {
            let measure: &str = row.get("measure")?;
            if scored.measures.last().is_none_or(|last| last != measure) {
                scored.measures.push(measure.to_owned());
                columns.push(vec![Cell::Absent; scored.subjects.len()]);
            }
            let place = places.get(&row.get("position")?);
            if let (Some(column), Some(place)) = (columns.last_mut(), place) {
                column[*place] = row.get::<Option<f64>>("value")?.into();
            }
        }
        let subjects = 0..scored.subjects.len();
        scored.values =
            subjects.flat_map(|place| columns.iter().map(move |column| column[place])).collect();
        Ok(scored)
    }
}

/// What decides the values of a run that is done, and whose it is. Items that are tried again
/// open the run and give it another end; a rescore gives it another version, a decision another
/// revision. Other processes see the same row.
type Key = (OrganisationId, RunId, i64, i64, DateTime<Utc>);

/// The values of runs that were compared.
#[derive(Debug, Default)]
pub(crate) struct KeptScores(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    runs: BTreeMap<Key, Arc<Scored>>,
    subjects: usize,
}

impl KeptScores {
    fn get(&self, run: &Run, version: i64) -> Option<Arc<Scored>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.runs.get(&key(run, version)?).map(Arc::clone)
    }

    fn keep(&self, run: &Run, version: i64, scored: &Arc<Scored>) {
        let Some(key) = key(run, version) else { return };
        // A long run would push out all the others.
        let length = scored.subjects.len();
        if length > KEPT_MAX / 10 {
            return;
        }
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.subjects + length > KEPT_MAX {
            // Nobody compares so many: to begin again is cheaper than to know the oldest.
            *kept = Inner::default();
        }
        if kept.runs.insert(key, Arc::clone(scored)).is_none() {
            kept.subjects += length;
        }
    }
}

fn key(run: &Run, version: i64) -> Option<Key> {
    let ended_at = run.ended_at.filter(|_| run.state == RunState::Done)?;
    Some((run.organisation_id.clone(), run.id.clone(), version, run.revision, ended_at))
}
