//! What one organisation has stored, and who acts on it.

use std::sync::Arc;

use assize_store::{AuditEntry, OrganisationId, Place, Store, StoreError, TokenId};
use async_recursion::async_recursion as boxed;
use chrono::Utc;
use serde_json::Value as Json;

use crate::compliance::Result;

/// Who did something when nobody said who it is.
pub const NOBODY: &str = "local";

/// A store and the organisation whose things are looked at.
#[derive(Debug, Clone)]
pub struct Workspace {
    /// Everything that is kept.
    pub store: Arc<Store>,
    /// Nothing of another organisation is read or written.
    pub organisation: OrganisationId,
    /// Who does what is done through it, for the record.
    pub who: String,
    /// From where they come, if it is over the network.
    pub address: Option<String>,
    /// The token that they come in with, if it is one: what is made with it does not outlive it.
    pub token: Option<TokenId>,
}

impl Workspace {
    /// Opens a database; a fresh one gets its tables.
    pub async fn open(place: impl Into<Place>) -> Result<Self> {
        Ok(Self::over(Store::open(place).await?))
    }

    /// Opens a database to read it: nothing is made, changed or locked. A file that is not there
    /// is made all the same, and is empty.
    pub async fn open_to_read(place: impl Into<Place>) -> Result<Self> {
        let place = place.into();
        Ok(Self::over(match Store::open_to_read(&place).await {
            Err(StoreError::Missing { .. } | StoreError::Outdated { version: 0, .. }) => {
                Store::open(&place).await?
            }
            opened => opened?,
        }))
    }

    pub(crate) fn over(store: Store) -> Self {
        let (store, organisation) = (Arc::new(store), OrganisationId::default_organisation());
        Self { store, organisation, who: NOBODY.to_owned(), address: None, token: None }
    }

    /// An entry of the audit about what is done now: `[action, subject, subject_id]`.
    pub(crate) fn audited(&self, what: [&str; 3]) -> AuditEntry {
        let entry = AuditEntry::new(&self.organisation, Utc::now(), &self.who, what);
        entry.from(self.address.as_deref())
    }

    /// Notes what is done now: `[action, subject, subject_id]`, with what was before and after,
    /// in few words.
    pub(crate) async fn note(
        &self,
        what: [&str; 3],
        (before, after): (Option<Json>, Option<Json>),
    ) -> Result<(), StoreError> {
        self.store.audit().record(&self.audited(what).with(before, after)).await
    }

    /// Waits until everything is written, then closes.
    #[boxed]
    pub async fn close(self) {
        if let Ok(store) = Arc::try_unwrap(self.store) {
            store.close().await;
        }
    }
}
