//! All subjects of a run with their values, for comparisons.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_recursion::async_recursion as boxed;

use super::Views;
use crate::error::StoreError;
use crate::ids::RunId;
use crate::runs::Run;
use crate::value::values;

/// What is kept of runs.
const VALUES: &str = "values";

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
    /// Whether two runs have an item of one name.
    #[boxed]
    pub async fn share_a_subject(&self, [first, second]: [&RunId; 2]) -> Result<bool, StoreError> {
        let sql = "SELECT item.position FROM run_items AS item WHERE item.run_id = $1 \
            AND item.subject IN (SELECT subject FROM run_items WHERE run_id = $2) LIMIT 1";
        Ok(self.0.database.fetch_optional(sql, &values![first, second]).await?.is_some())
    }

    /// The subjects of a run with the values of a version.
    #[boxed]
    pub async fn scored(&self, run: &Run, version: i64) -> Result<Arc<Scored>, StoreError> {
        if let Some(kept) = self.0.scores.get(run, (version, VALUES)) {
            return Ok(kept);
        }
        let found = Arc::new(self.scored_verdicts(&run.id, version).await?);
        self.0.scores.keep(run, (version, VALUES), found.subjects.len(), &found);
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
