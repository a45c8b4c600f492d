//! The results of a compliance run with what people decided beside them.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use async_recursion::async_recursion as boxed;

use super::{Views, anywhere};
use crate::database::Row;
use crate::documents::NOTICED;
use crate::error::StoreError;
use crate::ids::{OrganisationId, RunId};
use crate::runs::Run;
use crate::state::ResultOutcome;
use crate::value::{Value, values};

/// Which results.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum LineFilter {
    /// All that are judged.
    #[default]
    All,
    /// With a score below this.
    Below(f64),
    /// With a score from the first up to, not including, the second.
    Between(f64, f64),
    /// That a person decided.
    Decided,
    /// That nobody decided.
    Undecided,
    /// Without a score.
    Unscored,
    /// With a quote that is not in its document.
    Unfound,
    /// Within so many points of one of these edges.
    Near(Vec<f64>, f64),
    /// That may be wrong and would do harm, and nobody decided.
    Triage(Triage),
}

/// Which verdicts a person looks at first.
#[derive(Debug, Clone, PartialEq)]
pub struct Triage {
    /// The score from which a criterion is met.
    pub met_from: f64,
    /// Where a label changes.
    pub edges: Vec<f64>,
    /// How near to an edge a score is worth a second look.
    pub near: f64,
}

/// What a verdict is that nobody has to look at first.
const HARMLESS: f64 = 9.0;

impl Triage {
    /// The kind of a line as SQL, the most dangerous the lowest: met without a quote that is in
    /// the document, met though a quote is not, met in a document with findings, a quote that is not
    /// there, near an edge. The numbers are those of a rubric and ours: nothing of a user is in it.
    fn kind(&self) -> String {
        let met = format!("score.value >= {:?}", self.met_from);
        let (found, all) = ("COALESCE(result.quotes_found, 0)", "COALESCE(result.quotes, 0)");
        let near = self.near;
        let around =
            |edge: &f64| format!("score.value BETWEEN {:?} AND {:?}", edge - near, edge + near);
        let around: Vec<String> = self.edges.iter().map(around).collect();
        let around = if around.is_empty() { "FALSE".to_owned() } else { around.join(" OR ") };
        format!(
            "CASE WHEN {met} AND {found} = 0 THEN 0.0 WHEN {met} AND {found} < {all} THEN 1.0 \
             WHEN {met} AND {NOTICED} THEN 2.0 WHEN {found} < {all} THEN 3.0 \
             WHEN {around} THEN 4.0 ELSE {HARMLESS:?} END"
        )
    }
}

/// In which order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LineSort {
    /// As they were planned.
    #[default]
    Plan,
    /// The lowest score first; those without one at the end.
    Worst,
    /// The highest score first; those without one at the end.
    Best,
    /// The least sure first; those that say nothing at the end.
    LeastSure,
}

/// Which results, and where the page before ended.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LineQuery {
    /// Part of a criterion, a requirement or a document's name.
    pub search: String,
    /// Which.
    pub filter: LineFilter,
    /// In which order.
    pub sort: LineSort,
    /// Whose criteria; empty for everybody's.
    pub assignee: String,
    /// The last value and position of the page before.
    pub after: Option<(f64, i64)>,
}

/// One result.
#[derive(Debug, Clone, PartialEq)]
pub struct LineRow {
    /// Its place in the run, from 0.
    pub position: i64,
    /// The criterion.
    pub criteria_id: String,
    /// What must be so.
    pub requirement: String,
    /// The document.
    pub document: String,
    /// The judge’s result; none before it is judged.
    pub judged_outcome: Option<ResultOutcome>,
    /// The result that counts.
    pub outcome: Option<ResultOutcome>,
    /// Why there is no score.
    pub reason: Option<String>,
    /// The judge's score.
    pub ai_score: Option<f64>,
    /// The score that counts.
    pub score: Option<f64>,
    /// How sure the judge is.
    pub confidence: Option<i64>,
    /// Citations in the document, and all of them.
    pub citations: (u64, u64),
    /// Whether a person decided.
    pub is_decided: bool,
    /// Who looks after the criterion.
    pub assignee: Option<String>,
    /// The value it is sorted by.
    pub sort_key: f64,
}

