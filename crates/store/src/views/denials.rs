//! Results of the judge that score low and whose ledgers hold a word: what a document denies.

use async_recursion::async_recursion as boxed;

use super::lines::DECIDED;
use super::{Views, anywhere};
use crate::batch::{list_from, pieces};
use crate::error::StoreError;
use crate::ids::{OrganisationId, ResultId, RunId};
use crate::value::{Value, values};

/// A result that scores low.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LowRow {
    /// Its place in the run, from 0.
    pub position: i64,
    /// The result.
    pub result_id: ResultId,
    /// The criterion.
    pub criteria_id: String,
    /// The document.
    pub document: String,
    /// How the score came about, as JSON.
    pub ledger: String,
}

impl Views<'_> {
    /// The first results after a place in the plan, about these criteria, that the judge scored below a limit, that nobody
    /// decided, that quote their document and whose ledgers hold a word, in the order of the
    /// plan. Ledgers are many kilobytes long: only those with the word leave the database.
    #[boxed]
    pub async fn low_results(
        &self,
        (organisation, run): (&OrganisationId, &RunId),
        criteria: &[&str],
        (below, word): (f64, &str),
        (after, limit): (i64, usize),
    ) -> Result<Vec<LowRow>, StoreError> {
        // As a text of JSON, so that a longer word which holds it is not meant.
        let pattern = anywhere(&format!("\"{word}\""));
        let limit_of_rows = i64::try_from(limit).unwrap_or(i64::MAX);
        let mut all = Vec::new();
        for piece in pieces(criteria) {
            let mut values =
                values![run, organisation, below, pattern.as_str(), limit_of_rows, after].to_vec();
            let sql = format!(
                "SELECT item.position, result.id AS result_id, criterion.criteria_id, document.name AS document, \
                 CAST(evidence.ledger AS TEXT) AS ledger \
                 FROM eval_run_criteria AS criterion \
                 JOIN runs ON runs.id = criterion.run_id AND runs.organisation_id = $2 \
                 JOIN eval_criteria_results AS result ON result.run_id = criterion.run_id \
                 AND result.criteria_item_id = criterion.criteria_item_id {DECIDED} \
                 JOIN run_items AS item ON item.run_id = result.run_id \
                 AND item.document_id = result.document_id \
                 AND item.criteria_item_id = result.criteria_item_id \
                 JOIN eval_documents AS document ON document.id = result.document_id \
                 JOIN eval_result_evidence AS evidence ON evidence.result_id = result.id \
                 WHERE criterion.run_id = $1 AND item.position > $6 AND criterion.criteria_id IN ({}) \
                 AND result.ai_score_value < $3 AND decided.id IS NULL \
                 AND EXISTS (SELECT 1 FROM eval_citations AS quote \
                 WHERE quote.result_id = result.id) \
                 AND CAST(evidence.ledger AS TEXT) LIKE $4 ESCAPE '\\' \
                 ORDER BY item.position LIMIT $5",
                list_from(values.len() + 1, piece.len())
            );
            values.extend(piece.iter().map(|id| Value::from(*id)));
            for row in self.0.database.fetch(&sql, &values).await? {
                all.push(LowRow {
                    position: row.get("position")?,
                    result_id: row.get::<String>("result_id")?.into(),
                    criteria_id: row.get("criteria_id")?,
                    document: row.get("document")?,
                    ledger: row.get("ledger")?,
                });
            }
        }
        all.sort_by_key(|row| row.position);
        all.truncate(limit);
        Ok(all)
    }
}
