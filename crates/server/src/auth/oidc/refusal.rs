//! Why somebody is not let in, in words for them.

use axum::http::StatusCode;
use thiserror::Error;

use super::fetch::FetchError;
use super::token::TokenError;

/// Why a sign-in does not end well.
#[derive(Debug, Error)]
pub(crate) enum Refusal {
    /// Where to go afterwards is not one of our pages.
    #[error("the address to go to afterwards is not one of this server's")]
    ReturnPath,
    /// The cookie of the first half is not there.
    #[error("this browser did not begin the sign-in, or does not keep cookies: begin again")]
    NoCookie,
    /// There is no such sign-in, in this browser.
    #[error("the sign-in was used already, is too old, or began in another browser: begin again")]
    NotBegun,
    /// The provider says no.
    #[error("the identity provider did not sign you in: {0}")]
    Denied(String),
    /// Another provider answers than was asked.
    #[error("the answer comes from another identity provider")]
    OtherIssuer,
    /// The answer lacks what it must have.
    #[error("the answer of the identity provider lacks {0}")]
    Lacks(&'static str),
    /// It cannot be asked.
    #[error("the identity provider cannot be asked: {0}")]
    Fetch(#[from] FetchError),
    /// Its description is not one.
    #[error("the identity provider describes itself wrongly: {0}")]
    Described(&'static str),
    /// What it says about the person does not hold.
    #[error("what the identity provider says about you does not hold: {0}")]
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
