//! Tokens that programs come in with. Only their hashes are kept.

use async_recursion::async_recursion as boxed;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::database::Transaction;
use crate::error::{Result, StoreError};
use crate::ids::{OrganisationId, TokenId};
use crate::record::{handle, record};
use crate::state::Scope;
use crate::value::values;

record! {
    /// A token without its secret.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct ApiToken {
        /// Which one.
        pub id: TokenId,
        /// The hash of its secret.
        #[serde(skip)]
        pub token_hash: String,
        /// Where it counts.
        pub organisation_id: OrganisationId,
        /// What somebody called it.
        pub name: String,
        /// What it may be used for.
        pub scope: Scope,
        /// Who made it.
        pub made_by: String,
        /// When.
        pub created_at: DateTime<Utc>,
        /// Until when it counts; none is for ever.
        pub expires_at: Option<DateTime<Utc>>,
        /// Since when it does not count any more.
        pub revoked_at: Option<DateTime<Utc>>,
        /// When it was used last, to the minute.
        pub used_at: Option<DateTime<Utc>>,
        /// The token that it was made with, which it does not outlive.
        pub parent_id: Option<TokenId>,
    }
}

handle!(Tokens, tokens, "The tokens of a store.");

impl Tokens<'_> {
    /// Adds one. Made with another, it counts no longer than that one. Returns it as it is kept.
    #[boxed]
    pub async fn insert(&self, mut token: ApiToken) -> Result<ApiToken> {
        let mut transaction = self.0.database.begin().await?;
        if let Some(parent) = &token.parent_id {
            // Whoever revokes it at this moment waits until this one is there, and finds it.
            let sql = format!(
                "SELECT expires_at FROM api_tokens WHERE id = $1 AND organisation_id = $2 \
                 AND revoked_at IS NULL {}",
                self.0.database.for_update()
            );
            let values = values![parent, &token.organisation_id];
            let row = transaction.fetch_optional(&sql, &values).await?;
            let missing = || StoreError::Missing { what: "token", id: parent.to_string() };
            let until: Option<DateTime<Utc>> = row.ok_or_else(missing)?.get("expires_at")?;
            token.expires_at = [token.expires_at, until].into_iter().flatten().min();
        }
        transaction.put("api_tokens", std::slice::from_ref(&token), "").await?;
        transaction.commit().await?;
        Ok(token)
    }

    /// The one with that secret.
    #[boxed]
    pub async fn get(&self, token_hash: &str) -> Result<Option<ApiToken>> {
        let sql = "SELECT * FROM api_tokens WHERE token_hash = $1";
        self.0.database.find(sql, &values![token_hash]).await
    }

    /// All of an organisation, the latest first.
    #[boxed]
    pub async fn list(&self, organisation: &OrganisationId) -> Result<Vec<ApiToken>> {
        let sql = "SELECT * FROM api_tokens WHERE organisation_id = $1 \
            ORDER BY created_at DESC, id";
        self.0.database.list(sql, &values![organisation]).await
    }

    /// It was used.
    #[boxed]
    pub async fn touch(&self, id: &TokenId, at: DateTime<Utc>) -> Result<()> {
        let sql = "UPDATE api_tokens SET used_at = $2 WHERE id = $1";
        self.0.database.execute(sql, &values![id, at]).await?;
        Ok(())
    }

    /// Those that a person made in an organisation, with one of these scopes, count no more.
    #[boxed]
    pub async fn revoke_made_by(
        &self,
        organisation: &OrganisationId,
        made_by: &str,
        scopes: &[Scope],
        at: DateTime<Utc>,
    ) -> Result<()> {
        let words: Vec<String> = scopes.iter().map(|scope| format!("'{scope}'")).collect();
        if words.is_empty() {
            return Ok(());
        }
        let sql = format!(
            "UPDATE api_tokens SET revoked_at = $3 WHERE organisation_id = $1 AND made_by = $2 \
             AND revoked_at IS NULL AND scope IN ({})",
            words.join(", ")
        );
        let mut transaction = self.0.database.begin().await?;
        transaction.execute(&sql, &values![organisation, made_by, at]).await?;
        revoke_children(&mut transaction, organisation, at).await?;
        transaction.commit().await
    }

    /// It does not count any more, nor do those that were made with it.
    #[boxed]
    pub async fn revoke(
        &self,
        organisation: &OrganisationId,
        id: &TokenId,
        at: DateTime<Utc>,
    ) -> Result<()> {
        let sql = "UPDATE api_tokens SET revoked_at = COALESCE(revoked_at, $3) \
            WHERE id = $1 AND organisation_id = $2";
        let mut transaction = self.0.database.begin().await?;
        if transaction.execute(sql, &values![id, organisation, at]).await? == 0 {
            return Err(StoreError::Missing { what: "token", id: id.to_string() });
        }
        revoke_children(&mut transaction, organisation, at).await?;
        transaction.commit().await
    }
}

/// Revokes what was made with revoked tokens, a generation at a time. Each statement sees what was
/// made while the one before it waited.
pub(crate) async fn revoke_children(
    transaction: &mut Transaction,
    organisation: &OrganisationId,
    at: DateTime<Utc>,
) -> Result<()> {
    let sql = "UPDATE api_tokens SET revoked_at = $2 WHERE organisation_id = $1 \
        AND revoked_at IS NULL AND parent_id IN (SELECT id FROM api_tokens AS parent \
        WHERE parent.organisation_id = $1 AND parent.revoked_at IS NOT NULL)";
    while transaction.execute(sql, &values![organisation, at]).await? > 0 {}
    Ok(())
}
