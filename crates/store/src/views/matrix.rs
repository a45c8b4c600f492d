//! Criteria by documents, some rows at a time, and every criterion at its best document.

use async_recursion::async_recursion as boxed;
use serde_json::Value as Json;

use super::Views;
use super::lines::{DECIDED, SCORE};
use crate::database::Row;
use crate::error::StoreError;
use crate::ids::{OrganisationId, RunId};
use crate::state::ResultOutcome;
use crate::value::values;

/// One criterion under one document.
#[derive(Debug, Clone, PartialEq)]
pub struct MatrixCellRow {
    /// The place of the result in the run, from 0.
    pub position: i64,
    /// The criterion's place in the plan, from 0.
    pub criterion: i64,
    /// The document's place in the plan, from 0.
    pub document: i64,
    /// The judge’s result; none before it is judged.
    pub outcome: Option<ResultOutcome>,
    /// What a person came to.
    pub decided_outcome: Option<ResultOutcome>,
    /// The score that counts.
    pub score: Option<f64>,
    /// Whether a person decided.
    pub is_decided: bool,
}

/// A criterion of a run at its best document.
#[derive(Debug, Clone, PartialEq)]
pub struct BestRow {
    /// The criterion.
    pub criteria_id: String,
    /// What must be so.
    pub requirement: String,
    /// What else its file said when the run was planned.
    pub properties: Option<Json>,
    /// Its best score over all documents.
    pub best: Option<f64>,
    /// Who looks after it.
    pub assignee: Option<String>,
}

/// What a run's sets and documents are called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names {
    /// The set of documents.
    pub document_set: String,
    /// The set of criteria.
    pub criteria_set: String,
    /// The documents, in the order of the plan.
    pub documents: Vec<String>,
}

/// A criterion under a document, with what came of it and the decision that counts.
const CELLS: &str = "FROM run_items AS item \
    JOIN runs ON runs.id = item.run_id AND runs.organisation_id = $2 \
    JOIN eval_run_criteria AS criterion ON criterion.run_id = item.run_id \
        AND criterion.criteria_item_id = item.criteria_item_id \
    JOIN eval_run_documents AS planned ON planned.run_id = item.run_id \
        AND planned.document_id = item.document_id \
    LEFT JOIN eval_criteria_results AS result ON result.run_id = item.run_id \
        AND result.document_id = item.document_id \
        AND result.criteria_item_id = item.criteria_item_id \
    LEFT JOIN eval_overrides AS decided ON decided.result_id = result.id \
        AND NOT decided.is_withdrawal AND decided.sequence = \
        (SELECT MAX(later.sequence) FROM eval_overrides AS later \
         WHERE later.result_id = result.id) \
    WHERE item.run_id = $1";

impl Views<'_> {
    /// The cells of some criteria, from a place in the plan on.
    #[boxed]
    pub async fn matrix(
        &self,
        organisation: &OrganisationId,
        run: &RunId,
        (from, to): (i64, i64),
    ) -> Result<Vec<MatrixCellRow>, StoreError> {
        let sql = format!(
            "SELECT item.position, criterion.position AS criterion, \
             planned.position AS document, result.outcome, decided.outcome AS decided_outcome, \
             decided.id AS decided_id, {SCORE} AS score {CELLS} \
             AND criterion.position >= $3 AND criterion.position < $4 \
             ORDER BY criterion.position, planned.position"
        );
        let rows = self.0.database.fetch(&sql, &values![run, organisation, from, to]).await?;
        rows.iter().map(read).collect()
    }

    /// Every criterion of a run in the order of the plan, with its best score.
    #[boxed]
    pub async fn best_of_criteria(
        &self,
        organisation: &OrganisationId,
        run: &RunId,
    ) -> Result<Vec<BestRow>, StoreError> {
        let sql = format!(
            "SELECT planned.criteria_id, planned.requirement, planned.properties, best.best, \
             assigned.assignee \
             FROM eval_run_criteria AS planned \
             LEFT JOIN run_assignments AS assigned ON assigned.run_id = planned.run_id \
             AND assigned.criteria_item_id = planned.criteria_item_id \
             LEFT JOIN (SELECT result.criteria_item_id, MAX({SCORE}) AS best \
             FROM eval_criteria_results AS result \
             JOIN runs ON runs.id = result.run_id AND runs.organisation_id = $2 {DECIDED} \
             WHERE result.run_id = $1 GROUP BY result.criteria_item_id) AS best \
             ON best.criteria_item_id = planned.criteria_item_id \
             WHERE planned.run_id = $1 ORDER BY planned.position"
        );
        let rows = self.0.database.fetch(&sql, &values![run, organisation]).await?;
        let best = |row: &Row| {
            Ok(BestRow {
                criteria_id: row.get("criteria_id")?,
                requirement: row.get("requirement")?,
                properties: row.json("properties")?,
                best: row.get("best")?,
                assignee: row.get("assignee")?,
            })
        };
        rows.iter().map(best).collect()
    }

    /// What a run's sets are called, and its documents in the order of the plan.
    #[boxed]
    pub async fn names_of(
        &self,
        organisation: &OrganisationId,
        run: &RunId,
    ) -> Result<Option<Names>, StoreError> {
        let sql = "SELECT sets.name AS document_set, criteria.name AS criteria_set, \
            document.name FROM eval_runs AS run \
            JOIN eval_doc_sets AS sets ON sets.id = run.doc_set_id \
            JOIN eval_criteria_sets AS criteria ON criteria.id = run.criteria_set_id \
            LEFT JOIN eval_run_documents AS planned ON planned.run_id = run.id \
            LEFT JOIN eval_documents AS document ON document.id = planned.document_id \
            WHERE run.id = $1 AND run.organisation_id = $2 ORDER BY planned.position";
        let rows = self.0.database.fetch(sql, &values![run, organisation]).await?;
        let Some(first) = rows.first() else { return Ok(None) };
        let documents: Result<Vec<Option<String>>, StoreError> =
            rows.iter().map(|row| row.get("name")).collect();
        Ok(Some(Names {
            document_set: first.get("document_set")?,
            criteria_set: first.get("criteria_set")?,
            documents: documents?.into_iter().flatten().collect(),
        }))
    }
}

fn read(row: &Row) -> Result<MatrixCellRow, StoreError> {
    let word = |column: &str| {
        let word: Option<String> = row.get(column)?;
        word.as_deref().map(ResultOutcome::from_word).transpose()
    };
    Ok(MatrixCellRow {
        position: row.get("position")?,
        criterion: row.get("criterion")?,
        document: row.get("document")?,
        outcome: word("outcome")?,
        decided_outcome: word("decided_outcome")?,
        score: row.get("score")?,
        is_decided: row.get::<Option<String>>("decided_id")?.is_some(),
    })
}
