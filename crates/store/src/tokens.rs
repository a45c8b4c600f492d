//! Tokens that programs come in with. Only their hashes are kept.

use async_recursion::async_recursion as boxed;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::database::Row;
use crate::error::StoreError;
use crate::ids::{OrganisationId, TokenId};
use crate::state::Scope;
use crate::store::Store;
use crate::value::values;

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
}

/// The tokens of a store.
#[derive(Debug, Clone, Copy)]
pub struct Tokens<'a>(&'a Store);

impl Store {
    /// Tokens that programs come in with.
    pub fn tokens(&self) -> Tokens<'_> {
        Tokens(self)
    }
}

impl Tokens<'_> {
    /// Adds one.
    #[boxed]
    pub async fn insert(&self, token: &ApiToken) -> Result<(), StoreError> {
        let ApiToken { id, token_hash, organisation_id, name, scope, .. } = token;
        let ApiToken { made_by, created_at, expires_at, .. } = token;
        let sql = "INSERT INTO api_tokens (id, token_hash, organisation_id, name, scope, \
            made_by, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
        let values = values![
            id,
            token_hash,
            organisation_id,
            name,
            *scope,
            made_by,
            *created_at,
            *expires_at
        ];
        self.0.database.execute(sql, &values).await?;
        Ok(())
    }

    /// The one with that secret.
    #[boxed]
    pub async fn get(&self, token_hash: &str) -> Result<Option<ApiToken>, StoreError> {
        let sql = "SELECT * FROM api_tokens WHERE token_hash = $1";
        let row = self.0.database.fetch_optional(sql, &values![token_hash]).await?;
        row.as_ref().map(read).transpose()
    }

    /// All of an organisation, the latest first.
    #[boxed]
    pub async fn list(&self, organisation: &OrganisationId) -> Result<Vec<ApiToken>, StoreError> {
        let sql = "SELECT * FROM api_tokens WHERE organisation_id = $1 \
            ORDER BY created_at DESC, id";
        self.0.database.fetch(sql, &values![organisation]).await?.iter().map(read).collect()
    }

    /// It was used.
    #[boxed]
    pub async fn touch(&self, id: &TokenId, at: DateTime<Utc>) -> Result<(), StoreError> {
        let sql = "UPDATE api_tokens SET used_at = $2 WHERE id = $1";
        self.0.database.execute(sql, &values![id, at]).await?;
        Ok(())
    }

    /// Those that a person made in an organisation, with one of these scopes, count no more.
    /// Returns how many.
    #[boxed]
    pub async fn revoke_made_by(
        &self,
        organisation: &OrganisationId,
        made_by: &str,
        scopes: &[Scope],
        at: DateTime<Utc>,
    ) -> Result<u64, StoreError> {
        let words: Vec<String> = scopes.iter().map(|scope| format!("'{scope}'")).collect();
        if words.is_empty() {
            return Ok(0);
        }
        let sql = format!(
            "UPDATE api_tokens SET revoked_at = $3 WHERE organisation_id = $1 AND made_by = $2 \
             AND revoked_at IS NULL AND scope IN ({})",
            words.join(", ")
        );
        self.0.database.execute(&sql, &values![organisation, made_by, at]).await
    }

    /// It does not count any more.
    #[boxed]
    pub async fn revoke(
        &self,
        organisation: &OrganisationId,
        id: &TokenId,
        at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let sql = "UPDATE api_tokens SET revoked_at = COALESCE(revoked_at, $3) \
            WHERE id = $1 AND organisation_id = $2";
        match self.0.database.execute(sql, &values![id, organisation, at]).await? {
            0 => Err(StoreError::Missing { what: "token", id: id.to_string() }),
            _ => Ok(()),
        }
    }
}

fn read(row: &Row) -> Result<ApiToken, StoreError> {
    Ok(ApiToken {
        id: row.get::<String>("id")?.into(),
        token_hash: row.get("token_hash")?,
        organisation_id: row.get::<String>("organisation_id")?.into(),
        name: row.get("name")?,
        scope: Scope::from_word(&row.get::<String>("scope")?)?,
        made_by: row.get("made_by")?,
        created_at: row.get("created_at")?,
        expires_at: row.get("expires_at")?,
        revoked_at: row.get("revoked_at")?,
        used_at: row.get("used_at")?,
    })
}
