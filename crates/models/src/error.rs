//! What can go wrong between us and a model, sorted by what can be done about it.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A result with this error, unless another is named.
pub(crate) type Result<T, E = ProviderError> = std::result::Result<T, E>;

/// Why there is no reply. No message ever holds a key.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "class")]
#[non_exhaustive]
pub enum ProviderError {
    /// The provider will not answer anyone who asks like this: a wrong key, an unknown
    /// model, an empty account. Every other item would meet the same.
    #[error("the provider rejected {} ({status}): {message}", rejected(*.status))]
    #[serde(rename = "shut_out")]
    Rejected {
        /// The HTTP status.
        status: u16,
        /// What it said.
        message: String,
    },
    /// The provider will not answer this one request.
    #[error("the provider refused the request{}: {message}", in_brackets(*.status))]
    Refused {
        /// The HTTP status, if it was one.
        status: Option<u16>,
        /// What it said.
        message: String,
    },
    /// The request does not fit the model.
    #[error("the request is too long for the model: {message}")]
    TooLong {
        /// What the provider said.
        message: String,
    },
    /// Too many requests, for now.
    #[error("the provider is rate limiting requests: {message}")]
    RateLimited {
        /// How long it wants to be left alone.
        retry_after: Option<Duration>,
        /// What it said.
        message: String,
    },
    /// The provider failed on its side.
    #[error("the provider failed ({status}): {message}")]
    Server {
        /// The HTTP status.
        status: u16,
        /// How long it wants to be left alone.
        retry_after: Option<Duration>,
        /// What it said.
        message: String,
    },
    /// No answer in time. It may still have been paid for.
    #[error("no response within {} seconds", .after.as_secs_f64())]
    TimedOut {
        /// How long we waited.
        after: Duration,
    },
    /// Nobody there: no connection was made, so nothing was sent.
    #[error("could not reach the provider: {message}")]
    Unreachable {
        /// What the network said.
        message: String,
    },
    /// The line broke off after the request was sent. It may have been paid for.
    #[error("the connection was lost before the reply was complete: {message}")]
    BrokenOff {
        /// What the network said.
        message: String,
    },
    /// The reply is larger than any verdict. It was paid for, and nothing of it is kept.
    #[error("the reply is larger than the limit of {} MB", .bytes_max / 1_000_000)]
    TooLarge {
        /// The most that is read of a reply.
        bytes_max: usize,
    },
    /// Something came back that is not the protocol. It may have been paid for.
    #[error("the provider's answer is not a chat reply: {message}")]
    Malformed {
        /// What was wrong with it.
        message: String,
    },
    /// A replay was asked for something that was never recorded.
    #[error("not in the recording: {message}")]
    NotRecorded {
        /// What was asked, and where it was looked for.
        message: String,
    },
}

impl ProviderError {
    /// Whether the same request may fare better later.
    pub(crate) fn is_passing(&self) -> bool {
        matches!(
            self,
            Self::RateLimited { .. }
                | Self::Server { .. }
                | Self::TimedOut { .. }
                | Self::Unreachable { .. }
                | Self::BrokenOff { .. }
                | Self::Malformed { .. }
        )
    }

    /// Whether every other request of the run would fail in the same way.
    pub fn concerns_the_run(&self) -> bool {
        matches!(self, Self::Rejected { .. } | Self::NotRecorded { .. })
    }

    /// Whether the provider may charge for the request although we have no reply.
    pub fn may_have_been_paid(&self) -> bool {
        matches!(
            self,
            Self::TimedOut { .. }
                | Self::BrokenOff { .. }
                | Self::TooLarge { .. }
                | Self::Malformed { .. }
        )
    }

    /// Whether it says something about the provider whatever was asked. The other passing
    /// failures may come from what one request asks, and say so only when several requests
    /// meet them.
    pub(crate) fn is_of_the_line(&self) -> bool {
        matches!(self, Self::Unreachable { .. })
    }

    /// How long the provider wants to be left alone, if it said.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::RateLimited { retry_after, .. } | Self::Server { retry_after, .. } => {
                *retry_after
            }
            _ => None,
        }
    }

    /// The provider's words, so that a key can be taken out of them.
    pub(crate) fn message_mut(&mut self) -> Option<&mut String> {
        match self {
            Self::Rejected { message, .. }
            | Self::Refused { message, .. }
            | Self::TooLong { message }
            | Self::RateLimited { message, .. }
            | Self::Server { message, .. }
            | Self::Unreachable { message }
            | Self::BrokenOff { message }
            | Self::Malformed { message }
            | Self::NotRecorded { message } => Some(message),
            Self::TimedOut { .. } | Self::TooLarge { .. } => None,
        }
    }

    /// A stable word for the journal and for programs.
    pub fn class(&self) -> &'static str {
        match self {
            Self::Rejected { .. } => "shut_out",
            Self::Refused { .. } => "refused",
            Self::TooLong { .. } => "too_long",
            Self::RateLimited { .. } => "rate_limited",
            Self::Server { .. } => "server",
            Self::TimedOut { .. } => "timed_out",
            Self::Unreachable { .. } => "unreachable",
            Self::BrokenOff { .. } => "broken_off",
            Self::TooLarge { .. } => "too_large",
            Self::Malformed { .. } => "malformed",
            Self::NotRecorded { .. } => "not_recorded",
        }
    }
}

/// What a provider did not like, by its status; empty accounts come with several.
fn rejected(status: u16) -> &'static str {
    match status {
        401 | 403 => "the API key",
        404 => "the model",
        _ => "the account",
    }
}

fn in_brackets(status: Option<u16>) -> String {
    status.map(|status| format!(" ({status})")).unwrap_or_default()
}
