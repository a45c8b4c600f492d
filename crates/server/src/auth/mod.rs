//! Who is asking, and what they may do.

use std::convert::Infallible;
use std::sync::Arc;

use assize_engine::compliance::registry::NOBODY;
use assize_engine::store::{OrganisationId, Role, Scope};
use axum::extract::{FromRequestParts, Request, State};
use axum::http::Method;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::Response;

use crate::error::AppError;
use crate::state::AppState;

/// What a route demands of whoever asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Nothing: health, sign-in, assets.
    Public,
    /// A role in the organisation, and for tokens a scope.
    To(Role, Scope),
}

impl Access {
    /// Looking at what belongs to the organisation.
    pub const READ: Self = Self::To(Role::Viewer, Scope::Read);
    /// Changing what analysts change.
    pub const WRITE: Self = Self::To(Role::Analyst, Scope::Write);
    /// Changing what administrators change.
    pub const ADMIN: Self = Self::To(Role::Admin, Scope::Admin);
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
}

impl Caller {
    /// The one person of a server that only their own machine can reach.
    pub fn local() -> Self {
        Self {
            organisation: OrganisationId::default_organisation(),
            who: NOBODY.to_owned(),
            role: Role::Admin,
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, AppError> {
        // The route's access put it there; a public route has none to give.
        parts.extensions.get::<Self>().cloned().ok_or_else(AppError::not_signed_in)
    }
}

/// Who is asking, on a route that anybody may ask.
#[derive(Debug, Clone)]
pub struct MaybeCaller(pub Option<Caller>);

impl<S: Send + Sync> FromRequestParts<S> for MaybeCaller {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(parts.extensions.get::<Caller>().cloned()))
    }
}

/// Stands before every route: finds out who asks, and refuses those whom it does not let in.
pub(crate) async fn admit(
    State((state, access)): State<(Arc<AppState>, Access)>,
    mut request: Request,
    next: Next,
) -> Result<Response, AppError> {
    let caller = state.settings.is_open().then(Caller::local);
    match (access, &caller) {
        (Access::To(..), None) => return Err(AppError::not_signed_in()),
        (Access::To(role, _), Some(caller)) if caller.role < role => {
            return Err(AppError::forbidden(role));
        }
        (Access::Public, _) | (Access::To(..), Some(_)) => {}
    }
    if let Some(caller) = caller {
        request.extensions_mut().insert(caller);
    }
    Ok(next.run(request).await)
}

/// Whether a method changes nothing.
pub(crate) fn is_safe(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}
