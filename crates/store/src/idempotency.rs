//! Answers to requests that named themselves, so that the same request twice is done once.

use async_recursion::async_recursion as boxed;
use chrono::{DateTime, Utc};

use crate::error::Result;
use crate::ids::OrganisationId;
use crate::record::handle;
use crate::value::values;

/// What is known of a request that named itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kept {
    /// Nobody came with that name: this is the first, and it may go on.
    New,
    /// The same name was given to something else.
    Other,
    /// The same is under way, or was when its process died.
    UnderWay,
    /// It was done.
    Done {
        /// The status of the answer.
        status: i64,
        /// What kind of body.
        media_type: String,
        body: Vec<u8>,
    },
}

handle!(Idempotency, idempotency, "The requests of a store that named themselves.");

impl Idempotency<'_> {
    /// Begins a request, unless it is there. `fingerprint` tells what it asks for; what is older
    /// than `since` is forgotten.
    #[boxed]
    pub async fn begin(
        &self,
        (organisation, key): (&OrganisationId, &str),
        fingerprint: &str,
        now: DateTime<Utc>,
        since: DateTime<Utc>,
    ) -> Result<Kept> {
        let mut transaction = self.0.database.begin().await?;
        // Of everybody: an organisation that asks nothing more keeps nothing for ever either.
        let sql = "DELETE FROM idempotency_keys WHERE created_at < $1";
        transaction.execute(sql, &values![since]).await?;
        let sql = "INSERT INTO idempotency_keys (organisation_id, key, fingerprint, created_at) \
            VALUES ($1, $2, $3, $4) ON CONFLICT (organisation_id, key) DO NOTHING";
        let is_new =
            transaction.execute(sql, &values![organisation, key, fingerprint, now]).await?;
        let sql = "SELECT * FROM idempotency_keys WHERE organisation_id = $1 AND key = $2";
        let row = transaction.fetch_optional(sql, &values![organisation, key]).await?;
        transaction.commit().await?;
        let Some(row) = row.filter(|_| is_new == 0) else { return Ok(Kept::New) };
        if row.get::<String>("fingerprint")? != fingerprint {
            return Ok(Kept::Other);
        }
        Ok(match row.get::<Option<i64>>("status")? {
            None => Kept::UnderWay,
            Some(status) => Kept::Done {
                status,
                media_type: row.get::<Option<String>>("media_type")?.unwrap_or_default(),
                body: row.get::<Option<Vec<u8>>>("body")?.unwrap_or_default(),
            },
        })
    }

    /// Keeps the answer.
    #[boxed]
    pub async fn end(
        &self,
        (organisation, key): (&OrganisationId, &str),
        status: i64,
        media_type: &str,
        body: &[u8],
    ) -> Result<()> {
        let sql = "UPDATE idempotency_keys SET status = $3, media_type = $4, body = $5 \
            WHERE organisation_id = $1 AND key = $2";
        let values = values![organisation, key, status, media_type, body];
        self.0.database.execute(sql, &values).await?;
        Ok(())
    }

    /// Forgets a request that came to nothing: it may be sent again.
    #[boxed]
    pub async fn forget(&self, (organisation, key): (&OrganisationId, &str)) -> Result<()> {
        let sql = "DELETE FROM idempotency_keys WHERE organisation_id = $1 AND key = $2";
        self.0.database.execute(sql, &values![organisation, key]).await?;
        Ok(())
    }
}
