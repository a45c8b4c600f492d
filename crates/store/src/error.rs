//! What can go wrong with a store.

use std::path::PathBuf;
use std::sync::Arc;

use thiserror::Error;

/// Why something could not be kept or found.
#[derive(Debug, Clone, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The file cannot be opened or made.
    #[error("the store {path} could not be opened")]
    Unopened {
        /// Which file.
        path: PathBuf,
        /// Why.
        #[source]
        source: Arc<sqlx::Error>,
    },
    /// The file is something else.
    #[error("{0} is not a store of ours: name another file")]
    NotAStore(PathBuf),
    /// The file was made by a newer program, or its tables were changed by hand.
    #[error("the tables of {path} are not those this program knows: is it a newer store?")]
    Foreign {
        /// Which file.
        path: PathBuf,
        /// What differs.
        #[source]
        source: Arc<sqlx::migrate::MigrateError>,
    },
    /// It did not work out: a full disk, a lock held too long.
    #[error("the store failed")]
    Failed(#[source] Arc<sqlx::Error>),
    /// The store was closed.
    #[error("the store is closed")]
    Closed,
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        Self::Failed(Arc::new(error))
    }
}
