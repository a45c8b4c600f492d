//! Signing in and out, and who a session belongs to.

use assize_methods::schema::fields;
use assize_store::{Membership, OrganisationId, Role, Session, User, UserId};
use async_recursion::async_recursion as boxed;
use chrono::{DateTime, TimeDelta, Utc};

use super::error::{AccountError, Result};
use super::{password, secret};
use crate::Workspace;

/// Who was not seen for so long is signed out.
pub(crate) const IDLE: TimeDelta = TimeDelta::hours(12);
/// Who signed in so long ago is signed out, seen or not.
pub(crate) const ABSOLUTE: TimeDelta = TimeDelta::days(7);
/// A session is noted as used at most so often: a request should not cost a write.
const NOTED_EVERY: TimeDelta = TimeDelta::minutes(1);
/// As much as is kept of what a browser calls itself.
const AGENT_LENGTH_MAX: usize = 200;
/// A hash of nobody's password: a name that is not there takes as long to refuse.
const NOBODY: &str = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// What somebody signs in with.
#[derive(Debug, Clone, Copy)]
pub struct SignIn<'a> {
    /// Their name.
    pub name: &'a str,
    /// Their password.
    pub password: &'a str,
    /// Their one-time code; empty if they need none.
    pub code: &'a str,
    /// From where they come.
    pub address: &'a str,
    /// What their browser calls itself.
    pub agent: &'a str,
}

/// Where somebody signs in.
#[derive(Debug, Clone, Copy)]
pub struct Browser<'a> {
    /// From where they come.
    pub address: &'a str,
    /// What their browser calls itself.
    pub agent: &'a str,
}

/// Somebody who is signed in.
#[derive(Debug, Clone)]
pub struct SignedIn {
    /// Who.
    pub user: User,
    /// In which organisation.
    pub organisation: OrganisationId,
    /// What they may do there.
    pub role: Role,
}

impl Workspace {
    /// Signs somebody in. Returns the secret for their browser, which is nowhere else.
    pub async fn sign_in(&self, with: SignIn<'_>) -> Result<(String, SignedIn)> {
        let found = self.store.accounts().find(with.name).await?;
        let hash = found.as_ref().and_then(|user| user.password_hash.as_deref());
        let fits = password::is(with.password, hash.unwrap_or(NOBODY));
        let wrong = match &found {
            None => Some("an unknown name"),
            Some(user) if user.is_disabled => Some("disabled"),
            Some(_) if !fits => Some("a wrong password"),
            Some(user) if !self.takes_code(user, with.code).await? => Some("a wrong code"),
            Some(_) => None,
        };
        let user = match (found, wrong) {
            (Some(user), None) => user,
            (found, why) => {
                let why = why.unwrap_or_default();
                self.audit_wrong(found.as_ref(), why, with.address).await?;
                return Err(AccountError::Wrong);
            }
        };
        let member = self.first_membership(&user).await?;
        let signed_in = SignedIn { user, organisation: member.organisation_id, role: member.role };
        let browser = Browser { address: with.address, agent: with.agent };
        let token = self.begin_session(&signed_in, browser).await?;
        let theirs = Self {
            organisation: signed_in.organisation.clone(),
            who: signed_in.user.name.clone(),
            address: given(with.address),
            ..self.clone()
        };
        theirs.audit_user("sign in", &signed_in.user.id, None, Some("password".into())).await?;
        Ok((token, signed_in))
    }

    /// Notes a try that went wrong where the account is. A name that nobody has is not written
    /// down: it may be a password in the wrong field.
    async fn audit_wrong(&self, user: Option<&User>, why: &str, address: &str) -> Result<()> {
        let id = user.map_or_else(|| UserId::of(&[]), |user| user.id.clone());
        // Looked up for nobody too: it takes as long.
        let member = self.store.accounts().memberships(&id).await?.into_iter().next();
        let organisation = member.map_or_else(|| self.organisation.clone(), |m| m.organisation_id);
        let there = Self { organisation, address: given(address), ..self.clone() };
        let Some(user) = user else {
            let values = (None, Some(why.into()));
            return Ok(there.note(["refuse", "sign-in", "password"], values).await?);
        };
        let after = fields([("name", user.name.as_str().into()), ("why", why.into())]);
        Ok(there.note(["refuse", "user", user.id.as_str()], (None, Some(after))).await?)
    }

    /// Notes that somebody is signed in from now on. Returns the secret for their browser.
    pub(super) async fn begin_session(
        &self,
        signed_in: &SignedIn,
        browser: Browser<'_>,
    ) -> Result<String> {
        let (token, now) = (secret::random()?, Utc::now());
        let session = Session {
            token_hash: secret::hashed(&token),
            user_id: signed_in.user.id.clone(),
            organisation_id: signed_in.organisation.clone(),
            created_at: now,
            used_at: now,
            address: browser.address.to_owned(),
            agent: browser.agent.chars().take(AGENT_LENGTH_MAX).collect(),
        };
        self.store.sessions().insert(&session).await?;
        Ok(token)
    }

    pub(super) async fn first_membership(&self, user: &User) -> Result<Membership> {
        let all = self.store.accounts().memberships(&user.id).await?;
        all.into_iter().next().ok_or_else(|| AccountError::NoMembership(user.name.clone()))
    }

    /// Whose session that is, if it still counts.
    #[boxed]
    pub async fn signed_in(&self, token: &str, now: DateTime<Utc>) -> Result<Option<SignedIn>> {
        let hash = secret::hashed(token);
        let Some(session) = self.store.sessions().get(&hash).await? else { return Ok(None) };
        if now - session.used_at > IDLE || now - session.created_at > ABSOLUTE {
            let _ = self.store.sessions().delete(&hash).await;
            return Ok(None);
        }
        let all = self.store.accounts().memberships(&session.user_id).await?;
        let member =
            all.into_iter().find(|member| member.organisation_id == session.organisation_id);
        let Some(member) = member.filter(|member| !member.user.is_disabled) else {
            return Ok(None);
        };
        if now - session.used_at > NOTED_EVERY {
            // Who may look may still look when nothing can be written.
            let _ = self.store.sessions().touch(&hash, now).await;
        }
        let Membership { user, organisation_id, role } = member;
        Ok(Some(SignedIn { user, organisation: organisation_id, role }))
    }

    /// Signs out. A session that is not there any more is nobody's, and nothing is noted.
    #[boxed]
    pub async fn sign_out(&self, token: &str) -> Result<()> {
        let hash = secret::hashed(token);
        let Some(session) = self.store.sessions().get(&hash).await? else { return Ok(()) };
        self.store.sessions().delete(&hash).await?;
        let Session { user_id, organisation_id: organisation, .. } = session;
        let all = self.store.accounts().memberships(&user_id).await?;
        let member = all.into_iter().find(|member| member.organisation_id == organisation);
        let who = member.map_or_else(|| self.who.clone(), |member| member.user.name);
        let theirs = Self { organisation, who, ..self.clone() };
        theirs.audit_user("sign out", &user_id, None, None).await
    }
}

fn given(address: &str) -> Option<String> {
    Some(address.to_owned()).filter(|address| !address.is_empty())
}
