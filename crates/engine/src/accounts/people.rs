//! People and their roles. Every change is audited.

use std::ops::RangeInclusive;

use assize_store::{Membership, Organisation, OrganisationId, Role, StoreError, User, UserId};
use async_recursion::async_recursion as boxed;
use chrono::Utc;
use serde_json::Value;

use super::error::{AccountError, Result};
use super::{password, secret};
use crate::Workspace;

/// As long as a name may be.
const NAME_LENGTH_MAX: usize = 100;
/// What the audit calls a token begins so.
const OF_TOKENS: &str = "token ";
/// What Unicode calls default ignorable, with blanks that are called something else.
const UNSEEN: [RangeInclusive<char>; 18] = [
    '\u{ad}'..='\u{ad}',
    '\u{34f}'..='\u{34f}',
    '\u{61c}'..='\u{61c}',
    '\u{115f}'..='\u{1160}',
    '\u{17b4}'..='\u{17b5}',
    '\u{180b}'..='\u{180f}',
    '\u{200b}'..='\u{200f}',
    '\u{202a}'..='\u{202e}',
    '\u{2060}'..='\u{206f}',
    '\u{2800}'..='\u{2800}',
    '\u{3164}'..='\u{3164}',
    '\u{fe00}'..='\u{fe0f}',
    '\u{feff}'..='\u{feff}',
    '\u{ffa0}'..='\u{ffa0}',
    '\u{fff0}'..='\u{fffb}',
    '\u{1bca0}'..='\u{1bca3}',
    '\u{1d173}'..='\u{1d17a}',
    '\u{e0000}'..='\u{e0fff}',
];

impl Workspace {
    /// Adds a person to the organisation.
    #[boxed]
    pub async fn add_user(&self, name: &str, password: &str, role: Role) -> Result<User> {
        check_person(name)?;
        password::check(password, name)?;
        self.insert_user(name, Some(password::hashed(password)?), role).await
    }

    /// Adds a person whom somebody else vouches for; with a password they come in nowhere.
    #[boxed]
    pub async fn add_known_user(&self, name: &str, role: Role) -> Result<User> {
        check_person(name)?;
        self.insert_user(name, None, role).await
    }

    async fn insert_user(
        &self,
        name: &str,
        password_hash: Option<String>,
        role: Role,
    ) -> Result<User> {
        let user = User {
            id: UserId::of(&[name]),
            name: name.to_owned(),
            password_hash,
            is_disabled: false,
            created_at: Utc::now(),
            code_secret: None,
        };
        match self.store.accounts().insert(&user, &self.organisation, role).await {
            Err(StoreError::Exists(_)) => return Err(AccountError::Exists(name.to_owned())),
            other => other?,
        }
        self.audit_user("insert", &user.id, None, Some(role.word().into())).await?;
        Ok(user)
    }

    /// Everybody in the organisation.
    #[boxed]
    pub async fn users(&self) -> Result<Vec<Membership>> {
        Ok(self.store.accounts().list(&self.organisation).await?)
    }

    /// One of them.
    #[boxed]
    pub async fn user(&self, name: &str) -> Result<Membership> {
        let all = self.users().await?;
        all.into_iter()
            .find(|member| member.user.name == name)
            .ok_or_else(|| AccountError::Missing { what: "user", name: name.to_owned() })
    }

    /// Gives somebody another role in the organisation; who is not in it comes in.
    #[boxed]
    pub async fn set_role(&self, name: &str, role: Role) -> Result<()> {
        let found = self.store.accounts().find(name).await?;
        let user =
            found.ok_or_else(|| AccountError::Missing { what: "user", name: name.to_owned() })?;
        let before = self.store.accounts().set_role(&user.id, &self.organisation, role).await?;
        self.curb_tokens(&self.organisation, &user, Some(role)).await?;
        let before = before.map(|role| role.word().into());
        self.audit_user("role", &user.id, before, Some(role.word().into())).await
    }

    /// Lets somebody in no more, or again. They are signed out everywhere.
    #[boxed]
    pub async fn set_disabled(&self, name: &str, is_disabled: bool) -> Result<()> {
        let member = self.user(name).await?;
        self.store.accounts().set_disabled(&member.user.id, is_disabled).await?;
        if is_disabled {
            for other in self.store.accounts().memberships(&member.user.id).await? {
                self.curb_tokens(&other.organisation_id, &member.user, None).await?;
            }
        }
        let action = if is_disabled { "disable" } else { "enable" };
        self.audit_user(action, &member.user.id, None, None).await
    }

    /// Signs somebody out of the organisation, wherever they are signed in.
    #[boxed]
    pub async fn end_sessions_of(&self, name: &str) -> Result<()> {
        let user = self.user(name).await?.user;
        self.store.sessions().end_all(&user.id, &self.organisation).await?;
        self.audit_user("sign out", &user.id, None, Some("everywhere".into())).await
    }

