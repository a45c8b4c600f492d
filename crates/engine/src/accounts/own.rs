//! What somebody sees and changes of their own account: password, sessions, organisations, tokens.

use assize_store::{Organisation, OrganisationId, Role, Scope, Session, User, UserId};
use assize_wire::accounts::{OrganisationEntry, SessionEntry};
use async_recursion::async_recursion as boxed;
use chrono::Utc;

use super::error::{AccountError, Result};
use super::sessions::{ABSOLUTE, IDLE};
use super::{MadeToken, TokenRequest, password, secret};
use crate::Workspace;

/// So much of a session's hash names it: more than enough to tell one's own apart.
const ID_LENGTH: usize = 16;

impl Workspace {
    /// Everywhere somebody is signed in; `current` is the secret of the session that asks.
    #[boxed]
    pub async fn own_sessions(&self, user: &UserId, current: &str) -> Result<Vec<SessionEntry>> {
        let current = secret::hashed(current);
        let entry = |one: Session| SessionEntry {
            id: id(&one),
            current: one.token_hash == current,
            address: one.address,
            agent: one.agent,
            created_at: one.created_at,
            used_at: one.used_at,
        };
        let now = Utc::now();
        let mut all = self.store.sessions().of_user(user).await?;
        all.retain(|one| now - one.used_at <= IDLE && now - one.created_at <= ABSOLUTE);
        Ok(all.into_iter().map(entry).collect())
    }

    /// Signs somebody out in one of their browsers.
    #[boxed]
    pub async fn end_session(&self, user: &UserId, named: &str) -> Result<()> {
        let all = self.store.sessions().of_user(user).await?;
        let found = all.into_iter().find(|one| id(one) == named);
        let missing = || AccountError::Missing { what: "session", name: named.to_owned() };
        let session = found.ok_or_else(missing)?;
        self.store.sessions().delete(&session.token_hash).await?;
        let what = ["sign out", "user", user.as_str()];
        Ok(self.store.audit().record(&self.audited(what)).await?)
    }

    /// Gives somebody another password who knows the one they have. They are signed out
    /// everywhere.
    #[boxed]
    pub async fn change_password(&self, name: &str, old: &str, new: &str) -> Result<()> {
        let member = self.user(name).await?;
        let hash = member.user.password_hash.unwrap_or_default();
        if !password::is(old, &hash) {
            return Err(AccountError::Wrong);
        }
        self.set_password(name, new).await
    }

    /// Where somebody may work.
    #[boxed]
    pub async fn own_organisations(&self, user: &UserId) -> Result<Vec<OrganisationEntry>> {
        let mut entries = Vec::new();
        for member in self.store.accounts().memberships(user).await? {
            let id = member.organisation_id;
            let Some(found) = self.store.organisations().get(&id).await? else { continue };
            let (role, current) = (member.role.to_string(), id == self.organisation);
            entries.push(OrganisationEntry { id: id.to_string(), name: found.name, role, current });
        }
        Ok(entries)
    }

    /// The organisation of whoever asks without an account of their own.
    #[boxed]
    pub async fn only_organisation(&self, role: Role) -> Result<Vec<OrganisationEntry>> {
        let found = self.store.organisations().get(&self.organisation).await?;
        let entry = |found: Organisation| OrganisationEntry {
            id: found.id.to_string(),
            name: found.name,
            role: role.to_string(),
            current: true,
        };
        Ok(found.into_iter().map(entry).collect())
    }

    /// Lets somebody who is signed in work in another of their organisations.
    #[boxed]
    pub async fn turn_to(
        &self,
        user: &UserId,
        session: &str,
        organisation: &OrganisationId,
    ) -> Result<()> {
        let all = self.store.accounts().memberships(user).await?;
        if !all.iter().any(|member| member.organisation_id == *organisation) {
            let name = organisation.to_string();
            return Err(AccountError::Missing { what: "organisation", name });
        }
        Ok(self.store.sessions().turn_to(&secret::hashed(session), organisation).await?)
    }

    /// Makes a token for whoever asks: it may do no more than they may themselves.
    #[boxed]
    pub async fn make_own_token(&self, role: Role, request: TokenRequest) -> Result<MadeToken> {
        if request.scope > highest(role) {
            let because =
                format!("a {role} cannot create a token with the scope {}", request.scope);
            return Err(AccountError::Refused(because));
        }
        self.make_token(request).await
    }

    /// Revokes a token that whoever asks made.
    #[boxed]
    pub async fn revoke_own_token(&self, id: &str) -> Result<()> {
        let all = self.tokens().await?;
        let is_own = all.iter().any(|token| token.id.as_str() == id && token.made_by == self.who);
        if !is_own {
            return Err(AccountError::Missing { what: "token", name: id.to_owned() });
        }
        self.revoke_token(id).await
    }

    /// Tokens that somebody made do not outlive what they may do: with a lower role those above
    /// it count no more, without one none does.
    pub(super) async fn curb_tokens(
        &self,
        organisation: &OrganisationId,
        user: &User,
        role: Option<Role>,
    ) -> Result<()> {
        let mut scopes = vec![Scope::Read, Scope::Write, Scope::Admin];
        scopes.retain(|scope| role.is_none_or(|role| *scope > highest(role)));
        let now = Utc::now();
        self.store.tokens().revoke_made_by(organisation, &user.name, &scopes, now).await?;
        Ok(())
    }
}

/// The most that somebody with that role may do with a token.
fn highest(role: Role) -> Scope {
    match role {
        Role::Viewer => Scope::Read,
        Role::Analyst => Scope::Write,
        Role::Admin => Scope::Admin,
    }
}

fn id(session: &Session) -> String {
    session.token_hash.chars().take(ID_LENGTH).collect()
}
