//! Who is asking, and what they may do.
//!
//! Read in this order: what a route demands and who asks ([`Access`], [`Caller`]), how it is
//! found out (`admit`), forms that another site cannot send (`form`), signing in (`sign_in`),
//! people whom a proxy vouches for ([`proxy`]) or a provider of identities knows (`oidc`), how
//! often somebody may try (`throttle`) or ask (`rate`).

mod admit;
pub(crate) mod form;
#[cfg(feature = "oidc")]
pub mod oidc;
pub mod proxy;
pub(crate) mod rate;
pub(crate) mod sign_in;
pub(crate) mod throttle;

use std::fmt;
use std::sync::Arc;

use assize_engine::Workspace;
use assize_engine::accounts::secret;
use assize_engine::store::{OrganisationId, Role, Scope, TokenId, UserId};
use assize_engine::workspace::NOBODY;
use axum::extract::FromRequestParts;
use axum::http::Method;
use axum::http::request::Parts;

pub(crate) use admit::{Door, admit, caller_of, session_token};

use crate::error::{AppError, Result};
use crate::state::AppState;

/// What a route demands of whoever asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Nothing, and nobody looks who asks: health, which answers whatever the database does.
    Probe,
    /// Nothing: sign-in, assets.
    Public,
    /// A role in the organisation, and for tokens a scope.
    To(Role, Scope),
    /// To run the server, whoever's things are on it.
    Operator,
}

impl Access {
    /// Looking at what belongs to the organisation.
    pub(crate) const READ: Self = Self::To(Role::Viewer, Scope::Read);
    /// Changing what analysts change.
    pub(crate) const WRITE: Self = Self::To(Role::Analyst, Scope::Write);
    /// Changing what administrators change.
    pub(crate) const ADMIN: Self = Self::To(Role::Admin, Scope::Admin);
}

impl fmt::Display for Access {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Probe | Self::Public => formatter.write_str("No sign-in required."),
            Self::To(role, scope) => {
                write!(
                    formatter,
                    "Requires the role {role} or higher; tokens need the scope {scope}."
                )
            }
            Self::Operator => formatter.write_str(
                "Requires an administrator of the built-in organisation; tokens need the scope admin.",
            ),
        }
    }
}

/// Who is asking. A handler that takes this one runs only for those whom its route lets in.
#[derive(Debug, Clone)]
pub struct Caller {
    /// Whose things they see.
    pub organisation: OrganisationId,
    /// What the audit calls them.
    pub who: String,
    /// What they may do there.
    pub role: Role,
    /// What their token may be used for; none for a person.
    pub scope: Option<Scope>,
    /// Which token, if it is one.
    pub token: Option<TokenId>,
    /// Which person, if it is one with an account.
    pub user: Option<UserId>,
    /// From where they come.
    pub address: Option<String>,
    /// What a form of theirs must carry; another site does not know it.
    pub csrf: String,
}

impl Caller {
    /// Whether they run the server: its first person does, and whoever that one makes an
    /// administrator of the organisation that is there from the beginning.
    pub(crate) fn is_operator(&self) -> bool {
        self.role == Role::Admin && self.organisation == OrganisationId::default_organisation()
    }

    /// The one person of a server that only their own machine can reach. `secret` is the
    /// server's own.
    pub fn local(secret: &str) -> Self {
        Self {
            organisation: OrganisationId::default_organisation(),
            who: NOBODY.to_owned(),
            role: Role::Admin,
            scope: None,
            token: None,
            user: None,
            address: None,
            csrf: csrf_of(secret),
        }
    }
}

/// What forms carry: it follows from the session, and does not lead back to it.
pub(crate) fn csrf_of(session: &str) -> String {
    secret::hashed(&format!("form {session}"))
}

impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        // The route's access put it there; a public route has none to give.
        parts.extensions.get::<Self>().cloned().ok_or_else(AppError::not_signed_in)
    }
}

/// The database as the caller sees it: their organisation, and nothing else.
pub(crate) struct Org(pub(crate) Workspace);

impl FromRequestParts<Arc<AppState>> for Org {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &Arc<AppState>) -> Result<Self> {
        let caller = Caller::from_request_parts(parts, state).await?;
        Ok(Self(state.workspace(&caller)))
    }
}

/// Whether a method changes nothing.
pub(crate) fn is_safe(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}
