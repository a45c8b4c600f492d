//! Documents: the bytes they came as, their text, and where pages and paragraphs begin in it.

use async_recursion::async_recursion as boxed;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::database::Row;
use crate::error::{Result, StoreError};
use crate::ids::{DocSetId, DocumentId, OrganisationId, RunId};
use crate::record::{Record, handle, record};
use crate::value::values;

record! {
    /// A document as it stands in a list.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct DocumentEntry {
        /// Which one.
        pub id: DocumentId,
        /// The set it belongs to.
        pub doc_set_id: DocSetId,
        /// The name of its file.
        pub name: String,
        /// What kind of file: `application/pdf`.
        pub media_type: String,
        /// The hash of its bytes; old rows have none.
        pub content_hash: Option<String>,
        /// How many bytes; old rows do not say.
        pub byte_count: Option<i64>,
        /// Since when.
        pub created_at: DateTime<Utc>,
        /// Which of the documents of this name in the set, from 1; given when it is added.
        pub version: i64,
        /// Since when lists leave it out.
        pub archived_at: Option<DateTime<Utc>>,
    }
}

/// A document with its text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// What a list shows of it.
    pub entry: DocumentEntry,
    pub content_text: String,
    /// Where pages and paragraphs begin and end in the text.
    pub text_offsets: Option<Json>,
}

handle!(Documents, documents, "The documents of a store.");

const ENTRY: &str = "document.id, document.doc_set_id, document.name, document.media_type, \
    document.content_hash, document.byte_count, document.created_at, document.version, \
    document.archived_at";
const OWNED: &str = "FROM eval_documents AS document \
    JOIN eval_doc_sets AS owner ON owner.id = document.doc_set_id \
    WHERE owner.organisation_id = $1";
/// Only documents in which a reader noticed hidden text, or text that speaks to the judge.
pub(crate) const NOTICED: &str = "(CAST(document.text_offsets AS TEXT) LIKE '%\"hidden\"%' \
    OR CAST(document.text_offsets AS TEXT) LIKE '%\"speaks_to_judge\"%')";

