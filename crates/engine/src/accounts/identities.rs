//! People whom a provider of identities knows: which account is theirs, and who may have one.

use std::collections::BTreeMap;

use assize_methods::schema::fields;
use assize_store::{Identity, Membership, Role, SignInRequest, StoreError, User, UserId};
use chrono::{DateTime, Utc};
use serde_json::Value;

use super::error::{AccountError, Result};
use super::people::check_person;
use super::sessions::{Browser, SignedIn};
use crate::Workspace;

/// What a provider says about somebody. It was checked that it says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The provider.
    pub issuer: String,
    /// What it calls them, for ever.
    pub subject: String,
    /// Their e-mail, if the provider verified it.
    pub email: Option<String>,
    /// The groups they are in there.
    pub groups: Vec<String>,
}

/// Whom to let in, besides those who are known.
#[derive(Debug, Clone, Default)]
pub struct Welcome {
    /// Whether an account whose name is somebody's verified e-mail is theirs.
    pub matches_email: bool,
    /// What becomes of people whom nobody added; none keeps them out.
    pub newcomers: Option<Newcomers>,
    /// The roles of groups; with any, only people of those groups come in.
    pub group_roles: BTreeMap<String, Role>,
}

/// What becomes of people whom nobody added.
#[derive(Debug, Clone)]
pub struct Newcomers {
    /// What they may do.
    pub role: Role,
    /// Where; none is the organisation every database has.
    pub organisation: Option<String>,
    /// The domains of their verified e-mails; none takes all people.
    pub domains: Option<Vec<String>>,
}

impl Welcome {
    /// What somebody may do by their groups: the most that any of them allows. Nothing is said by
    /// groups if none has a role.
    fn granted(&self, person: &Person) -> Result<Option<Role>> {
        let roles = person.groups.iter().filter_map(|group| self.group_roles.get(group));
        let granted = roles.copied().max();
        if granted.is_none() && !self.group_roles.is_empty() {
            return Err(AccountError::Refused(NO_GROUP.to_owned()));
        }
        Ok(granted)
    }
}

impl Person {
    fn identity(&self) -> Identity<'_> {
        Identity { issuer: &self.issuer, subject: &self.subject }
    }
}

impl Workspace {
    /// Signs in whom a provider vouches for. Returns the secret for their browser.
    pub async fn sign_in_person(
        &self,
        person: &Person,
        welcome: &Welcome,
        browser: Browser<'_>,
    ) -> Result<(String, SignedIn)> {
        let granted = welcome.granted(person)?;
        let user = self.account_of(person, welcome, granted).await?;
        if user.is_disabled {
            return Err(AccountError::Refused(format!("the account `{}` is disabled", user.name)));
        }
        if let Some(role) = granted {
            self.grant(&user, role, welcome).await?;
        }
        let member = self.first_membership(&user).await?;
        let signed_in = SignedIn { user, organisation: member.organisation_id, role: member.role };
        let token = self.begin_session(&signed_in, browser).await?;
        let theirs = Self {
            organisation: signed_in.organisation.clone(),
            who: signed_in.user.name.clone(),
            ..self.clone()
        };
        let by = named(&person.issuer, &person.subject);
        theirs.audit_identity("sign in", &signed_in.user.id, by).await?;
        Ok((token, signed_in))
    }

    /// Gives somebody the role of their groups, where newcomers go.
    async fn grant(&self, user: &User, role: Role, welcome: &Welcome) -> Result<()> {
        let there = self.of_newcomers(welcome.newcomers.as_ref()).await?;
        let all = self.store.accounts().memberships(&user.id).await?;
        let is_there = |one: &&Membership| one.organisation_id == there.organisation;
        if all.iter().find(is_there).is_some_and(|one| one.role == role) {
            return Ok(());
        }
        match there.set_role(&user.name, role).await {
            // Without any, nobody could make another.
            Err(AccountError::Store(StoreError::LastAdministrator)) => Ok(()),
            other => other,
        }
    }

    async fn of_newcomers(&self, newcomers: Option<&Newcomers>) -> Result<Self> {
        let organisation = match newcomers.and_then(|to| to.organisation.as_ref()) {
            Some(organisation) => self.make_organisation(organisation).await?,
            None => self.organisation.clone(),
        };
        Ok(Self { organisation, ..self.clone() })
    }

    /// Notes that somebody was not let in, and why.
    pub async fn audit_refusal(&self, issuer: &str, why: &str) -> Result<()> {
        let entry = self.audited(["refuse", "sign-in", issuer]);
        Ok(self.store.audit().record(&entry.with(None, Some(why.into()))).await?)
    }

