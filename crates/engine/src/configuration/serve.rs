//! What `assize.toml` says about the server: with whom people sign in.

use std::collections::BTreeMap;
use std::path::PathBuf;

use assize_models::{Secret, SecretError, Variables};
use serde::Deserialize;

/// About the server.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ServeTable {
    /// A provider of identities, by its protocol OIDC.
    pub oidc: Option<OidcTable>,
}

/// A provider of identities, and whom of those it knows to let in.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OidcTable {
    /// Its address, letter for letter as its tokens name it.
    pub issuer: String,
    /// What it calls us.
    pub client_id: String,
    /// Where browsers find us: `https://assize.example.org`.
    pub public_url: String,
    /// What the button says; without it, the host of the issuer.
    pub name: Option<String>,
    /// The variable with our secret there.
    pub client_secret_variable: Option<String>,
    /// The file with it, which only its owner may read.
    pub client_secret_file: Option<PathBuf>,
    /// What is asked for besides `openid`; without it, `email` and `profile`.
    pub scopes: Option<Vec<String>>,
    /// Whether an account whose name is a person's verified e-mail is theirs.
    pub match_email: Option<bool>,
    /// The role of people whom nobody added; without it they stay out.
    pub newcomer_role: Option<String>,
    /// The organisation they come to; without it, the one every database has.
    pub newcomer_organisation: Option<String>,
    /// The domains of verified e-mails whose people may come; without it, all.
    pub newcomer_domains: Option<Vec<String>>,
    /// The claim that lists a person's groups; without it, `groups`.
    pub groups_claim: Option<String>,
    /// The roles of groups; with any, only people of those groups come in, each with the highest
    /// role of theirs.
    pub group_roles: Option<BTreeMap<String, String>>,
}

impl OidcTable {
    /// Our secret at the provider; nothing for a client without one.
    pub fn secret(&self, variables: &Variables) -> Result<Option<Secret>, SecretError> {
        match (&self.client_secret_file, &self.client_secret_variable) {
            (Some(path), _) => Secret::from_file(path).map(Some),
            (None, Some(name)) => Secret::from_variable(name, variables).map(Some),
            (None, None) => Ok(None),
        }
    }
}
