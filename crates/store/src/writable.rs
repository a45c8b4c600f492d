//! Whether the database can be written to: tried by whoever asks, and failures counted.

use std::sync::atomic::{AtomicU64, Ordering};

use async_recursion::async_recursion as boxed;

use crate::error::{Result, StoreError};
use crate::store::Store;

/// Writes of this process that the database failed at.
static FAILED: AtomicU64 = AtomicU64::new(0);

/// A word that is no hash, so that it stands for no link.
const PROBE: &str = "probe";

/// Counts what the database failed at; what it refused is the asker's affair.
pub(crate) fn counted<T>(written: Result<T, sqlx::Error>) -> Result<T> {
    written.map_err(|error| {
        let error = StoreError::from(error);
        if error.is_failure() {
            FAILED.fetch_add(1, Ordering::Relaxed);
        }
        error
    })
}

impl Store {
    /// How many writes of this process the database failed at so far.
    pub fn failed_writes() -> u64 {
        FAILED.load(Ordering::Relaxed)
    }

    /// Writes something that nobody sees, and commits it: a database that can be read says
    /// nothing about a disk that is full.
    #[boxed]
    pub async fn try_write(&self) -> Result<()> {
        let mut transaction = self.database.begin().await?;
        let sql = format!(
            "INSERT INTO setup_links (token_hash, expires_at) VALUES ('{PROBE}', {})",
            self.database.now()
        );
        transaction.execute(&sql, &[]).await?;
        let sql = format!("DELETE FROM setup_links WHERE token_hash = '{PROBE}'");
        transaction.execute(&sql, &[]).await?;
        transaction.commit().await
    }
}
