//! People who may come in, and what they may do in which organisation.

use async_recursion::async_recursion as boxed;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::database::{Row, Transaction};
use crate::error::{Result, StoreError};
use crate::ids::{OrganisationId, UserId};
use crate::record::{Record, handle, record};
use crate::skeleton::skeleton;
use crate::state::Role;
use crate::tokens::revoke_children;
use crate::value::{Value, values};

record! {
    /// A person who may come in.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct User {
        /// Which one.
        pub id: UserId,
        /// What they sign in with; no two alike.
        pub name: String,
        /// The hash of their password; none if they cannot sign in with one.
        #[serde(skip)]
        pub password_hash: Option<String>,
        /// Whether they may not come in any more.
        pub is_disabled: bool,
        /// Since when.
        pub created_at: DateTime<Utc>,
        /// What their one-time codes follow from; none if they need none.
        #[serde(skip)]
        pub code_secret: Option<String>,
    }
}

/// Where people of an organisation stand by their names, in tables that have a row for each run.
const NAMES_IN_RUNS: [(&str, &str); 7] = [
    ("run_versions", "who"),
    ("run_approvals", "who"),
    ("run_assignments", "assignee"),
    ("run_assignments", "who"),
    ("run_item_retries", "who"),
    ("decisions", "author"),
    ("labels", "rater"),
];
/// The same in tables of an organisation.
const NAMES: [(&str, &str); 3] =
    [("runs", "who"), ("eval_opt_truth_keys", "analyst"), ("api_tokens", "made_by")];

/// What a person may do in an organisation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Membership {
    /// Who.
    pub user: User,
    /// Where.
    pub organisation_id: OrganisationId,
    /// What.
    pub role: Role,
}

handle!(Accounts, accounts, "The people of a store.");

