//! Who changed what, when.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::database::Row;
use crate::error::StoreError;
use crate::ids::{AuditId, OrganisationId};
use crate::store::Store;
use crate::value::values;

/// One change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AuditEntry {
    /// Which one; [`AuditEntry::new`] makes it from the rest.
    pub id: AuditId,
    /// Whose thing was changed.
    pub organisation_id: OrganisationId,
    /// When.
    pub at: DateTime<Utc>,
    /// By whom.
    pub who: String,
    /// What they did: `insert`, `update`, `delete`, `override`.
    pub action: String,
    /// To what kind of thing: `criteria set`.
    pub subject: String,
    /// To which.
    pub subject_id: String,
    /// What it was before.
    pub before: Option<Json>,
    /// What it was after.
    pub after: Option<Json>,
}

impl AuditEntry {
    /// An entry without values; `[action, subject, subject_id]`.
    pub fn new(
        organisation: &OrganisationId,
        at: DateTime<Utc>,
        who: &str,
        [action, subject, subject_id]: [&str; 3],
    ) -> Self {
        let parts = [organisation.as_str(), who, action, subject, subject_id];
        Self {
            id: AuditId::at(at, &parts),
            organisation_id: organisation.clone(),
            at,
            who: who.to_owned(),
            action: action.to_owned(),
            subject: subject.to_owned(),
            subject_id: subject_id.to_owned(),
            before: None,
            after: None,
        }
    }

    /// With what it was before and after.
    #[must_use]
    pub fn with(mut self, before: Option<Json>, after: Option<Json>) -> Self {
        (self.before, self.after) = (before, after);
        self
    }
}

/// The audit of a store. Entries are added and never changed.
#[derive(Debug, Clone, Copy)]
pub struct Audit<'a>(&'a Store);

impl Store {
    /// Who changed what, when.
    pub fn audit(&self) -> Audit<'_> {
        Audit(self)
    }
}

impl Audit<'_> {
    /// Adds an entry; the same one twice is one.
    pub async fn record(&self, entry: &AuditEntry) -> Result<(), StoreError> {
        let AuditEntry { id, organisation_id, at, who, action, .. } = entry;
        let AuditEntry { subject, subject_id, before, after, .. } = entry;
        let sql = "INSERT INTO audit (id, organisation_id, at, who, action, subject, \
            subject_id, before, after) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) \
            ON CONFLICT (id) DO NOTHING";
        let values =
            values![id, organisation_id, *at, who, action, subject, subject_id, before, after];
        self.0.database.execute(sql, &values).await?;
        Ok(())
    }

    /// The latest entries of an organisation, the newest first.
    pub async fn list(
        &self,
        organisation: &OrganisationId,
        limit: i64,
    ) -> Result<Vec<AuditEntry>, StoreError> {
        let sql = "SELECT * FROM audit WHERE organisation_id = $1 \
            ORDER BY at DESC, id DESC LIMIT $2";
        self.0.database.fetch(sql, &values![organisation, limit]).await?.iter().map(read).collect()
    }
}

fn read(row: &Row) -> Result<AuditEntry, StoreError> {
    Ok(AuditEntry {
        id: row.get::<String>("id")?.into(),
        organisation_id: row.get::<String>("organisation_id")?.into(),
        at: row.get("at")?,
        who: row.get("who")?,
        action: row.get("action")?,
        subject: row.get("subject")?,
        subject_id: row.get("subject_id")?,
        before: row.json("before")?,
        after: row.json("after")?,
    })
}
