//! Sets of documents.

use async_recursion::async_recursion as boxed;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::error::{Result, StoreError};
use crate::ids::{DocSetId, OrganisationId};
use crate::record::{handle, named, record};
use crate::value::values;

record! {
    /// Documents that belong together.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct DocSet {
        /// Which one.
        pub id: DocSetId,
        /// Whose it is.
        pub organisation_id: OrganisationId,
        /// What it is called.
        pub name: String,
        /// What it is about; may be empty.
        pub description: String,
        /// Since when.
        pub created_at: DateTime<Utc>,
        /// Since when lists leave it out.
        pub archived_at: Option<DateTime<Utc>>,
    }
}

impl DocSet {
    /// An empty set.
    pub fn new(organisation: &OrganisationId, name: &str, now: DateTime<Utc>) -> Self {
        Self {
            id: DocSetId::of(&[organisation.as_str(), name]),
            organisation_id: organisation.clone(),
            name: name.to_owned(),
            description: String::new(),
            created_at: now,
            archived_at: None,
        }
    }
}

handle!(DocSets, doc_sets, "The document sets of a store.");
named!(DocSets, DocSet, DocSetId, "eval_doc_sets", "document set");

impl DocSets<'_> {
    /// Adds one.
    #[boxed]
    pub async fn insert(&self, set: &DocSet) -> Result<()> {
        self.0.database.put("eval_doc_sets", set).await
    }

    /// The one of this name, made if there is none, and whether it was made now; several may do
    /// so at once.
    #[boxed]
    pub async fn make(&self, set: &DocSet) -> Result<(DocSet, bool)> {
        let sql = "INSERT INTO eval_doc_sets (id, organisation_id, name, description, created_at) \
            SELECT $1, $2, $3, $4, $5 WHERE NOT EXISTS (SELECT 1 FROM eval_doc_sets \
            WHERE organisation_id = $2 AND name = $3) ON CONFLICT (id) DO NOTHING";
        let DocSet { id, organisation_id, name, description, created_at, .. } = set;
        let values = values![id, organisation_id, name, description, *created_at];
        let is_new = self.0.database.execute(sql, &values).await? > 0;
        let made = self.find(organisation_id, name).await?;
        let missing = || StoreError::Missing { what: "document set", id: name.clone() };
        Ok((made.ok_or_else(missing)?, is_new))
    }

    /// Changes its name, its description and whether lists leave it out.
    #[boxed]
    pub async fn update(&self, set: &DocSet) -> Result<()> {
        let sql = "UPDATE eval_doc_sets SET name = $3, description = $4, archived_at = $5 \
            WHERE id = $1 AND organisation_id = $2";
        let DocSet { id, organisation_id, name, description, archived_at, .. } = set;
        let values = values![id, organisation_id, name, description, *archived_at];
        self.0.database.change(sql, &values, ("document set", id)).await
    }
}
