//! Means with what their intervals need, distributions, and how many runs there are.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_recursion::async_recursion as boxed;

use super::Views;
use crate::batch::{list, pieces};
use crate::database::Row;
use crate::error::StoreError;
use crate::ids::{CriteriaSetId, OrganisationId, RunId};
use crate::runs::Run;
use crate::state::Instrument;
use crate::value::{Value, values};

/// How many parts a distribution has.
const PARTS: usize = 10;
/// What is kept of runs: means alone, or with their intervals.
const MEANS: &str = "means";
const INTERVALS: &str = "intervals";

/// A measure over a run.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasureFigure {
    /// The measure.
    pub measure: String,
    /// How many values it has.
    pub count: u64,
    /// Their mean.
    pub mean: Option<f64>,
    /// Where the mean lies; only where it was asked for.
    pub interval: Option<(f64, f64)>,
    /// The lowest and the highest.
    pub range: Option<(f64, f64)>,
}

impl Views<'_> {
    /// The measures of several runs, in their order, each in the version that counts and without
    /// intervals: a list shows a hundred runs, and an interval needs every value.
    #[boxed]
    pub async fn figures_of(
        &self,
        runs: &[Run],
    ) -> Result<Vec<Arc<Vec<MeasureFigure>>>, StoreError> {
        let kept = &self.0.figures;
        let mut known: Vec<_> =
            runs.iter().map(|run| kept.get(run, (run.version, MEANS))).collect();
        let missing = runs.iter().zip(&known).filter(|(_, known)| known.is_none());
        let missing: Vec<&RunId> = missing.map(|(run, _)| &run.id).collect();
        let mut found = self.measured(&missing).await?;
        for (run, known) in runs.iter().zip(&mut known) {
            if known.is_none() {
                let figures = Arc::new(found.remove(&run.id).unwrap_or_default());
                kept.keep(run, (run.version, MEANS), 1, &figures);
                *known = Some(figures);
            }
        }
        Ok(known.into_iter().flatten().collect())
    }

    async fn measured(
        &self,
        runs: &[&RunId],
    ) -> Result<BTreeMap<RunId, Vec<MeasureFigure>>, StoreError> {
        let mut found: BTreeMap<RunId, Vec<MeasureFigure>> = BTreeMap::new();
        for piece in pieces(runs) {
            let places = list(piece.len());
            let values: Vec<Value<'_>> = piece.iter().map(|id| Value::from(*id)).collect();
            let sql = format!(
                "SELECT score.run_id, score.measure, COUNT(score.value) AS count, \
                 AVG(score.value) AS mean, MIN(score.value) AS low, MAX(score.value) AS high \
                 FROM scores AS score \
                 JOIN runs ON runs.id = score.run_id AND runs.version = score.version \
                 WHERE score.run_id IN ({places}) GROUP BY score.run_id, score.measure \
                 ORDER BY 1, 2"
            );
            for row in self.0.database.fetch(&sql, &values).await? {
                let run = row.get::<String>("run_id")?.into();
                found.entry(run).or_default().push(read(&row)?);
            }
        }
        Ok(found)
    }

    /// The measures of a version of a run, with the interval that `interval` computes from all
    /// values of a measure in the order of the items. Those of a run that is done are computed
    /// once.
    pub async fn figures(
        &self,
        run: &Run,
        version: i64,
        interval: impl Fn(&[f64]) -> Option<(f64, f64)>,
    ) -> Result<Arc<Vec<MeasureFigure>>, StoreError> {
        if let Some(known) = self.0.figures.get(run, (version, INTERVALS)) {
            return Ok(known);
        }
        let sql = "SELECT measure, value FROM scores WHERE run_id = $1 AND version = $2 \
            ORDER BY measure, position";
        let mut measures: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for row in self.0.database.fetch(sql, &values![&run.id, version]).await? {
            let values = measures.entry(row.get("measure")?).or_default();
            values.extend(row.get::<Option<f64>>("value")?);
        }
        let figure = |(measure, values): (String, Vec<f64>)| {
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let least = values.iter().copied().min_by(f64::total_cmp);
            let most = values.iter().copied().max_by(f64::total_cmp);
            MeasureFigure {
                measure,
                count: values.len() as u64,
                mean: (!values.is_empty()).then_some(mean),
                interval: interval(&values),
                range: least.zip(most),
            }
        };
        let figures = Arc::new(measures.into_iter().map(figure).collect::<Vec<_>>());
        self.0.figures.keep(run, (version, INTERVALS), 1, &figures);
        Ok(figures)
    }

    /// How many values of a measure lie in each tenth of a range.
    #[boxed]
    pub async fn distribution(
        &self,
        run: &Run,
        version: i64,
        measure: &str,
        (low, high): (f64, f64),
    ) -> Result<Vec<u64>, StoreError> {
        if high <= low {
            return Ok(vec![0; PARTS]);
        }
        let what = format!("{measure} {low} {high}");
        if let Some(kept) = self.0.counts.get(run, (version, &what)) {
            return Ok(kept.to_vec());
        }
        // Counted part by part: the two databases cut a quotient off in different ways.
        let part = |part: usize| {
            let end = if part + 1 == PARTS {
                String::new()
            } else {
                format!(" AND value < $4 + $5 * {}.0", part + 1)
            };
            let from =
                if part == 0 { String::new() } else { format!(" AND value >= $4 + $5 * {part}.0") };
            format!("COUNT(CASE WHEN value IS NOT NULL{from}{end} THEN 1 END) AS part{part}")
        };
        let parts: Vec<String> = (0..PARTS).map(part).collect();
        let sql = format!(
            "SELECT {} FROM scores WHERE run_id = $1 AND version = $2 AND measure = $3",
            parts.join(", ")
        );
        let values = values![&run.id, version, measure, low, (high - low) / PARTS as f64];
        let row = self.0.database.fetch_optional(&sql, &values).await?;
        let Some(row) = row else { return Ok(vec![0; PARTS]) };
        let parts = (0..PARTS).map(|part| row.count(&format!("part{part}")));
        let parts = Arc::new(parts.collect::<Result<Vec<u64>, StoreError>>()?);
        self.0.counts.keep(run, (version, &what), 1, &parts);
        Ok(parts.to_vec())
    }

    /// How many runs there are of each instrument.
    #[boxed]
    pub async fn runs_by_instrument(
        &self,
        organisation: &OrganisationId,
    ) -> Result<BTreeMap<Instrument, u64>, StoreError> {
        let sql = "SELECT instrument, COUNT(*) AS count FROM runs WHERE organisation_id = $1 \
            AND archived_at IS NULL GROUP BY instrument";
        let rows = self.0.database.fetch(sql, &values![organisation]).await?;
        let pair = |row: &Row| {
            let word: String = row.get("instrument")?;
            Ok((Instrument::from_word(&word)?, row.count("count")?))
        };
        rows.iter().map(pair).collect()
    }

    /// The latest run of a criteria set.
    #[boxed]
    pub async fn latest_of_set(
        &self,
        organisation: &OrganisationId,
        set: &CriteriaSetId,
    ) -> Result<Option<RunId>, StoreError> {
        let sql = "SELECT id FROM runs WHERE organisation_id = $1 AND criteria_set_id = $2 \
            AND archived_at IS NULL ORDER BY created_at DESC, id DESC LIMIT 1";
        let row = self.0.database.fetch_optional(sql, &values![organisation, set]).await?;
        row.map(|row| Ok(row.get::<String>("id")?.into())).transpose()
    }

    /// The first item after a place that somebody has not rated; only what is judged.
    #[boxed]
    pub async fn next_unrated(
        &self,
        run: &RunId,
        rater: &str,
        after: i64,
    ) -> Result<Option<i64>, StoreError> {
        let sql = "SELECT item.position FROM run_items AS item WHERE item.run_id = $1 \
            AND item.state = 'done' AND item.position > $3 AND NOT EXISTS \
            (SELECT 1 FROM labels AS label WHERE label.run_id = item.run_id \
             AND label.position = item.position AND label.rater = $2) \
            ORDER BY item.position LIMIT 1";
        let row = self.0.database.fetch_optional(sql, &values![run, rater, after]).await?;
        row.map(|row| row.get("position")).transpose()
    }
}

fn read(row: &Row) -> Result<MeasureFigure, StoreError> {
    let (low, high): (Option<f64>, Option<f64>) = (row.get("low")?, row.get("high")?);
    Ok(MeasureFigure {
        measure: row.get("measure")?,
        count: row.count("count")?,
        mean: row.get("mean")?,
        interval: None,
        range: low.zip(high),
    })
}
