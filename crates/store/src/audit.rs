//! Who changed what, when.

use async_recursion::async_recursion as boxed;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::audit_chain::append;
use crate::error::Result;
use crate::ids::{AuditId, OrganisationId};
use crate::origin;
use crate::record::{handle, record};
use crate::store::Store;
use crate::value::values;

record! {
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
        /// From where, if it came over the network.
        #[serde(default)]
        pub address: Option<String>,
        /// Its place in the chain of the organisation, from 1; given when it is recorded. Entries
        /// from before there was a chain have none.
        #[serde(default)]
        pub sequence: Option<i64>,
        /// The hash of the entry and of the one before; given when it is recorded.
        #[serde(default)]
        pub hash: Option<String>,
    }
}

impl AuditEntry {
    /// An entry without values, from where whoever is served now comes; `[action, subject,
    /// subject_id]`.
    pub fn new(
        organisation: &OrganisationId,
        at: DateTime<Utc>,
        who: &str,
        [action, subject, subject_id]: [&str; 3],
    ) -> Self {
        // The name has milliseconds; two changes within one are still two.
        let exact = at.to_rfc3339();
        let parts = [organisation.as_str(), who, action, subject, subject_id, &exact];
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
            address: origin::address(),
            sequence: None,
            hash: None,
        }
    }

    /// With what it was before and after.
    #[must_use]
    pub fn with(mut self, before: Option<Json>, after: Option<Json>) -> Self {
        (self.before, self.after) = (before, after);
        self
    }

    /// With where it came from.
    #[must_use]
    pub fn from(mut self, address: Option<&str>) -> Self {
        self.address = address.map(ToOwned::to_owned);
        self
    }
}

handle!(Audit, audit, "The audit of a store. Entries are added and never changed.");

impl<'a> Audit<'a> {
    pub(crate) fn store(self) -> &'a Store {
        self.0
    }
}

impl Audit<'_> {
    /// Adds an entry to the end of its organisation's chain; the same one twice is one.
    #[boxed]
    pub async fn record(&self, entry: &AuditEntry) -> Result<()> {
        let mut transaction = self.0.database.begin().await?;
        append(&mut transaction, entry).await?;
        transaction.commit().await
    }

    /// A page of an organisation, the newest first; `before` is the place where the page before
    /// ended. Entries without a place are not part of it.
    #[boxed]
    pub async fn page(
        &self,
        organisation: &OrganisationId,
        before: Option<i64>,
        limit: i64,
    ) -> Result<Vec<AuditEntry>> {
        let sql = "SELECT * FROM audit WHERE organisation_id = $1 AND sequence < $2 \
            ORDER BY sequence DESC LIMIT $3";
        let values = values![organisation, before.unwrap_or(i64::MAX), limit];
        self.0.database.list(sql, &values).await
    }

    /// The same for one thing.
    #[boxed]
    pub async fn page_of(
        &self,
        organisation: &OrganisationId,
        (subject, id): (&str, &str),
        before: Option<i64>,
        limit: i64,
    ) -> Result<Vec<AuditEntry>> {
        let sql = "SELECT * FROM audit WHERE organisation_id = $1 AND sequence < $2 \
            AND subject = $4 AND subject_id = $5 ORDER BY sequence DESC LIMIT $3";
        let values = values![organisation, before.unwrap_or(i64::MAX), limit, subject, id];
        self.0.database.list(sql, &values).await
    }

    /// A page in the order of the chain; `after` is where the page before ended.
    #[boxed]
    pub async fn chained(
        &self,
        organisation: &OrganisationId,
        after: i64,
        limit: i64,
    ) -> Result<Vec<AuditEntry>> {
        let sql = "SELECT * FROM audit WHERE organisation_id = $1 AND sequence > $2 \
            ORDER BY sequence LIMIT $3";
        self.0.database.list(sql, &values![organisation, after, limit]).await
    }

    /// The latest entries of an organisation, the newest first.
    #[boxed]
    pub async fn list(&self, organisation: &OrganisationId, limit: i64) -> Result<Vec<AuditEntry>> {
        let sql = "SELECT * FROM audit WHERE organisation_id = $1 \
            ORDER BY at DESC, id DESC LIMIT $2";
        self.0.database.list(sql, &values![organisation, limit]).await
    }
}
