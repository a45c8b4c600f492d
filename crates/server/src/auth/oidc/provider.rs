//! The provider of identities: where it is asked, what it publishes, what is kept of both.

use std::sync::Arc;
use std::time::{Duration, Instant};

use assize_engine::accounts::Person;
use assize_engine::configuration::Secret;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chrono::Utc;
use reqwest::{Client, Url};
use serde::Deserialize;
use tokio::sync::{Mutex, MutexGuard};

use super::fetch::{self, FetchError};
use super::keys::KeySet;
use super::refusal::Refusal;
use super::settings::{OidcSettings, is_private};
use super::token::{Expectation, TokenError, verified};
use crate::auth::rate::Rate;
use crate::guard::is_loopback;

/// How long a description and keys count before they are fetched again.
const KEPT_FOR: Duration = Duration::from_hours(1);
/// How long a sign-in waits for another one that asks the provider.
const TURN_TIMEOUT: Duration = Duration::from_secs(10);
/// Sign-ins of one address in a second; four times as many at once.
const PER_SECOND: f64 = 5.0;
/// Where a provider describes itself, below its address.
const DESCRIPTION: &str = "/.well-known/openid-configuration";

/// A provider of identities.
#[derive(Debug)]
pub struct Provider {
    pub(crate) settings: OidcSettings,
    pub(crate) rate: Rate,
    client: Client,
    description: Mutex<Kept<Description>>,
    keys: Mutex<Kept<KeySet>>,
}

type Kept<T> = Option<(Instant, Arc<T>)>;

/// How a provider describes itself.
#[derive(Debug, Deserialize)]
pub(crate) struct Description {
    issuer: String,
    /// Where browsers are sent.
    pub(crate) authorization_endpoint: Address,
    token_endpoint: Address,
    jwks_uri: Address,
    /// Where people sign out there.
    pub(crate) end_session_endpoint: Option<Address>,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
    /// Whether it names itself in its answers.
    #[serde(default)]
    pub(crate) authorization_response_iss_parameter_supported: bool,
}

/// An address in a description.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Address(pub(crate) Url);

impl TryFrom<String> for Address {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Url::parse(&text).map(Self).map_err(|_| "not an address")
    }
}

#[derive(Deserialize)]
struct Tokens {
    id_token: Option<String>,
}

/// Waits for whoever asks the provider just now, though not for a whole queue of them: while it
/// is out of reach nothing is kept, and each would wait for all before it.
async fn in_time<T>(kept: &Mutex<T>) -> Result<MutexGuard<'_, T>, Refusal> {
    let waited = tokio::time::timeout(TURN_TIMEOUT, kept.lock()).await;
    waited.map_err(|_| FetchError::Silent.into())
}

impl Provider {
    /// Nothing is asked yet: it may come up later than we do.
    pub(crate) fn new(settings: OidcSettings) -> Self {
        let issuer = Url::parse(&settings.issuer).ok();
        let is_local = issuer.is_some_and(|url| url.host_str().is_some_and(is_loopback));
        Self {
            settings,
            rate: Rate::new(PER_SECOND),
            client: fetch::client(is_local),
            description: Mutex::default(),
            keys: Mutex::default(),
        }
    }

    /// How it describes itself.
    pub(crate) async fn description(&self) -> Result<Arc<Description>, Refusal> {
        let mut kept = in_time(&self.description).await?;
        if let Some((at, description)) = &*kept
            && at.elapsed() < KEPT_FOR
        {
            return Ok(Arc::clone(description));
        }
        let issuer = &self.settings.issuer;
        let url = format!("{}{DESCRIPTION}", issuer.trim_end_matches('/'));
        let url = Url::parse(&url).map_err(|_| Refusal::Described("its address is not valid"))?;
        let found: Description = fetch::get(&self.client, &url).await?;
        if found.issuer != *issuer {
            return Err(Refusal::Described("it reports a different issuer"));
        }
        let asked = [&found.authorization_endpoint, &found.token_endpoint, &found.jwks_uri];
        let is_safe = |Address(one): &Address| {
            is_private(one) && (one.scheme() == "https" || url.scheme() == "http")
        };
        if !asked.into_iter().chain(&found.end_session_endpoint).all(is_safe) {
            return Err(Refusal::Described("it does not use TLS"));
        }
        let found = Arc::new(found);
        *kept = Some((Instant::now(), Arc::clone(&found)));
        Ok(found)
    }