/// How many results of each kind a run has.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LineCounts {
    /// All that are judged.
    pub all: u64,
    /// With a score.
    pub scored: u64,
    /// That a person decided.
    pub decided: u64,
    /// Near one of the edges.
    pub near: u64,
    /// In each tier, the lowest first.
    pub tiers: Vec<u64>,
    /// Citations in their documents.
    pub found: u64,
    /// All citations.
    pub citations: u64,
    /// Results with a quote that is not in its document.
    pub unfound: u64,
}

/// An item of a compliance run with what came of it and the decision that counts.
pub(super) const LINES: &str = "FROM run_items AS item \
    JOIN runs ON runs.id = item.run_id AND runs.organisation_id = $2 \
    JOIN run_criteria AS criterion ON criterion.run_id = item.run_id \
        AND criterion.criteria_item_id = item.criteria_item_id \
    JOIN run_documents AS planned ON planned.run_id = item.run_id \
        AND planned.document_id = item.document_id \
    JOIN eval_documents AS document ON document.id = item.document_id \
    LEFT JOIN verdicts AS result ON result.run_id = item.run_id \
        AND result.position = item.position AND result.version = runs.version \
    LEFT JOIN scores AS score ON score.run_id = item.run_id \
        AND score.position = item.position AND score.version = runs.version \
        AND score.measure = 'score' \
    LEFT JOIN decisions AS decided ON decided.run_id = item.run_id \
        AND decided.position = item.position AND decided.target = 'score' \
        AND decided.kind = 'score' AND decided.is_current \
    WHERE item.run_id = $1";

/// Who looks after an item's criterion.
const ASSIGNEE: &str = "(SELECT assigned.assignee FROM run_assignments AS assigned \
    WHERE assigned.run_id = item.run_id AND assigned.criteria_item_id = item.criteria_item_id)";

