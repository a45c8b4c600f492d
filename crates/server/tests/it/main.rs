//! The server as its clients see it.

#![expect(clippy::unwrap_used, reason = "a test that cannot ask its server has failed")]

mod access;
mod accounts;
mod api;
mod client;
mod first;
mod forms;
mod guide;
mod hostile;
mod idempotent;
mod nouns;
mod proxy;
