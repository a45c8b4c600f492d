//! Whom a provider of identities vouches for, and sign-ins there that have begun.

use async_recursion::async_recursion as boxed;
use chrono::{DateTime, Utc};

use crate::accounts::{User, insert_user};
use crate::database::Transaction;
use crate::error::Result;
use crate::ids::{OrganisationId, UserId};
use crate::record::handle;
use crate::state::Role;
use crate::value::values;

/// Somebody, as a provider of identities knows them; no two have the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identity<'a> {
    /// The provider.
    pub issuer: &'a str,
    /// What it calls them; a name can change hands there, this does not.
    pub subject: &'a str,
}

/// A sign-in that has begun. Only hashes are kept of what shows that it is the same browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInRequest {
    /// Of what goes to the provider and comes back.
    pub state_hash: String,
    /// Of what stays in the browser.
    pub browser_hash: String,
    /// Where the person wanted to go.
    pub return_path: String,
    /// Until when it can end.
    pub expires_at: DateTime<Utc>,
}

handle!(Identities, identities, "The identities of a store.");

impl Identities<'_> {
    /// Who that is here.
    pub async fn find(&self, identity: Identity<'_>) -> Result<Option<User>> {
        let sql = "SELECT users.* FROM users JOIN identities ON identities.user_id = users.id \
            WHERE identities.issuer = $1 AND identities.subject = $2";
        let values = values![identity.issuer, identity.subject];
        self.0.database.find(sql, &values).await
    }

    /// What a provider calls a person, if it vouches for them.
    #[boxed]
    pub async fn subjects(&self, user: &UserId, issuer: &str) -> Result<Vec<String>> {
        let sql = "SELECT subject FROM identities WHERE user_id = $1 AND issuer = $2 \
            ORDER BY subject";
        let rows = self.0.database.fetch(sql, &values![user, issuer]).await?;
        rows.iter().map(|row| row.get("subject")).collect()
    }

    /// From now on that is a person who is here already.
    pub async fn link(
        &self,
        identity: Identity<'_>,
        user: &UserId,
        at: DateTime<Utc>,
    ) -> Result<()> {
        let mut transaction = self.0.database.begin().await?;
        linked(&mut transaction, identity, user, at).await?;
        transaction.commit().await
    }

    /// Adds a person with a role, and that this is them: both or neither.
    pub async fn insert(
        &self,
        identity: Identity<'_>,
        user: &User,
        organisation: &OrganisationId,
        role: Role,
    ) -> Result<()> {
        let mut transaction = self.0.database.begin().await?;
        insert_user(&mut transaction, user, organisation, role).await?;
        linked(&mut transaction, identity, &user.id, user.created_at).await?;
        transaction.commit().await
    }

    /// Keeps a sign-in that begins; those that are too old are forgotten.
    #[boxed]
    pub async fn begin(&self, request: &SignInRequest, now: DateTime<Utc>) -> Result<()> {
        let SignInRequest { state_hash, browser_hash, return_path, expires_at } = request;
        let mut transaction = self.0.database.begin().await?;
        let sql = "DELETE FROM sign_in_requests WHERE expires_at <= $1";
        transaction.execute(sql, &values![now]).await?;
        let sql = "INSERT INTO sign_in_requests (state_hash, browser_hash, return_path, \
            expires_at) VALUES ($1, $2, $3, $4)";
        let values = values![state_hash, browser_hash, return_path, *expires_at];
        transaction.execute(sql, &values).await?;
        transaction.commit().await
    }

    /// Ends a sign-in, once: where the person wanted to go. Nothing if it did not begin in that
    /// browser, has ended already or is too old.
    #[boxed]
    pub async fn end(
        &self,
        (state_hash, browser_hash): (&str, &str),
        now: DateTime<Utc>,
    ) -> Result<Option<String>> {
        let sql = "DELETE FROM sign_in_requests WHERE state_hash = $1 AND browser_hash = $2 \
            RETURNING return_path, expires_at";
        let mut transaction = self.0.database.begin().await?;
        let row = transaction.fetch_optional(sql, &values![state_hash, browser_hash]).await?;
        transaction.commit().await?;
        let Some(row) = row else { return Ok(None) };
        let until: DateTime<Utc> = row.get("expires_at")?;
        Ok(if until > now { Some(row.get("return_path")?) } else { None })
    }
}

async fn linked(
    transaction: &mut Transaction,
    identity: Identity<'_>,
    user: &UserId,
    at: DateTime<Utc>,
) -> Result<()> {
    let sql = "INSERT INTO identities (issuer, subject, user_id, created_at) \
        VALUES ($1, $2, $3, $4)";
    let Identity { issuer, subject } = identity;
    transaction.execute(sql, &values![issuer, subject, user, at]).await?;
    Ok(())
}