impl Views<'_> {
    /// A page of results.
    #[boxed]
    pub async fn lines(
        &self,
        organisation: &OrganisationId,
        run: &RunId,
        query: &LineQuery,
        limit: i64,
    ) -> Result<Vec<LineRow>, StoreError> {
        let mut values = values![run, organisation, limit].to_vec();
        let key = match (query.sort, &query.filter) {
            (LineSort::Plan, LineFilter::Triage(triage)) => triage.kind(),
            (LineSort::Plan, _) => "0.0".to_owned(),
            (LineSort::Worst, _) => "COALESCE(score.value, 1000.0)".to_owned(),
            (LineSort::Best, _) => "COALESCE(-score.value, 1000.0)".to_owned(),
            (LineSort::LeastSure, _) => "COALESCE(result.confidence * 1.0, 1000.0)".to_owned(),
        };
        let mut sql = format!(
            "SELECT item.position, criterion.criteria_id, criterion.requirement, \
             document.name AS document, result.judged_outcome, result.outcome, result.reason, \
             score.judged, score.value, result.confidence, result.quotes_found, result.quotes, \
             decided.id AS decided_id, {ASSIGNEE} AS assignee, CAST({key} AS DOUBLE PRECISION) AS sort_key {LINES}"
        );
        condition(&mut sql, &mut values, &query.filter);
        if !query.assignee.is_empty() {
            values.push(query.assignee.as_str().into());
            let _ = write!(sql, " AND {ASSIGNEE} = ${}", values.len());
        }
        let pattern = anywhere(&query.search);
        if !query.search.is_empty() {
            values.push(pattern.as_str().into());
            let place = values.len();
            let _ = write!(
                sql,
                " AND (LOWER(criterion.criteria_id) LIKE ${place} ESCAPE '\\' \
                 OR LOWER(criterion.requirement) LIKE ${place} ESCAPE '\\' \
                 OR LOWER(document.name) LIKE ${place} ESCAPE '\\')"
            );
        }
        let is_triage = matches!(query.filter, LineFilter::Triage(_));
        let is_planned = query.sort == LineSort::Plan && !is_triage;
        if let Some((_, position)) = query.after.filter(|(value, _)| is_planned && *value == 0.0) {
            values.push(position.into());
            let _ = write!(sql, " AND item.position > ${}", values.len());
        } else if let Some((value, position)) = query.after {
            values.extend(values![value, position]);
            let (value, position) = (values.len() - 1, values.len());
            let _ = write!(
                sql,
                " AND ({key} > ${value} OR ({key} = ${value} AND item.position > ${position}))"
            );
        }
        // As planned is the order of the key: nothing needs to be sorted, or read beyond the page.
        let first = if is_planned { "" } else { "sort_key, " };
        let _ = write!(sql, " ORDER BY {first}item.position LIMIT $3");
        self.0.database.fetch(&sql, &values).await?.iter().map(read).collect()
    }

    /// How many results of a run pass a filter.
    #[boxed]
    pub async fn line_count(&self, run: &Run, filter: &LineFilter) -> Result<u64, StoreError> {
        let what = format!("{filter:?}");
        let kept = self.0.counts.get(run, (run.version, &what));
        if let Some(count) = kept.and_then(|kept| kept.first().copied()) {
            return Ok(count);
        }
        let mut values = values![&run.id, &run.organisation_id].to_vec();
        let mut sql = format!("SELECT COUNT(*) AS count {LINES}");
        condition(&mut sql, &mut values, filter);
        let row = self.0.database.fetch_optional(&sql, &values).await?;
        let count = row.map_or(Ok(0), |row| row.count("count"))?;
        self.0.counts.keep(run, (run.version, &what), 1, &Arc::new(vec![count]));
        Ok(count)
    }

    /// What the criteria and documents at some places of a run are called, by place.
    #[boxed]
    pub async fn criteria_at(
        &self,
        organisation: &OrganisationId,
        run: &RunId,
        [one, other]: [i64; 2],
    ) -> Result<BTreeMap<i64, (String, String)>, StoreError> {
        let sql = "SELECT item.position, criterion.criteria_id, document.name \
            FROM run_items AS item \
            JOIN eval_documents AS document ON document.id = item.document_id \
            JOIN runs ON runs.id = item.run_id AND runs.organisation_id = $2 \
            JOIN run_criteria AS criterion ON criterion.run_id = item.run_id \
                AND criterion.criteria_item_id = item.criteria_item_id \
            WHERE item.run_id = $1 AND item.position IN ($3, $4)";
        let rows = self.0.database.fetch(sql, &values![run, organisation, one, other]).await?;
        let names =
            |row: &Row| Ok((row.get("position")?, (row.get("criteria_id")?, row.get("name")?)));
        rows.iter().map(names).collect()
    }

    /// How many results of each kind a run has; `edges` are the lowest scores of the tiers, in
    /// order. One walk over the run counts everything, once for a run that is done.
    #[boxed]
    pub async fn line_counts(
        &self,
        run: &Run,
        edges: &[f64],
        near: f64,
    ) -> Result<LineCounts, StoreError> {
        let what = format!("{edges:?} {near}");
        if let Some(kept) = self.0.line_counts.get(run, (run.version, &what)) {
            return Ok((*kept).clone());
        }
        let mut values = values![&run.id, &run.organisation_id, near].to_vec();
        values.extend(edges.iter().map(|edge| Value::from(*edge)));
        let place = |edge: usize| edge + 4;
        let tier = |(tier, _): (usize, &f64)| {
            let above = match edges.get(tier + 1) {
                Some(_) => format!(" AND score.value < ${}", place(tier + 1)),
                None => String::new(),
            };
            format!(
                ", COUNT(CASE WHEN score.value >= ${}{above} THEN 1 END) AS tier{tier}",
                place(tier)
            )
        };
        let tiers: String = edges.iter().enumerate().map(tier).collect();
        let around = |edge: usize| {
            let edge = place(edge);
            format!("score.value BETWEEN ${edge} - $3 AND ${edge} + $3")
        };
        let around: Vec<String> = (1..edges.len()).map(around).collect();
        let around = if around.is_empty() { "FALSE".to_owned() } else { around.join(" OR ") };
        let sql = format!(
            "SELECT COUNT(*) AS results, COUNT(score.value) AS scored, \
             COUNT(decided.id) AS decided, \
             COUNT(CASE WHEN {around} THEN 1 END) AS near{tiers}, \
             CAST(COALESCE(SUM(result.quotes), 0) AS BIGINT) AS quotes, \
             CAST(COALESCE(SUM(result.quotes_found), 0) AS BIGINT) AS found, \
             COUNT(CASE WHEN result.quotes_found < result.quotes THEN 1 END) AS unfound \
             FROM runs JOIN verdicts AS result ON result.run_id = runs.id \
             AND result.version = runs.version \
             LEFT JOIN scores AS score ON score.run_id = runs.id \
             AND score.position = result.position AND score.version = runs.version \
             AND score.measure = 'score' \
             LEFT JOIN decisions AS decided ON decided.run_id = runs.id \
             AND decided.position = result.position AND decided.target = 'score' \
             AND decided.kind = 'score' AND decided.is_current \
             WHERE runs.id = $1 AND runs.organisation_id = $2"
        );
        let row = self.0.database.fetch_optional(&sql, &values).await?;
        let Some(row) = row else { return Ok(LineCounts::default()) };
        let tiers: Result<Vec<u64>, StoreError> =
            (0..edges.len()).map(|tier| row.count(&format!("tier{tier}"))).collect();
        let counts = LineCounts {
            all: row.count("results")?,
            scored: row.count("scored")?,
            decided: row.count("decided")?,
            near: row.count("near")?,
            tiers: tiers?,
            found: row.count("found")?,
            citations: row.count("quotes")?,
            unfound: row.count("unfound")?,
        };
        self.0.line_counts.keep(run, (run.version, &what), 1, &Arc::new(counts.clone()));
        Ok(counts)
    }
}