    /// The keys it publishes; `but` are those that did not have the one that is wanted.
    async fn keys(&self, but: Option<&Arc<KeySet>>) -> Result<Arc<KeySet>, Refusal> {
        let description = self.description().await?;
        let mut kept = in_time(&self.keys).await?;
        if let Some((at, keys)) = &*kept
            && at.elapsed() < KEPT_FOR
            && but.is_none_or(|but| !Arc::ptr_eq(but, keys))
        {
            return Ok(Arc::clone(keys));
        }
        let found: KeySet = fetch::get(&self.client, &description.jwks_uri.0).await?;
        let found = Arc::new(found);
        *kept = Some((Instant::now(), Arc::clone(&found)));
        Ok(found)
    }

    /// Who has that code, in the sign-in of that verifier and nonce.
    pub(crate) async fn person(
        &self,
        code: &str,
        verifier: &str,
        nonce: &str,
    ) -> Result<Person, Refusal> {
        let token = self.token(code, verifier).await?;
        let OidcSettings { issuer, client_id, .. } = &self.settings;
        let now = Utc::now().timestamp() as f64;
        let expected = Expectation { issuer, client_id, nonce, now };
        let keys = self.keys(None).await?;
        let claims = match verified(&token, &keys, expected) {
            // Providers change their keys: the new ones are looked at, once.
            Err(TokenError::UnknownKey) => {
                let keys = self.keys(Some(&keys)).await?;
                verified(&token, &keys, expected)?
            }
            other => other?,
        };
        Ok(Person {
            issuer: issuer.clone(),
            email: claims.verified_email(),
            groups: claims.groups(&self.settings.groups_claim),
            subject: claims.sub,
        })
    }

    /// The ID token for a code.
    async fn token(&self, code: &str, verifier: &str) -> Result<String, Refusal> {
        let description = self.description().await?;
        let (id, back) = (self.settings.client_id.as_str(), self.settings.return_address());
        let mut form = vec![
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", back.as_str()),
            ("code_verifier", verifier),
            ("client_id", id),
        ];
        let methods = description.token_endpoint_auth_methods_supported.as_deref();
        let takes = |name: &str| methods.is_some_and(|all| all.iter().any(|one| one == name));
        let is_in_form = takes("client_secret_post") && !takes("client_secret_basic");
        let mut header = None;
        match self.settings.client_secret.as_ref().map(Secret::expose) {
            Some(secret) if is_in_form => form.push(("client_secret", secret)),
            Some(secret) => header = Some(basic(id, secret)),
            None => {}
        }
        let tokens: Tokens =
            fetch::post(&self.client, &description.token_endpoint.0, &form, header).await?;
        tokens.id_token.ok_or(Refusal::Lacks("an ID token"))
    }
}

/// As RFC 6749 wants it: both are encoded as in a form first.
fn basic(id: &str, secret: &str) -> String {
    let encoded = |text: &str| fetch::encoded(&[(text, "")]).trim_end_matches('=').to_owned();
    format!("Basic {}", STANDARD.encode(format!("{}:{}", encoded(id), encoded(secret))))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `assize:p%2Bq%3D` by hand.
    #[test]
    fn id_and_secret_are_encoded_before_they_are_joined() {
        let header = basic("assize", "p+q=");
        let text = STANDARD.decode(header.strip_prefix("Basic ").unwrap()).unwrap();
        assert_eq!(text, b"assize:p%2Bq%3D");
    }
}
