//! The one thing a provider can do.

use std::pin::Pin;

use crate::chat::{ChatReply, ChatRequest};
use crate::error::Result;

/// A future that can be sent between threads and kept in a box.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Something that answers a request: a real provider, or a recorded one.
///
/// It tries once. When to try again, how many at a time and at what price is decided by
/// the caller.
pub trait Provider: Send + Sync {
    /// One request, one reply.
    fn complete<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<ChatReply>>;
}
