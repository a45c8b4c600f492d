//! Talking to language models: one door to the outside.
//!
//! Read in this order: what is said ([`chat`]) and how it is found again ([`key`]); who is
//! spoken to ([`name`], [`endpoint`]) and through what ([`provider`], [`remote`], [`replay`]);
//! what may go wrong ([`error`]) and what is done about it ([`retry`], [`throttle`],
//! [`circuit`]); what it costs ([`price`], [`budget`]); and keys that cannot be printed
//! ([`secret`]).

pub mod budget;
pub mod chat;
pub mod circuit;
mod classify;
pub mod endpoint;
pub mod error;
pub mod key;
pub mod name;
pub mod price;
mod protocols;
pub mod provider;
pub mod record;
pub mod remote;
pub mod replay;
pub mod retry;
pub mod secret;
pub mod throttle;

pub use budget::{Budget, Exhausted, Limit, Reservation};
pub use chat::{ChatReply, ChatRequest, Message, Parameters, Role, Schema, StopReason, Usage};
pub use circuit::Purpose;
pub use endpoint::{Endpoint, EndpointError, EndpointLimits, Endpoints};
pub use error::ProviderError;
pub use key::ExchangeKey;
pub use name::{ModelName, ModelNameError};
pub use price::{Catalogue, CatalogueError, Money, Price, StatedPrice};
pub use protocols::Protocol;
pub use provider::{BoxFuture, Provider};
pub use record::Recorder;
pub use remote::{Remote, Timeouts};
pub use replay::{Replay, ReplayError};
pub use retry::RetryPolicy;
pub use secret::{Secret, SecretError, Variables};
pub use throttle::{Ending, Permit, Throttle, ThrottleSettings};