impl Accounts<'_> {
    /// Adds a person with a role.
    #[boxed]
    pub async fn insert(
        &self,
        user: &User,
        organisation: &OrganisationId,
        role: Role,
    ) -> Result<()> {
        let mut transaction = self.0.database.begin().await?;
        insert_user(&mut transaction, user, organisation, role).await?;
        transaction.commit().await
    }

    /// Whether anybody may come in at all.
    #[boxed]
    pub async fn is_empty(&self) -> Result<bool> {
        let rows = self.0.database.fetch("SELECT id FROM users LIMIT 1", &[]).await?;
        Ok(rows.is_empty())
    }

    /// The person of that name.
    #[boxed]
    pub async fn find(&self, name: &str) -> Result<Option<User>> {
        let sql = "SELECT * FROM users WHERE name = $1";
        self.0.database.find(sql, &values![name]).await
    }

    /// Everybody in an organisation, by name.
    #[boxed]
    pub async fn list(&self, organisation: &OrganisationId) -> Result<Vec<Membership>> {
        let sql = "SELECT users.*, memberships.role, memberships.organisation_id FROM users \
            JOIN memberships ON memberships.user_id = users.id \
            WHERE memberships.organisation_id = $1 ORDER BY users.name";
        self.0.database.fetch(sql, &values![organisation]).await?.iter().map(member).collect()
    }

    /// What a person may do, organisation by organisation.
    #[boxed]
    pub async fn memberships(&self, user: &UserId) -> Result<Vec<Membership>> {
        let sql = "SELECT users.*, memberships.role, memberships.organisation_id FROM users \
            JOIN memberships ON memberships.user_id = users.id \
            WHERE users.id = $1 ORDER BY memberships.organisation_id";
        self.0.database.fetch(sql, &values![user]).await?.iter().map(member).collect()
    }

    /// Gives a person a role in an organisation. Returns the one they had there. The last
    /// administrator stays one: without any, nobody could make another.
    #[boxed]
    pub async fn set_role(
        &self,
        user: &UserId,
        organisation: &OrganisationId,
        role: Role,
    ) -> Result<Option<Role>> {
        let mut transaction = self.0.database.begin().await?;
        if role != Role::Admin {
            self.leave_an_administrator(&mut transaction, user, Some(organisation)).await?;
        }
        let sql = "SELECT role FROM memberships WHERE user_id = $1 AND organisation_id = $2";
        let row = transaction.fetch_optional(sql, &values![user, organisation]).await?;
        let before = row.map(|row| Role::from_word(&row.get::<String>("role")?)).transpose()?;
        let sql = "INSERT INTO memberships (user_id, organisation_id, role) VALUES ($1, $2, $3) \
            ON CONFLICT (user_id, organisation_id) DO UPDATE SET role = excluded.role";
        transaction.execute(sql, &values![user, organisation, role]).await?;
        transaction.commit().await?;
        Ok(before)
    }

    /// Takes a person out of an organisation, with their tokens. What they did there stays, under
    /// another name; who belongs to no other organisation is forgotten. The last administrator
    /// stays.
    #[boxed]
    pub async fn remove(
        &self,
        user: &User,
        (organisation, alias): (&OrganisationId, &str),
        at: DateTime<Utc>,
    ) -> Result<()> {
        let mut transaction = self.0.database.begin().await?;
        self.leave_an_administrator(&mut transaction, &user.id, Some(organisation)).await?;
        let sql = "UPDATE api_tokens SET revoked_at = $3 \
            WHERE organisation_id = $1 AND made_by = $2 AND revoked_at IS NULL";
        transaction.execute(sql, &values![organisation, &user.name, at]).await?;
        revoke_children(&mut transaction, organisation, at).await?;
        let of_runs = "run_id IN (SELECT id FROM runs WHERE organisation_id = $1)";
        let in_runs = NAMES_IN_RUNS.iter().map(|place| (place, of_runs));
        let all = in_runs.chain(NAMES.iter().map(|place| (place, "organisation_id = $1")));
        for ((table, column), of_organisation) in all {
            let sql = format!(
                "UPDATE {table} SET {column} = $3 WHERE {column} = $2 AND {of_organisation}"
            );
            transaction.execute(&sql, &values![organisation, &user.name, alias]).await?;
        }
        for table in ["memberships", "sessions"] {
            let sql = format!("DELETE FROM {table} WHERE user_id = $1 AND organisation_id = $2");
            transaction.execute(&sql, &values![&user.id, organisation]).await?;
        }
        let sql = "DELETE FROM users WHERE id = $1 \
            AND NOT EXISTS (SELECT 1 FROM memberships WHERE user_id = $1)";
        transaction.execute(sql, &values![&user.id]).await?;
        transaction.commit().await
    }

    /// Has a person need one-time codes that follow from a secret, or none. They are signed out
    /// everywhere.
    #[boxed]
    pub async fn set_code_secret(&self, user: &UserId, secret: Option<&str>) -> Result<()> {
        let mut transaction = self.0.database.begin().await?;
        let sql = "UPDATE users SET code_secret = $2, code_step = NULL WHERE id = $1";
        change(&mut transaction, user, sql, secret.into()).await?;
        transaction.commit().await
    }

    /// Uses up the code of a step of time, and those before it. Returns whether nobody had: of two
    /// who come with the same code one is let in.
    #[boxed]
    pub async fn use_code(&self, user: &UserId, step: i64) -> Result<bool> {
        let sql = "UPDATE users SET code_step = $2 \
            WHERE id = $1 AND (code_step IS NULL OR code_step < $2)";
        Ok(self.0.database.execute(sql, &values![user, step]).await? > 0)
    }

    /// Lets a person in or not; who may not is signed out everywhere. The last administrator of
    /// an organisation may.
    #[boxed]
    pub async fn set_disabled(&self, user: &UserId, is_disabled: bool) -> Result<()> {
        let mut transaction = self.0.database.begin().await?;
        if is_disabled {
            self.leave_an_administrator(&mut transaction, user, None).await?;
        }
        let sql = "UPDATE users SET is_disabled = $2 WHERE id = $1";
        change(&mut transaction, user, sql, is_disabled.into()).await?;
        transaction.commit().await
    }

    /// Refuses what would take the last administrator from an organisation, or from any that the
    /// person administers. Whoever takes one away at the same time waits here for the other.
    async fn leave_an_administrator(
        &self,
        transaction: &mut Transaction,
        user: &UserId,
        organisation: Option<&OrganisationId>,
    ) -> Result<()> {
        // In one order, so that two never wait in a ring. Read only in the next statement: on
        // PostgreSQL this one sees the people as they were before it waited.
        let sql = format!(
            "SELECT user_id FROM memberships WHERE role = 'admin' AND organisation_id IN \
             (SELECT organisation_id FROM memberships WHERE user_id = $1 AND role = 'admin') \
             ORDER BY organisation_id, user_id {}",
            self.0.database.for_update()
        );
        transaction.fetch(&sql, &values![user]).await?;
        let sql = "SELECT own.organisation_id FROM memberships AS own \
            JOIN users ON users.id = own.user_id WHERE own.user_id = $1 AND own.role = 'admin' \
            AND NOT users.is_disabled AND ($2 IS NULL OR own.organisation_id = $2) \
            AND NOT EXISTS (SELECT 1 FROM memberships AS other \
            JOIN users AS person ON person.id = other.user_id \
            WHERE other.organisation_id = own.organisation_id AND other.role = 'admin' \
            AND other.user_id <> own.user_id AND NOT person.is_disabled)";
        let values = values![user, organisation.map(OrganisationId::as_str)];
        if !transaction.fetch(sql, &values).await?.is_empty() {
            return Err(StoreError::LastAdministrator);
        }
        Ok(())
    }

    /// Gives a person another password; they are signed out everywhere.
    #[boxed]
    pub async fn set_password(&self, user: &UserId, hash: &str) -> Result<()> {
        let mut transaction = self.0.database.begin().await?;
        let sql = "UPDATE users SET password_hash = $2 WHERE id = $1";
        change(&mut transaction, user, sql, hash.into()).await?;
        transaction.commit().await
    }

    /// Keeps the hash of a link by which the first person may come in, instead of earlier ones.
    #[boxed]
    pub async fn offer_setup(&self, hash: &str, until: DateTime<Utc>) -> Result<()> {
        let mut transaction = self.0.database.begin().await?;
        transaction.execute("DELETE FROM setup_links", &[]).await?;
        let sql = "INSERT INTO setup_links (token_hash, expires_at) VALUES ($1, $2)";
        transaction.execute(sql, &values![hash, until]).await?;
        transaction.commit().await
    }

    /// Whether such a link may be used at that time.
    #[boxed]
    pub(crate) async fn has_setup(&self, hash: &str, now: DateTime<Utc>) -> Result<bool> {
        let sql = "SELECT expires_at FROM setup_links WHERE token_hash = $1";
        let row = self.0.database.fetch_optional(sql, &values![hash]).await?;
        let until: Option<DateTime<Utc>> = row.map(|row| row.get("expires_at")).transpose()?;
        Ok(until.is_some_and(|until| until > now))
    }

    /// Uses it up. Of two who come at once only one is told that it was there.
    #[boxed]
    pub async fn use_setup(&self, hash: &str, now: DateTime<Utc>) -> Result<bool> {
        if !self.has_setup(hash, now).await? {
            return Ok(false);
        }
        let sql = "DELETE FROM setup_links WHERE token_hash = $1";
        Ok(self.0.database.execute(sql, &values![hash]).await? > 0)
    }
}

