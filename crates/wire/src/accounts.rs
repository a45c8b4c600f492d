//! People, tokens, and who is asking. No secret is part of it but that of a token just made.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;

/// Who is asking.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Me {
    /// What the audit calls them.
    pub name: String,
    /// Whose things they see.
    pub organisation: String,
    /// What they may do: `viewer`, `analyst` or `admin`.
    pub role: String,
    /// What their token may be used for; none for a person.
    pub scope: Option<String>,
}

/// A person of an organisation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UserEntry {
    /// What they sign in with.
    pub name: String,
    /// What they may do.
    pub role: String,
    /// Whether they may not come in any more.
    pub disabled: bool,
    /// Since when.
    pub created_at: DateTime<Utc>,
}

/// An organisation that somebody belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OrganisationEntry {
    /// Its id.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// What they may do there.
    pub role: String,
    /// Whether it is the one they work in now.
    pub current: bool,
}

/// A browser in which somebody is signed in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SessionEntry {
    /// Its id; it does not let anybody in.
    pub id: String,
    /// From where they signed in.
    pub address: String,
    /// What the browser calls itself.
    pub agent: String,
    /// Since when.
    pub created_at: DateTime<Utc>,
    /// When it was used last, to the minute.
    pub used_at: DateTime<Utc>,
    /// Whether it is the one that asks.
    pub current: bool,
}

/// A token without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TokenEntry {
    /// Its id.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// What it may be used for: `read`, `write` or `admin`.
    pub scope: String,
    /// Who made it.
    pub made_by: String,
    /// When.
    pub created_at: DateTime<Utc>,
    /// Until when it counts; none is for ever.
    pub expires_at: Option<DateTime<Utc>>,
    /// Since when it does not count any more.
    pub revoked_at: Option<DateTime<Utc>>,
    /// When it was used last.
    pub used_at: Option<DateTime<Utc>>,
}

/// A token just made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MadeToken {
    /// What a list shows of it.
    #[serde(flatten)]
    pub token: TokenEntry,
    /// What a program sends as `Authorization: Bearer …`. It is not shown again.
    pub secret: String,
}
