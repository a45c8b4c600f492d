//! Tokens that programs come in with: scoped, expiring, revocable, shown once.

use assize_store::{ApiToken, Scope, TokenId};
use async_recursion::async_recursion as boxed;
use chrono::{DateTime, TimeDelta, Utc};

use super::error::Result;
use super::people::check_name;
use super::secret;
use crate::Workspace;

/// What every token begins with, so that scanners of repositories find one that leaked.
pub(crate) const PREFIX: &str = "assize_";
/// A use is noted at most so often: a request should not cost a write.
const NOTED_EVERY: TimeDelta = TimeDelta::minutes(1);

/// A token to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenRequest {
    /// What it is called.
    pub name: String,
    /// What it may be used for.
    pub scope: Scope,
    /// For how many days; none is for ever.
    pub days: Option<u32>,
}

/// A token that was made; its secret is shown now and never again.
#[derive(Debug, Clone)]
pub struct MadeToken {
    /// What is kept of it.
    pub token: ApiToken,
    /// What a program sends.
    pub secret: String,
}

impl Workspace {
    /// Makes a token.
    #[boxed]
    pub async fn make_token(&self, request: TokenRequest) -> Result<MadeToken> {
        let TokenRequest { name, scope, days } = request;
        check_name(&name)?;
        let (secret, now) = (format!("{PREFIX}{}", secret::random()?), Utc::now());
        let token = ApiToken {
            id: TokenId::of(&[&secret::hashed(&secret)]),
            token_hash: secret::hashed(&secret),
            organisation_id: self.organisation.clone(),
            name,
            scope,
            made_by: self.who.clone(),
            created_at: now,
            expires_at: days.map(|days| now + TimeDelta::days(i64::from(days))),
            revoked_at: None,
            used_at: None,
            parent_id: self.token.clone(),
        };
        let token = self.store.tokens().insert(token).await?;
        self.audit_token("insert", &token.id).await?;
        Ok(MadeToken { token, secret })
    }

    /// The tokens of the organisation, without their secrets.
    #[boxed]
    pub async fn tokens(&self) -> Result<Vec<ApiToken>> {
        Ok(self.store.tokens().list(&self.organisation).await?)
    }

    /// A token that does not count any more, nor do those that were made with it.
    #[boxed]
    pub async fn revoke_token(&self, id: &str) -> Result<()> {
        let id = TokenId::from(id);
        self.store.tokens().revoke(&self.organisation, &id, Utc::now()).await?;
        self.audit_token("revoke", &id).await
    }

    /// The token of that secret, if it counts at that time.
    #[boxed]
    pub async fn token_of(&self, secret: &str, now: DateTime<Utc>) -> Result<Option<ApiToken>> {
        let found = self.store.tokens().get(&secret::hashed(secret)).await?;
        let counts = |token: &ApiToken| {
            token.revoked_at.is_none() && token.expires_at.is_none_or(|until| until > now)
        };
        let Some(token) = found.filter(counts) else { return Ok(None) };
        if token.used_at.is_none_or(|used| now - used > NOTED_EVERY) {
            // Who may look may still look when nothing can be written.
            let _ = self.store.tokens().touch(&token.id, now).await;
        }
        Ok(Some(token))
    }

    async fn audit_token(&self, action: &str, id: &TokenId) -> Result<()> {
        let what = [action, "token", id.as_str()];
        let entry = self.audited(what);
        Ok(self.store.audit().record(&entry).await?)
    }
}
