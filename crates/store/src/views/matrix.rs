//! Criteria by documents: every cell of a run, and every criterion with who looks after it.

use std::sync::Arc;

use async_recursion::async_recursion as boxed;
use serde_json::Value as Json;

use super::Views;
use super::lines::LINES;
use crate::database::Row;
use crate::error::StoreError;
use crate::ids::{OrganisationId, RunId};
use crate::runs::Run;
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
    /// The result that counts; none before it is judged.
    pub outcome: Option<ResultOutcome>,
    /// The score that counts.
    pub score: Option<f64>,
    /// Whether a person decided.
    pub is_decided: bool,
    /// How many quotes were looked up.
    pub quotes: i64,
    /// Whether the judge noted that the document says the contrary.
    pub is_denial: bool,
}

/// A criterion of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct CriterionRow {
    /// The criterion.
    pub criteria_id: String,
    /// What must be so.
    pub requirement: String,
    /// What else its file said when the run was planned.
    pub properties: Option<Json>,
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

impl Views<'_> {
    /// Every cell of a run in the version that counts, in the order of the plan. Those of a run
    /// that is done are read once.
    #[boxed]
    pub async fn matrix(&self, run: &Run) -> Result<Arc<Vec<MatrixCellRow>>, StoreError> {
        let of = (run.version, "cells");
        if let Some(kept) = self.0.cells.get(run, of) {
            return Ok(kept);
        }
        let sql = format!(
            "SELECT item.position, criterion.position AS criterion, \
             planned.position AS document, result.outcome, decided.id AS decided_id, \
             score.value AS score, result.quotes, result.is_denial {LINES} \
             ORDER BY criterion.position, planned.position"
        );
        let rows = self.0.database.fetch(&sql, &values![&run.id, &run.organisation_id]).await?;
        let cells: Result<Vec<MatrixCellRow>, StoreError> = rows.iter().map(read).collect();
        let cells = Arc::new(cells?);
        self.0.cells.keep(run, of, cells.len(), &cells);
        Ok(cells)
    }

    /// Every criterion of a run in the order of the plan.
    #[boxed]
    pub async fn criteria_of(
        &self,
        organisation: &OrganisationId,
        run: &RunId,
    ) -> Result<Vec<CriterionRow>, StoreError> {
        let sql = "SELECT planned.criteria_id, planned.requirement, planned.properties, \
            assigned.assignee FROM run_criteria AS planned \
            JOIN runs ON runs.id = planned.run_id AND runs.organisation_id = $2 \
            LEFT JOIN run_assignments AS assigned ON assigned.run_id = planned.run_id \
            AND assigned.criteria_item_id = planned.criteria_item_id \
            WHERE planned.run_id = $1 ORDER BY planned.position";
        let rows = self.0.database.fetch(sql, &values![run, organisation]).await?;
        let read = |row: &Row| {
            Ok(CriterionRow {
                criteria_id: row.get("criteria_id")?,
                requirement: row.get("requirement")?,
                properties: row.json("properties")?,
                assignee: row.get("assignee")?,
            })
        };
        rows.iter().map(read).collect()
    }

    /// What a run's sets are called, and its documents in the order of the plan.
    #[boxed]
    pub async fn names_of(
        &self,
        organisation: &OrganisationId,
        run: &RunId,
    ) -> Result<Option<Names>, StoreError> {
        let sql = "SELECT sets.name AS document_set, criteria.name AS criteria_set, \
            document.name FROM runs AS run \
            JOIN eval_doc_sets AS sets ON sets.id = run.doc_set_id \
            JOIN eval_criteria_sets AS criteria ON criteria.id = run.criteria_set_id \
            LEFT JOIN run_documents AS planned ON planned.run_id = run.id \
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
    let outcome: Option<String> = row.get("outcome")?;
    Ok(MatrixCellRow {
        position: row.get("position")?,
        criterion: row.get("criterion")?,
        document: row.get("document")?,
        outcome: outcome.as_deref().map(ResultOutcome::from_word).transpose()?,
        score: row.get("score")?,
        is_decided: row.get::<Option<String>>("decided_id")?.is_some(),
        quotes: row.get::<Option<i64>>("quotes")?.unwrap_or_default(),
        is_denial: row.get::<Option<bool>>("is_denial")?.unwrap_or_default(),
    })
}
