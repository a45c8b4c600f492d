//! Signing in with a provider of identities, by `OpenID` Connect: authorization code with PKCE.
//!
//! Read in this order: what the operator says ([`settings`]), the two halves of a sign-in
//! (`flow`), the provider and what is kept of it (`provider`), what is fetched and how much
//! (`fetch`), what an ID token must say (`token`) and whose signature it must have (`keys`), why
//! somebody is not let in (`refusal`).

mod fetch;
pub(crate) mod flow;
mod keys;
pub(crate) mod provider;
mod refusal;
pub mod settings;
mod token;

pub use settings::{OidcSettings, OidcSettingsError};
