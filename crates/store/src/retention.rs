//! Taking away what must not be kept longer: old exchanges, everything a document said, runs and
//! documents that an organisation keeps only so long. Of a document that was erased the scores
//! stay, and so does the journal of requests: a bill is still a bill.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;

use crate::audit::AuditEntry;
use crate::audit_chain::append;
use crate::batch::{list, pieces};
use crate::database::Transaction;
use crate::error::{Result, StoreError};
use crate::ids::{DocumentId, OrganisationId};
use crate::record::record;
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

record! {
    /// How many days an organisation keeps what is over; none is for ever.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
    pub struct Retention {
        /// Runs, from their end.
        pub runs_days: Option<i64>,
        /// Documents that no run and no truth key needs, from the day they came.
        pub documents_days: Option<i64>,
    }
}

/// What a sweep took away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Swept {
    /// Runs, with their exchanges.
    pub runs: u64,
    /// Documents.
    pub documents: u64,
}

/// So much is taken away in one sweep; the next one goes on.
const SWEPT_MAX: i64 = 1_000;

/// Runs that are over, were not marked and are not part of a search, by organisation and time.
const OLD_RUNS: &str = "SELECT id FROM runs WHERE organisation_id = $1 \
    AND state IN ('done', 'stopped', 'failed') AND NOT is_baseline \
    AND COALESCE(ended_at, created_at) < $2 AND NOT EXISTS (SELECT 1 FROM eval_opt_candidates \
    AS candidate WHERE candidate.tune_run_id = runs.id OR candidate.holdout_run_id = runs.id) \
    ORDER BY number LIMIT $3";
/// Documents that nothing needs, by organisation and time.
const OLD_DOCUMENTS: &str = "SELECT document.id FROM eval_documents AS document \
    JOIN eval_doc_sets AS owner ON owner.id = document.doc_set_id \
    WHERE owner.organisation_id = $1 AND document.created_at < $2 \
    AND NOT EXISTS (SELECT 1 FROM run_documents AS used WHERE used.document_id = document.id) \
    AND NOT EXISTS (SELECT 1 FROM eval_opt_truth_keys AS key WHERE key.document_id = document.id) \
    ORDER BY document.id LIMIT $3";

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

    /// How long an organisation keeps what is over.
    pub async fn retention(&self, organisation: &OrganisationId) -> Result<Retention> {
        let sql = "SELECT * FROM retentions WHERE organisation_id = $1";
        Ok(self.database.find(sql, &values![organisation]).await?.unwrap_or_default())
    }

    /// Changes it.
    pub async fn set_retention(&self, retention: Retention, by: By<'_>) -> Result<()> {
        let before = self.retention(by.organisation).await?;
        let sql = "INSERT INTO retentions (organisation_id, runs_days, documents_days) \
            VALUES ($1, $2, $3) ON CONFLICT (organisation_id) DO UPDATE \
            SET runs_days = excluded.runs_days, documents_days = excluded.documents_days";
        let Retention { runs_days, documents_days } = retention;
        let mut transaction = self.database.begin().await?;
        transaction.execute(sql, &values![by.organisation, runs_days, documents_days]).await?;
        let json = |one: Retention| serde_json::to_value(one).ok();
        let entry = by.entry(["change", "retention", by.organisation.as_str()]);
        append(&mut transaction, &entry.with(json(before), json(retention))).await?;
        transaction.commit().await
    }

    /// Removes what an organisation keeps no longer, one thing at a time: each is gone and in the
    /// audit, or neither. A SQLite file is rewritten if anything was.
    pub async fn sweep(&self, by: By<'_>) -> Result<Swept> {
        let Retention { runs_days, documents_days } = self.retention(by.organisation).await?;
        let runs = self.expire(runs_days, OLD_RUNS, ("runs", "run"), by).await?;
        let documents =
            self.expire(documents_days, OLD_DOCUMENTS, ("eval_documents", "document"), by).await?;
        if runs + documents > 0 {
            self.database.forget_deleted().await?;
        }
        Ok(Swept { runs, documents })
    }

    async fn expire(
        &self,
        days: Option<i64>,
        found: &str,
        (table, what): (&str, &str),
        by: By<'_>,
    ) -> Result<u64> {
        let since = days.and_then(TimeDelta::try_days);
        let Some(since) = since.and_then(|age| by.at.checked_sub_signed(age)) else { return Ok(0) };
        let (mut removed, sql) = (0, format!("DELETE FROM {table} WHERE id = $1"));
        for row in self.database.fetch(found, &values![by.organisation, since, SWEPT_MAX]).await? {
            let id: String = row.get("id")?;
            let mut transaction = self.database.begin().await?;
            if what == "run" {
                erase_exchanges(&mut transaction, "item.run_id = $1", &id).await?;
            }
            match transaction.execute(&sql, &values![&id]).await {
                // Another process was first, or somebody needs it meanwhile.
                Ok(0) | Err(StoreError::Attached(_)) => continue,
                other => removed += other?,
            }
            append(&mut transaction, &by.entry(["expire", what, &id])).await?;
            transaction.commit().await?;
        }
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
        let of_document = "item.document_id = $1";
        let exchanges = erase_exchanges(&mut transaction, of_document, document.as_str()).await?;
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
            // What is kept in memory of its runs is old.
            "UPDATE runs SET revision = revision + 1 WHERE id IN \
             (SELECT run_id FROM run_items WHERE document_id = $1)"
                .to_owned(),
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

/// Removes the exchanges that results name, of a document or a run.
async fn erase_exchanges(transaction: &mut Transaction, whose: &str, id: &str) -> Result<u64> {
    let sql = format!(
        "SELECT verdict.exchange_keys FROM run_items AS item \
         JOIN verdicts AS verdict ON verdict.run_id = item.run_id \
         AND verdict.position = item.position \
         WHERE {whose} AND verdict.exchange_keys IS NOT NULL"
    );
    let mut keys: Vec<String> = Vec::new();
    for row in transaction.fetch(&sql, &values![id]).await? {
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
