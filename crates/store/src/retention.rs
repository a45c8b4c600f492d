//! Taking away what must not be kept longer: old exchanges, and everything a document said.
//! Scores stay, and so does the journal of requests: a bill is still a bill.

use std::time::Duration;

use chrono::{DateTime, Utc};

use crate::audit::AuditEntry;
use crate::audit_chain::append;
use crate::batch::{list, pieces};
use crate::database::Transaction;
use crate::error::{Result, StoreError};
use crate::ids::{DocumentId, OrganisationId};
use crate::store::Store;
use crate::value::{Value, values};

/// What an erasure took away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Erased {
    /// Results whose words were taken away; their scores stay.
    pub results: u64,
    /// Requests and replies that held the document's text.
    pub exchanges: u64,
}

/// Who takes something away, and when.
#[derive(Debug, Clone, Copy)]
pub struct By<'a> {
    /// Whose things.
    pub organisation: &'a OrganisationId,
    /// Who.
    pub who: &'a str,
    /// When.
    pub at: DateTime<Utc>,
}

impl By<'_> {
    fn entry(self, what: [&str; 3]) -> AuditEntry {
        AuditEntry::new(self.organisation, self.at, self.who, what)
    }
}

impl Store {
    /// Removes requests and replies that are older than this. Verdicts keep what was computed
    /// from them; asking the same again will cost again. Returns how many.
    pub async fn prune_exchanges(&self, age: Duration, by: By<'_>) -> Result<u64> {
        let mut transaction = self.database.begin().await?;
        let sql = format!("DELETE FROM exchanges WHERE created < {}", self.database.moment("-$1"));
        let removed = transaction.execute(&sql, &values![age.as_secs_f64()]).await?;
        let days = age.as_secs() / 86_400;
        let what = format!("{removed} older than {days} days");
        append(&mut transaction, &by.entry(["prune", "exchanges", &what])).await?;
        transaction.commit().await?;
        self.database.forget_deleted().await?;
        Ok(removed)
    }

    /// Removes everything a document said: its text and its original, quotes, explanations,
    /// evidence, and the exchanges that carried it. Its name, its hash and its scores stay. A
    /// SQLite file is rewritten, so that nothing of it is left there either; if somebody reads it
    /// for too long, that is an error, and erasing again tries again.
    pub async fn erase_document(&self, document: &DocumentId, by: By<'_>) -> Result<Erased> {
        let mut transaction = self.database.begin().await?;
        let found = "SELECT document.id FROM eval_documents AS document JOIN eval_doc_sets AS owner \
            ON owner.id = document.doc_set_id \
            WHERE document.id = $1 AND owner.organisation_id = $2";
        let row = transaction.fetch_optional(found, &values![document, by.organisation]).await?;
        if row.is_none() {
            return Err(StoreError::Missing { what: "document", id: document.to_string() });
        }
        let exchanges = erase_exchanges(&mut transaction, document).await?;
        let of_it = |table: &str| {
            format!(
                "EXISTS (SELECT 1 FROM run_items AS item WHERE item.document_id = $1 \
                 AND item.run_id = {table}.run_id AND item.position = {table}.position)"
            )
        };
        let sql = format!(
            "UPDATE verdicts SET ledger = NULL, evidence = NULL, exchange_keys = NULL, \
             sections = NULL, citations = NULL, raw_answer = NULL, \
             reason = CASE WHEN reason IS NULL THEN NULL ELSE 'erased' END WHERE {}",
            of_it("verdicts")
        );
        let results = transaction.execute(&sql, &values![document]).await?;
        for sql in [
            format!("UPDATE decisions SET value = NULL WHERE {}", of_it("decisions")),
            "UPDATE eval_opt_truth_keys SET response_sections = NULL, note = NULL \
             WHERE document_id = $1"
                .to_owned(),
            "DELETE FROM eval_document_originals WHERE document_id = $1".to_owned(),
            "UPDATE eval_documents SET content_text = '', text_offsets = NULL WHERE id = $1"
                .to_owned(),
        ] {
            transaction.execute(&sql, &values![document]).await?;
        }
        append(&mut transaction, &by.entry(["erase", "document", document.as_str()])).await?;
        transaction.commit().await?;
        self.database.forget_deleted().await?;
        Ok(Erased { results, exchanges })
    }
}

/// Removes the exchanges that results of a document name.
async fn erase_exchanges(transaction: &mut Transaction, document: &DocumentId) -> Result<u64> {
    let sql = "SELECT verdict.exchange_keys FROM run_items AS item \
        JOIN verdicts AS verdict ON verdict.run_id = item.run_id \
        AND verdict.position = item.position \
        WHERE item.document_id = $1 AND verdict.exchange_keys IS NOT NULL";
    let mut keys: Vec<String> = Vec::new();
    for row in transaction.fetch(sql, &values![document]).await? {
        let json = row.json("exchange_keys")?.unwrap_or_default();
        let named = json.as_array().into_iter().flatten().filter_map(|key| key.as_str());
        keys.extend(named.map(ToOwned::to_owned));
    }
    let mut removed = 0;
    for piece in pieces(&keys) {
        let sql = format!("DELETE FROM exchanges WHERE key IN ({})", list(piece.len()));
        let values: Vec<Value<'_>> = piece.iter().map(Value::from).collect();
        removed += transaction.execute(&sql, &values).await?;
    }
    Ok(removed)
}