impl Documents<'_> {
    /// Adds one with the bytes it came as. One of a name that the set has is a new version of
    /// that document, unless it is the same as the latest. Returns the entry that stands for
    /// it, and whether it was there already.
    #[boxed]
    pub async fn put(
        &self,
        organisation: &OrganisationId,
        document: &Document,
        original: &[u8],
    ) -> Result<(DocumentEntry, bool)> {
        let mut transaction = self.0.database.begin().await?;
        // Whoever adds to the same set waits here, so that no two get the same version.
        let sql = "UPDATE eval_doc_sets SET name = name WHERE id = $1 AND organisation_id = $2";
        let owner = values![&document.entry.doc_set_id, organisation];
        if transaction.execute(sql, &owner).await? == 0 {
            let id = document.entry.doc_set_id.to_string();
            return Err(StoreError::Missing { what: "document set", id });
        }
        let sql = format!(
            "SELECT {ENTRY} FROM eval_documents AS document WHERE document.doc_set_id = $1 \
             AND document.name = $2 ORDER BY document.version DESC LIMIT 1"
        );
        let values = values![&document.entry.doc_set_id, &document.entry.name];
        let latest: Option<DocumentEntry> = transaction.find(&sql, &values).await?;
        let version = latest.as_ref().map_or(1, |latest| latest.version + 1);
        if let Some(latest) = latest
            && latest.content_hash.is_some()
            && latest.content_hash == document.entry.content_hash
        {
            return Ok((latest, true));
        }
        let entry = DocumentEntry { version, ..document.entry.clone() };
        let Document { content_text, text_offsets, .. } = document;
        let columns = [
            "id",
            "doc_set_id",
            "name",
            "media_type",
            "content_hash",
            "byte_count",
            "content_text",
            "text_offsets",
            "created_at",
            "version",
        ];
        let row = values![
            &entry.id,
            &entry.doc_set_id,
            &entry.name,
            &entry.media_type,
            &entry.content_hash,
            entry.byte_count,
            content_text,
            text_offsets,
            entry.created_at,
            entry.version,
        ];
        transaction.insert("eval_documents", &columns, &[row], "").await?;
        let row = values![&entry.id, original];
        let columns = ["document_id", "bytes"];
        transaction.insert("eval_document_originals", &columns, &[row], "").await?;
        transaction.commit().await?;
        Ok((entry, false))
    }

    /// The one with this id, with its text.
    #[boxed]
    pub async fn get(
        &self,
        organisation: &OrganisationId,
        id: &DocumentId,
    ) -> Result<Option<Document>> {
        let sql = format!("SELECT document.* {OWNED} AND document.id = $2");
        let row = self.0.database.fetch_optional(&sql, &values![organisation, id]).await?;
        row.as_ref().map(read).transpose()
    }

    /// The documents of a run whose readers noticed hidden text, or text that speaks to the judge,
    /// with where things lie in them.
    #[boxed]
    pub async fn noticed(
        &self,
        organisation: &OrganisationId,
        run: &RunId,
    ) -> Result<Vec<(String, Json)>> {
        let sql = format!(
            "SELECT document.name, document.text_offsets FROM run_documents AS planned \
             JOIN runs AS run ON run.id = planned.run_id \
             JOIN eval_documents AS document ON document.id = planned.document_id \
             WHERE run.id = $1 AND run.organisation_id = $2 AND {NOTICED} \
             ORDER BY planned.position"
        );
        let rows = self.0.database.fetch(&sql, &values![run, organisation]).await?;
        let read =
            |row: &Row| Ok((row.get("name")?, row.json("text_offsets")?.unwrap_or_default()));
        rows.iter().map(read).collect()
    }

    /// The documents of a set whose readers noticed such things, by id.
    #[boxed]
    pub async fn noticed_in_set(
        &self,
        organisation: &OrganisationId,
        set: &DocSetId,
    ) -> Result<Vec<(DocumentId, Json)>> {
        let sql = format!(
            "SELECT document.id, document.text_offsets {OWNED} AND owner.id = $2 AND {NOTICED}"
        );
        let rows = self.0.database.fetch(&sql, &values![organisation, set]).await?;
        let read = |row: &Row| {
            let id: String = row.get("id")?;
            Ok((id.into(), row.json("text_offsets")?.unwrap_or_default()))
        };
        rows.iter().map(read).collect()
    }

    /// The numbers of the runs that used a version of a document, with its id, newest first.
    #[boxed]
    pub async fn uses(
        &self,
        organisation: &OrganisationId,
        set: &DocSetId,
    ) -> Result<Vec<(DocumentId, i64)>> {
        let sql = "SELECT planned.document_id, run.number FROM run_documents AS planned \
            JOIN runs AS run ON run.id = planned.run_id \
            JOIN eval_documents AS document ON document.id = planned.document_id \
            WHERE run.organisation_id = $1 AND document.doc_set_id = $2 \
            ORDER BY run.number DESC";
        let rows = self.0.database.fetch(sql, &values![organisation, set]).await?;
        let read = |row: &Row| {
            let id: String = row.get("document_id")?;
            Ok((id.into(), row.get("number")?))
        };
        rows.iter().map(read).collect()
    }

    /// The bytes it came as; old rows have none.
    #[boxed]
    pub async fn original(
        &self,
        organisation: &OrganisationId,
        id: &DocumentId,
    ) -> Result<Option<Vec<u8>>> {
        let sql = format!(
            "SELECT bytes FROM eval_document_originals \
             WHERE document_id IN (SELECT document.id {OWNED} AND document.id = $2)"
        );
        let row = self.0.database.fetch_optional(&sql, &values![organisation, id]).await?;
        row.map(|row| row.get("bytes")).transpose()
    }

    /// All of a set without their texts, by name.
    #[boxed]
    pub async fn list(
        &self,
        organisation: &OrganisationId,
        set: &DocSetId,
    ) -> Result<Vec<DocumentEntry>> {
        let sql = format!(
            "SELECT {ENTRY} {OWNED} AND owner.id = $2 ORDER BY document.name, document.version"
        );
        self.0.database.list(&sql, &values![organisation, set]).await
    }

    /// Gives all versions of a document another name.
    #[boxed]
    pub async fn rename(&self, set: &DocSetId, name: &str, to: &str) -> Result<u64> {
        let sql = "UPDATE eval_documents SET name = $3 WHERE doc_set_id = $1 AND name = $2";
        self.0.database.execute(sql, &values![set, name, to]).await
    }

    /// Leaves all versions of a document out of lists and new runs, or takes them in again.
    #[boxed]
    pub async fn archive(
        &self,
        set: &DocSetId,
        name: &str,
        at: Option<DateTime<Utc>>,
    ) -> Result<u64> {
        let sql = "UPDATE eval_documents SET archived_at = $3 WHERE doc_set_id = $1 AND name = $2";
        self.0.database.execute(sql, &values![set, name, at]).await
    }

    /// Removes all versions of a document; refused when a run used one.
    #[boxed]
    pub async fn delete_named(&self, set: &DocSetId, name: &str) -> Result<u64> {
        let sql = "DELETE FROM eval_documents WHERE doc_set_id = $1 AND name = $2";
        self.0.database.execute(sql, &values![set, name]).await
    }

    /// Removes one; refused when a run used it.
    #[boxed]
    pub async fn delete(&self, organisation: &OrganisationId, id: &DocumentId) -> Result<()> {
        let sql = "DELETE FROM eval_documents WHERE id = $2 AND doc_set_id IN \
            (SELECT id FROM eval_doc_sets WHERE organisation_id = $1)";
        self.0.database.change(sql, &values![organisation, id], ("document", id)).await
    }
}

fn read(row: &Row) -> Result<Document> {
    Ok(Document {
        entry: DocumentEntry::read(row)?,
        content_text: row.get("content_text")?,
        text_offsets: row.json("text_offsets")?,
    })
}
