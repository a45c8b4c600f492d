//! Organisations: walls between what belongs to whom.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_recursion::async_recursion as boxed;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::ids::OrganisationId;
use crate::record::{handle, record};
use crate::skeleton::skeleton;
use crate::value::values;

record! {
    /// Whose things they are.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Organisation {
        /// Which one.
        pub id: OrganisationId,
        /// What it is called; no two look alike.
        pub name: String,
        /// Since when.
        pub created_at: DateTime<Utc>,
    }
}

/// Names that are kept in memory.
const NAMES_MAX: usize = 1_000;

/// The names of organisations that were asked for.
#[derive(Debug, Default)]
pub(crate) struct KeptNames(Mutex<BTreeMap<OrganisationId, String>>);

impl KeptNames {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<OrganisationId, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

handle!(Organisations, organisations, "The organisations of a store.");

impl Organisations<'_> {
    /// Adds one.
    #[boxed]
    pub async fn insert(&self, organisation: &Organisation) -> Result<()> {
        let Organisation { id, name, created_at } = organisation;
        let sql = "INSERT INTO organisations (id, name, skeleton, created_at) \
            VALUES ($1, $2, $3, $4)";
        let skeleton = skeleton(name);
        self.0.database.execute(sql, &values![id, name, &skeleton, *created_at]).await?;
        Ok(())
    }

    /// The one with this id.
    #[boxed]
    pub async fn get(&self, id: &OrganisationId) -> Result<Option<Organisation>> {
        let sql = "SELECT * FROM organisations WHERE id = $1";
        self.0.database.find(sql, &values![id]).await
    }

    /// What one is called. Nothing gives an organisation another name, so that every page need
    /// not ask for it.
    #[boxed]
    pub async fn name(&self, id: &OrganisationId) -> Result<Option<String>> {
        if let Some(name) = self.0.names.lock().get(id) {
            return Ok(Some(name.clone()));
        }
        let found = self.get(id).await?.map(|one| one.name);
        if let Some(name) = &found {
            let mut names = self.0.names.lock();
            if names.len() >= NAMES_MAX {
                names.clear();
            }
            names.insert(id.clone(), name.clone());
        }
        Ok(found)
    }

    /// The one with this name.
    #[boxed]
    pub async fn find(&self, name: &str) -> Result<Option<Organisation>> {
        let sql = "SELECT * FROM organisations WHERE name = $1";
        self.0.database.find(sql, &values![name]).await
    }

    /// All of them, by name.
    #[boxed]
    pub async fn list(&self) -> Result<Vec<Organisation>> {
        self.0.database.list("SELECT * FROM organisations ORDER BY name, id", &[]).await
    }
}
