//! Truth keys: what analysts say the answer is.

use async_recursion::async_recursion as boxed;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::database::{Row, Transaction};
use crate::error::{Result, StoreError};
use crate::ids::{CriteriaItemId, CriteriaSetId, DocSetId, DocumentId, OrganisationId, TruthKeyId};
use crate::record::handle;
use crate::value::{Value, values};

/// What an analyst says a document should score under a criterion; one for each analyst, and
/// one that settles what they say differently.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TruthKey {
    /// Which one; [`TruthKey::id_of`].
    pub id: TruthKeyId,
    /// Whose it is.
    pub organisation_id: OrganisationId,
    pub document_id: DocumentId,
    /// The criterion.
    pub criteria_item_id: CriteriaItemId,
    /// The score it should get, 0 to 100.
    pub expected_score: f64,
    /// The number of the tier that this falls into, from 1.
    pub score_range: i64,
    /// What the sections of the answer should say.
    pub response_sections: Option<Json>,
    /// Who says so.
    pub analyst: Option<String>,
    /// What they want to add.
    pub note: Option<String>,
    /// Since when.
    pub created_at: DateTime<Utc>,
    /// When it was changed last.
    pub updated_at: DateTime<Utc>,
    /// Whether it settles what analysts say differently; of a pair only one does.
    pub is_adjudicated: bool,
}

impl TruthKey {
    /// The name of an analyst's key of a pair.
    pub fn id_of(
        document: &DocumentId,
        item: &CriteriaItemId,
        analyst: Option<&str>,
    ) -> TruthKeyId {
        TruthKeyId::of(&[document.as_str(), item.as_str(), analyst.unwrap_or_default()])
    }

    /// The name of the key that settles a pair.
    pub fn adjudicated_id_of(document: &DocumentId, item: &CriteriaItemId) -> TruthKeyId {
        // Four parts: no analyst's key has this name.
        TruthKeyId::of(&[document.as_str(), item.as_str(), "", "adjudicated"])
    }
}

handle!(TruthKeys, truth_keys, "The truth keys of a store.");

const COLUMNS: [&str; 12] = [
    "id",
    "organisation_id",
    "document_id",
    "criteria_item_id",
    "expected_score",
    "score_range",
    "response_sections",
    "analyst",
    "note",
    "created_at",
    "updated_at",
    "is_adjudicated",
];

const OWNED: &str = "FROM eval_opt_truth_keys AS truth \
    JOIN eval_documents AS document ON document.id = truth.document_id \
    JOIN eval_criteria_items AS item ON item.id = truth.criteria_item_id \
    WHERE truth.organisation_id = $1";

impl TruthKeys<'_> {
    /// Adds keys, and changes those that their analyst gave before; all or none. One that
    /// settles a pair takes the place of the one that did.
    #[boxed]
    pub async fn put(&self, organisation: &OrganisationId, keys: &[TruthKey]) -> Result<()> {
        let mut transaction = self.0.database.begin().await?;
        for key in keys {
            own(&mut transaction, organisation, key).await?;
            if key.is_adjudicated {
                let sql = "DELETE FROM eval_opt_truth_keys WHERE document_id = $1 \
                    AND criteria_item_id = $2 AND is_adjudicated";
                let pair = values![&key.document_id, &key.criteria_item_id];
                transaction.execute(sql, &pair).await?;
            }
        }
        let rows: Vec<_> = keys.iter().map(row).collect();
        let ending = "ON CONFLICT (document_id, criteria_item_id, analyst, is_adjudicated) \
            DO UPDATE SET expected_score = excluded.expected_score, \
            score_range = excluded.score_range, response_sections = excluded.response_sections, \
            note = excluded.note, updated_at = excluded.updated_at";
        transaction.insert("eval_opt_truth_keys", &COLUMNS, &rows, ending).await?;
        transaction.commit().await
    }

    /// The keys of a pair: what settles it first, then by analyst.
    #[boxed]
    pub async fn of_pair(
        &self,
        organisation: &OrganisationId,
        document: &DocumentId,
        item: &CriteriaItemId,
    ) -> Result<Vec<TruthKey>> {
        let sql = format!(
            "SELECT truth.* {OWNED} AND document.id = $2 AND item.id = $3 \
             ORDER BY truth.is_adjudicated DESC, truth.analyst"
        );
        let values = values![organisation, document, item];
        self.0.database.fetch(&sql, &values).await?.iter().map(read).collect()
    }

    /// The keys for the documents of a set under the criteria of a set.
    #[boxed]
    pub async fn list(
        &self,
        organisation: &OrganisationId,
        documents: &DocSetId,
        criteria: &CriteriaSetId,
    ) -> Result<Vec<TruthKey>> {
        let sql = format!(
            "SELECT truth.* {OWNED} AND document.doc_set_id = $2 AND item.criteria_set_id = $3 \
             ORDER BY document.name, document.id, item.sort_order, item.id, \
             truth.is_adjudicated DESC, truth.analyst"
        );
        let values = values![organisation, documents, criteria];
        self.0.database.fetch(&sql, &values).await?.iter().map(read).collect()
    }

    /// Removes a key.
    #[boxed]
    pub async fn delete(&self, organisation: &OrganisationId, id: &TruthKeyId) -> Result<()> {
        let sql = "DELETE FROM eval_opt_truth_keys WHERE organisation_id = $1 AND id = $2";
        self.0.database.change(sql, &values![organisation, id], ("truth key", id)).await
    }
}

/// Document and criterion are the organisation's own.
async fn own(
    transaction: &mut Transaction,
    organisation: &OrganisationId,
    key: &TruthKey,
) -> Result<()> {
    let sql = "SELECT 1 AS one FROM eval_documents AS document \
        JOIN eval_doc_sets AS documents ON documents.id = document.doc_set_id, \
        eval_criteria_items AS item \
        JOIN eval_criteria_sets AS criteria ON criteria.id = item.criteria_set_id \
        WHERE document.id = $1 AND item.id = $2 \
        AND documents.organisation_id = $3 AND criteria.organisation_id = $3";
    let values = values![&key.document_id, &key.criteria_item_id, organisation];
    let found = transaction.fetch_optional(sql, &values).await?;
    if found.is_none() || key.organisation_id != *organisation {
        let id = format!("{} under {}", key.document_id, key.criteria_item_id);
        return Err(StoreError::Missing { what: "document and criterion", id });
    }
    Ok(())
}

fn row(key: &TruthKey) -> [Value<'_>; COLUMNS.len()] {
    values![
        &key.id,
        &key.organisation_id,
        &key.document_id,
        &key.criteria_item_id,
        key.expected_score,
        key.score_range,
        &key.response_sections,
        key.analyst.as_deref().unwrap_or_default(),
        &key.note,
        key.created_at,
        key.updated_at,
        key.is_adjudicated,
    ]
}

fn read(row: &Row) -> Result<TruthKey> {
    Ok(TruthKey {
        id: row.get::<String>("id")?.into(),
        organisation_id: row.get::<String>("organisation_id")?.into(),
        document_id: row.get::<String>("document_id")?.into(),
        criteria_item_id: row.get::<String>("criteria_item_id")?.into(),
        expected_score: row.get("expected_score")?,
        score_range: row.get("score_range")?,
        response_sections: row.json("response_sections")?,
        analyst: Some(row.get::<String>("analyst")?).filter(|name| !name.is_empty()),
        note: row.get("note")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
        is_adjudicated: row.get("is_adjudicated")?,
    })
}