    /// From now on a provider vouches for somebody of the organisation.
    pub async fn link_identity(&self, name: &str, identity: Identity<'_>) -> Result<()> {
        let member = self.user(name).await?;
        self.belongs_only_here(&member.user).await?;
        self.linked(identity, &member.user).await
    }

    /// Keeps a sign-in that begins.
    pub async fn begin_sign_in(&self, request: &SignInRequest) -> Result<()> {
        Ok(self.store.identities().begin(request, Utc::now()).await?)
    }

    /// Ends it, once, in the browser in which it began: where the person wanted to go.
    pub async fn end_sign_in(
        &self,
        hashes: (&str, &str),
        now: DateTime<Utc>,
    ) -> Result<Option<String>> {
        Ok(self.store.identities().end(hashes, now).await?)
    }

    /// The one that was theirs before, the one that their e-mail names, or a new one.
    async fn account_of(
        &self,
        person: &Person,
        welcome: &Welcome,
        granted: Option<Role>,
    ) -> Result<User> {
        let identities = self.store.identities();
        if let Some(user) = identities.find(person.identity()).await? {
            return Ok(user);
        }
        if welcome.matches_email
            && let Some(email) = &person.email
            && let Some(user) = self.store.accounts().find(&email.to_lowercase()).await?
        {
            // A second person with the same e-mail is somebody else.
            if identities.subjects(&user.id, &person.issuer).await?.is_empty() {
                let organisation = self.first_membership(&user).await?.organisation_id;
                let theirs = Self { organisation, ..self.clone() };
                theirs.linked(person.identity(), &user).await?;
                return Ok(user);
            }
        }
        match &welcome.newcomers {
            Some(newcomers) => {
                let role = granted.unwrap_or(newcomers.role);
                self.newcomer(person, &Newcomers { role, ..newcomers.clone() }).await
            }
            None => Err(AccountError::Refused(UNKNOWN.to_owned())),
        }
    }

    async fn newcomer(&self, person: &Person, to: &Newcomers) -> Result<User> {
        let email = person.email.as_deref();
        if let Some(domains) = &to.domains {
            let own = email.and_then(|email| email.rsplit_once('@')).map(|(_, domain)| domain);
            let is_welcome =
                |own: &str| domains.iter().any(|domain| domain.eq_ignore_ascii_case(own));
            if !own.is_some_and(is_welcome) {
                return Err(AccountError::Refused(UNKNOWN.to_owned()));
            }
        }
        // Nobody chooses their own name here: `root` or `local` would pass for the operator's.
        let name = email.unwrap_or(&person.subject);
        check_person(name)?;
        let there = self.of_newcomers(Some(to)).await?;
        let user = User {
            id: UserId::of(&[name]),
            name: name.to_owned(),
            password_hash: None,
            is_disabled: false,
            created_at: Utc::now(),
            code_secret: None,
        };
        let (identities, identity) = (self.store.identities(), person.identity());
        match identities.insert(identity, &user, &there.organisation, to.role).await {
            // Two requests at once, and the other one was first; or the name is somebody else's.
            Err(StoreError::Exists(_)) => {
                let found = identities.find(identity).await?;
                return found.ok_or_else(|| AccountError::Exists(name.to_owned()));
            }
            other => other?,
        }
        there.audit_user("insert", &user.id, None, Some(to.role.word().into())).await?;
        Ok(user)
    }

    async fn linked(&self, identity: Identity<'_>, user: &User) -> Result<()> {
        match self.store.identities().link(identity, &user.id, Utc::now()).await {
            Err(StoreError::Exists(_)) => {
                let because = "that identity is already linked to an account".to_owned();
                return Err(AccountError::Refused(because));
            }
            other => other?,
        }
        let Identity { issuer, subject } = identity;
        self.audit_identity("link", &user.id, named(issuer, subject)).await
    }

    async fn audit_identity(&self, action: &str, user: &UserId, by: Value) -> Result<()> {
        self.audit_user(action, user, None, Some(by)).await
    }
}

/// What people are told whose groups have no role.
const NO_GROUP: &str = "none of your groups has access to this server: ask an administrator";

/// What people are told whom nobody added.
const UNKNOWN: &str = "you have no account here yet: ask an administrator to add you";

/// Who somebody is to a provider, as the audit keeps it.
fn named(issuer: &str, subject: &str) -> Value {
    fields([("issuer", issuer.into()), ("subject", subject.into())])
}