fn condition(sql: &mut String, values: &mut Vec<Value<'_>>, filter: &LineFilter) {
    match filter {
        LineFilter::All => {}
        LineFilter::Below(score) => {
            values.push((*score).into());
            let _ = write!(sql, " AND score.value < ${}", values.len());
        }
        LineFilter::Between(from, to) => {
            values.extend(values![*from, *to]);
            let (from, to) = (values.len() - 1, values.len());
            let _ = write!(sql, " AND score.value >= ${from} AND score.value < ${to}");
        }
        LineFilter::Decided => *sql += " AND decided.id IS NOT NULL",
        LineFilter::Undecided => *sql += " AND result.run_id IS NOT NULL AND decided.id IS NULL",
        LineFilter::Unscored => {
            let _ = write!(sql, " AND result.run_id IS NOT NULL AND score.value IS NULL");
        }
        LineFilter::Unfound => {
            *sql += " AND result.quotes_found < result.quotes";
        }
        LineFilter::Triage(triage) => {
            let kind = triage.kind();
            let _ = write!(sql, " AND decided.id IS NULL AND {kind} < {HARMLESS:?}");
        }
        LineFilter::Near(edges, distance) => {
            let mut near = Vec::new();
            for edge in edges {
                values.extend(values![edge - distance, edge + distance]);
                near.push(format!(
                    "score.value BETWEEN ${} AND ${}",
                    values.len() - 1,
                    values.len()
                ));
            }
            let near = if near.is_empty() { "FALSE".to_owned() } else { near.join(" OR ") };
            let _ = write!(sql, " AND ({near})");
        }
    }
}

fn read(row: &Row) -> Result<LineRow, StoreError> {
    let outcome = |column: &str| {
        let word: Option<String> = row.get(column)?;
        word.as_deref().map(ResultOutcome::from_word).transpose()
    };
    Ok(LineRow {
        position: row.get("position")?,
        criteria_id: row.get("criteria_id")?,
        requirement: row.get("requirement")?,
        document: row.get("document")?,
        judged_outcome: outcome("judged_outcome")?,
        outcome: outcome("outcome")?,
        reason: row.get("reason")?,
        ai_score: row.get("judged")?,
        score: row.get("value")?,
        confidence: row.get("confidence")?,
        citations: (
            row.get::<Option<i64>>("quotes_found")?.unwrap_or_default().unsigned_abs(),
            row.get::<Option<i64>>("quotes")?.unwrap_or_default().unsigned_abs(),
        ),
        is_decided: row.get::<Option<String>>("decided_id")?.is_some(),
        assignee: row.get("assignee")?,
        sort_key: row.get("sort_key")?,
    })
}
