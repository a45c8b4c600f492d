//! Results of the judge that score low because a document denies what is required.

use async_recursion::async_recursion as boxed;

use super::Views;
use super::lines::LINES;
use crate::batch::{list_from, pieces};
use crate::error::StoreError;
use crate::ids::{OrganisationId, RunId};
use crate::value::{Value, values};

/// A result in which a document denies what a criterion requires.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    /// Its place in the run, from 0.
    pub position: i64,
    /// The criterion.
    pub criteria_id: String,
    /// The document.
    pub document: String,
}

impl Views<'_> {
    /// The results about these criteria that the judge scored below a limit because their document
    /// denies what is required, in the order of the plan: those that quote it, and that nobody
    /// decided.
    #[boxed]
    pub async fn denials(
        &self,
        (organisation, run): (&OrganisationId, &RunId),
        criteria: &[&str],
        below: f64,
    ) -> Result<Vec<Denial>, StoreError> {
        let mut all = Vec::new();
        for piece in pieces(criteria) {
            let mut values = values![run, organisation, below].to_vec();
            let sql = format!(
                "SELECT item.position, criterion.criteria_id, document.name AS document {LINES} \
                 AND result.is_denial AND result.quotes > 0 AND score.judged < $3 \
                 AND decided.id IS NULL AND criterion.criteria_id IN ({})",
                list_from(values.len() + 1, piece.len())
            );
            values.extend(piece.iter().map(|id| Value::from(*id)));
            for row in self.0.database.fetch(&sql, &values).await? {
                all.push(Denial {
                    position: row.get("position")?,
                    criteria_id: row.get("criteria_id")?,
                    document: row.get("document")?,
                });
            }
        }
        all.sort_by_key(|denial| denial.position);
        Ok(all)
    }
}
