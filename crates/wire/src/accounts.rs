//! People, tokens, and who is asking. No secret is part of it but that of a token just made.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;

/// The caller.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Me {
    /// The name shown in the audit log.
    pub name: String,
    /// The organisation whose data they see.
    pub organisation: String,
    /// The role: `viewer`, `analyst` or `admin`.
    pub role: String,
    /// The scope of the token; null for a person.
    pub scope: Option<String>,
}

/// A user of an organisation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UserEntry {
    /// The login name.
    pub name: String,
    /// The role.
    pub role: String,
    /// Whether the account is disabled.
    pub disabled: bool,
    /// Whether the user needs one-time codes to sign in.
    pub one_time_codes: bool,
    /// When it was created.
    pub created_at: DateTime<Utc>,
}

/// An organisation the user belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OrganisationEntry {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The role in this organisation.
    pub role: String,
    /// Whether it is the current organisation.
    pub current: bool,
}

/// A browser session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SessionEntry {
    /// Its id, which cannot be used to sign in.
    pub id: String,
    /// The address the user signed in from.
    pub address: String,
    /// The user agent of the browser.
    pub agent: String,
    /// When it was created.
    pub created_at: DateTime<Utc>,
    /// When it was last used, to the minute.
    pub used_at: DateTime<Utc>,
    /// Whether it is the session of this request.
    pub current: bool,
}

/// A token without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TokenEntry {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The scope: `read`, `write` or `admin`.
    pub scope: String,
    /// Who created it.
    pub made_by: String,
    /// When.
    pub created_at: DateTime<Utc>,
    /// When it expires; null means never.
    pub expires_at: Option<DateTime<Utc>>,
    /// When it was revoked.
    pub revoked_at: Option<DateTime<Utc>>,
    /// When it was last used.
    pub used_at: Option<DateTime<Utc>>,
}

/// A newly created token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MadeToken {
    /// The token, as in a list.
    #[serde(flatten)]
    pub token: TokenEntry,
    /// The value to send as `Authorization: Bearer …`. It is not shown again.
    pub secret: String,
}
