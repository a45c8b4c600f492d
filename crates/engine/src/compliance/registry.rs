//! Where everything about compliance is kept, for one organisation.

use std::sync::Arc;

use assize_store::{OrganisationId, Place, Store};

use super::error::ComplianceError;

/// Who did something when nobody said who it is.
pub const NOBODY: &str = "local";

/// A store and the organisation whose things are looked at.
#[derive(Debug, Clone)]
pub struct Registry {
    /// Everything that is kept.
    pub store: Arc<Store>,
    /// Nothing of another organisation is read or written.
    pub organisation: OrganisationId,
    /// Who does what is done through it, for the record.
    pub who: String,
}

impl Registry {
    /// Opens a database; a fresh one gets its tables.
    pub async fn open(place: impl Into<Place>) -> Result<Self, ComplianceError> {
        let store = Arc::new(Store::open(place).await?);
        let organisation = OrganisationId::default_organisation();
        Ok(Self { store, organisation, who: NOBODY.to_owned() })
    }

    /// Waits until everything is written, then closes.
    pub async fn close(self) {
        if let Ok(store) = Arc::try_unwrap(self.store) {
            store.close().await;
        }
    }
}
