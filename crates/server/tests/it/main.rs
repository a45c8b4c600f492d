//! The server as its clients see it.

#![expect(clippy::unwrap_used, reason = "a test that cannot ask its server has failed")]

mod access;
mod accounts;
mod again_pages;
mod api;
mod assign;
mod audited;
mod client;
mod codes;
mod criteria_pages;
mod decisions;
mod document_pages;
mod export_streams;
mod first;
mod forms;
mod guide;
mod hostile;
mod idempotent;
mod import_pages;
mod judges;
mod metrics;
mod nouns;
#[cfg(feature = "oidc")]
mod oidc;
mod proxy;
mod removed;
mod response_cache;
mod truth;