    /// Takes somebody out of the organisation for good; their tokens there count no more. What they
    /// did stays, under the name that is returned. The audit keeps theirs: its chain would break.
    #[boxed]
    pub async fn remove_user(&self, name: &str) -> Result<String> {
        let user = self.user(name).await?.user;
        let number: String = secret::random()?.chars().take(8).collect();
        let alias = format!("former user {number}");
        let to = (&self.organisation, alias.as_str());
        self.store.accounts().remove(&user, to, Utc::now()).await?;
        self.audit_user("remove", &user.id, None, Some(alias.as_str().into())).await?;
        Ok(alias)
    }

    /// Gives somebody another password. They are signed out everywhere.
    #[boxed]
    pub async fn set_password(&self, name: &str, new: &str) -> Result<()> {
        let member = self.user(name).await?;
        password::check(new, name)?;
        self.store.accounts().set_password(&member.user.id, &password::hashed(new)?).await?;
        self.audit_user("password", &member.user.id, None, None).await
    }

    /// Refuses what would reach into another organisation: whoever set the password of somebody
    /// who also belongs to another one could sign in there.
    #[boxed]
    pub async fn belongs_only_here(&self, user: &User) -> Result<()> {
        let all = self.store.accounts().memberships(&user.id).await?;
        if all.iter().all(|member| member.organisation_id == self.organisation) {
            return Ok(());
        }
        Err(AccountError::Refused(format!(
            "`{}` also belongs to other organisations: only the user can change the password, and \
             only the operator can disable the account",
            user.name
        )))
    }

    /// A new organisation. Who makes it administers it, if they are a person.
    #[boxed]
    pub async fn add_organisation(&self, name: &str, by: Option<&UserId>) -> Result<Organisation> {
        check_name(name)?;
        if self.store.organisations().find(name).await?.is_some() {
            return Err(AccountError::Taken(name.to_owned()));
        }
        let id = self.make_organisation(name).await?;
        if let Some(user) = by {
            self.store.accounts().set_role(user, &id, Role::Admin).await?;
        }
        let what = ["insert", "organisation", id.as_str()];
        self.store.audit().record(&self.audited(what)).await?;
        let made = self.store.organisations().get(&id).await?;
        made.ok_or_else(|| AccountError::Missing { what: "organisation", name: name.to_owned() })
    }

    /// The organisation of that name; it is made if it is not there.
    #[boxed]
    pub async fn make_organisation(&self, name: &str) -> Result<OrganisationId> {
        check_name(name)?;
        if let Some(found) = self.store.organisations().find(name).await? {
            return Ok(found.id);
        }
        let id = OrganisationId::of(&[name]);
        let organisation =
            Organisation { id: id.clone(), name: name.to_owned(), created_at: Utc::now() };
        match self.store.organisations().insert(&organisation).await {
            // Somebody made it meanwhile, or there is one whose name looks the same.
            Err(StoreError::Exists(_)) => {
                let found = self.store.organisations().find(name).await?;
                found.map(|one| one.id).ok_or_else(|| AccountError::Taken(name.to_owned()))
            }
            other => Ok(other.map(|()| id)?),
        }
    }

    /// A link by which the first person may come in, until then. Earlier links end.
    #[boxed]
    pub async fn offer_setup(&self, until: chrono::DateTime<Utc>) -> Result<String> {
        let secret = secret::random()?;
        self.store.accounts().offer_setup(&secret::hashed(&secret), until).await?;
        Ok(secret)
    }

    /// The first person comes in by such a link, as administrator.
    #[boxed]
    pub async fn set_up(&self, link: &str, name: &str, password: &str) -> Result<User> {
        // What is wrong with name and password is told before the link is used up.
        check_person(name)?;
        password::check(password, name)?;
        if !self.store.accounts().use_setup(&secret::hashed(link), Utc::now()).await? {
            return Err(AccountError::Refused(
                "the link was already used or has expired".to_owned(),
            ));
        }
        self.add_user(name, password, Role::Admin).await
    }

    pub(super) async fn audit_user(
        &self,
        action: &str,
        user: &UserId,
        before: Option<Value>,
        after: Option<Value>,
    ) -> Result<()> {
        let what = [action, "user", user.as_str()];
        let entry = self.audited(what);
        Ok(self.store.audit().record(&entry.with(before, after)).await?)
    }
}

/// What a person may be called. What the audit calls a token is no name for one.
pub(super) fn check_person(name: &str) -> Result<()> {
    check_name(name)?;
    if name.to_lowercase().starts_with(OF_TOKENS) {
        return Err(AccountError::Name(name.to_owned()));
    }
    Ok(())
}

pub(super) fn check_name(name: &str) -> Result<()> {
    let is_long = name.chars().count() > NAME_LENGTH_MAX;
    if name.trim() != name || name.is_empty() || is_long || name.chars().any(is_unseen) {
        return Err(AccountError::Name(name.to_owned()));
    }
    Ok(())
}

/// Whether a character leaves no mark, or another than it seems: with it two names look the same.
fn is_unseen(letter: char) -> bool {
    let is_other_space = letter.is_whitespace() && letter != ' ';
    letter.is_control() || is_other_space || UNSEEN.iter().any(|range| range.contains(&letter))
}
