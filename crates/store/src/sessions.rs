//! People who are signed in. Only the hash of what their browser sends is kept.

use async_recursion::async_recursion as boxed;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::ids::{OrganisationId, UserId};
use crate::record::{handle, record};
use crate::value::values;

record! {
    /// A person who is signed in.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Session {
        /// The hash of the token in the browser's cookie.
        pub token_hash: String,
        /// Who.
        pub user_id: UserId,
        /// In which of their organisations.
        pub organisation_id: OrganisationId,
        /// Since when.
        pub created_at: DateTime<Utc>,
        /// When they were seen last.
        pub used_at: DateTime<Utc>,
        /// From where.
        pub address: String,
        /// With what, as the browser calls itself.
        pub agent: String,
    }
}

handle!(Sessions, sessions, "The sessions of a store.");

impl Sessions<'_> {
    /// Begins one.
    #[boxed]
    pub async fn insert(&self, session: &Session) -> Result<()> {
        self.0.database.put("sessions", session).await
    }

    /// The one of that token.
    #[boxed]
    pub async fn get(&self, token_hash: &str) -> Result<Option<Session>> {
        let sql = "SELECT * FROM sessions WHERE token_hash = $1";
        self.0.database.find(sql, &values![token_hash]).await
    }

    /// Everywhere a person is signed in, the latest first.
    #[boxed]
    pub async fn of_user(&self, user: &UserId) -> Result<Vec<Session>> {
        let sql = "SELECT * FROM sessions WHERE user_id = $1 ORDER BY used_at DESC, token_hash";
        self.0.database.list(sql, &values![user]).await
    }

    /// They were seen.
    #[boxed]
    pub async fn touch(&self, token_hash: &str, at: DateTime<Utc>) -> Result<()> {
        let sql = "UPDATE sessions SET used_at = $2 WHERE token_hash = $1";
        self.0.database.execute(sql, &values![token_hash, at]).await?;
        Ok(())
    }

    /// They work in another of their organisations from now on.
    #[boxed]
    pub async fn turn_to(&self, token_hash: &str, organisation: &OrganisationId) -> Result<()> {
        let sql = "UPDATE sessions SET organisation_id = $2 WHERE token_hash = $1";
        self.0.database.execute(sql, &values![token_hash, organisation]).await?;
        Ok(())
    }

    /// Ends all that a person has in an organisation.
    #[boxed]
    pub async fn end_all(&self, user: &UserId, organisation: &OrganisationId) -> Result<()> {
        let sql = "DELETE FROM sessions WHERE user_id = $1 AND organisation_id = $2";
        self.0.database.execute(sql, &values![user, organisation]).await?;
        Ok(())
    }

    /// Ends one, if it is there.
    #[boxed]
    pub async fn delete(&self, token_hash: &str) -> Result<()> {
        let sql = "DELETE FROM sessions WHERE token_hash = $1";
        self.0.database.execute(sql, &values![token_hash]).await?;
        Ok(())
    }
}
