//! Why somebody is not let in, in words for them.

use axum::http::StatusCode;
use thiserror::Error;

use super::fetch::FetchError;
use super::token::TokenError;

/// Why a sign-in does not end well.
#[derive(Debug, Error)]
pub(crate) enum Refusal {
    /// Where to go afterwards is not one of our pages.
    #[error("the return address does not belong to this server")]
    ReturnPath,
    /// The cookie of the first half is not there.
    #[error(
        "the sign-in was not started in this browser, or cookies are disabled: please sign in again"
    )]
    NoCookie,
    /// There is no such sign-in, in this browser.
    #[error(
        "the sign-in has expired, was already used, or was started in another browser: please sign in again"
    )]
    NotBegun,
    /// The provider says no.
    #[error("the identity provider did not sign you in: {0}")]
    Denied(String),
    /// Another provider answers than was asked.
    #[error("the response comes from a different identity provider")]
    OtherIssuer,
    /// The answer lacks what it must have.
    #[error("the response of the identity provider lacks {0}")]
    Lacks(&'static str),
    /// It cannot be asked.
    #[error("the identity provider cannot be reached: {0}")]
    Fetch(#[from] FetchError),
    /// Its description is not one.
    #[error("the identity provider is misconfigured: {0}")]
    Described(&'static str),
    /// What it says about the person does not hold.
    #[error("the identity provider's answer is not valid: {0}")]
    Token(#[from] TokenError),
    /// The person may not come in.
    #[error("{0}")]
    NotLetIn(String),
}

impl Refusal {
    /// The status of the answer.
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::ReturnPath => StatusCode::BAD_REQUEST,
            Self::Fetch(_) | Self::Described(_) => StatusCode::BAD_GATEWAY,
            Self::NotLetIn(_) => StatusCode::FORBIDDEN,
            _ => StatusCode::UNAUTHORIZED,
        }
    }

    /// Whether whoever asked may have caused it.
    pub(crate) fn is_of_caller(&self) -> bool {
        match self {
            // A code that the provider never gave.
            Self::Fetch(FetchError::Status(400)) => true,
            Self::Fetch(_) | Self::Described(_) => false,
            _ => true,
        }
    }
}