/// Changes something by which a person comes in: they are signed out everywhere.
async fn change(
    transaction: &mut Transaction,
    user: &UserId,
    sql: &str,
    value: Value<'_>,
) -> Result<()> {
    if transaction.execute(sql, &[user.into(), value]).await? == 0 {
        return Err(StoreError::Missing { what: "user", id: user.to_string() });
    }
    transaction.execute("DELETE FROM sessions WHERE user_id = $1", &values![user]).await?;
    Ok(())
}

pub(crate) async fn insert_user(
    transaction: &mut Transaction,
    user: &User,
    organisation: &OrganisationId,
    role: Role,
) -> Result<()> {
    let User { id, name, password_hash, is_disabled, created_at, code_secret } = user;
    let sql = "INSERT INTO users (id, name, skeleton, password_hash, is_disabled, created_at, \
        code_secret) VALUES ($1, $2, $3, $4, $5, $6, $7)";
    let skeleton = skeleton(name);
    let values =
        values![id, name, &skeleton, password_hash, *is_disabled, *created_at, code_secret];
    transaction.execute(sql, &values).await?;
    let sql = "INSERT INTO memberships (user_id, organisation_id, role) VALUES ($1, $2, $3)";
    transaction.execute(sql, &values![id, organisation, role]).await?;
    Ok(())
}

fn member(row: &Row) -> Result<Membership> {
    Ok(Membership {
        user: User::read(row)?,
        organisation_id: row.get::<String>("organisation_id")?.into(),
        role: Role::from_word(&row.get::<String>("role")?)?,
    })
}
