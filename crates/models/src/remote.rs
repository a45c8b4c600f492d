//! Every real provider, by the protocol that it speaks.

use std::time::Duration;

use crate::chat::{ChatReply, ChatRequest};
use crate::endpoint::Endpoint;
use crate::error::{ProviderError, Result};
use crate::name::ModelName;
use crate::protocols::Server;
use crate::provider::{BoxFuture, Provider};
use crate::secret::Secret;

/// The most that is read of one reply: a hundred times the longest that we ask for.
pub(crate) const REPLY_BYTES_MAX: usize = 4_000_000;
/// The most that is read of one vector: eight thousand numbers of twenty-five characters.
const VECTOR_BYTES_MAX: usize = 200_000;

/// How long we wait for a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// For a connection.
    pub connect: Duration,
    /// For a whole reply.
    pub reply: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { connect: Duration::from_secs(10), reply: Duration::from_mins(2) }
    }
}

/// One provider on the network. Connections are kept and used again.
#[derive(Debug)]
pub struct Remote {
    client: reqwest::Client,
    endpoint: Endpoint,
    secret: Option<Secret>,
    timeouts: Timeouts,
}

impl Remote {
    /// The provider at an endpoint, with its key.
    pub fn new(endpoint: &Endpoint, secret: Option<Secret>, timeouts: Timeouts) -> Self {
        let (client, endpoint) = (transport(timeouts), endpoint.clone());
        Self { client, endpoint, secret, timeouts }
    }

    fn server(&self) -> Server<'_> {
        Server {
            client: &self.client,
            base_url: &self.endpoint.base_url,
            secret: self.secret.as_ref(),
            sends_schemas: self.endpoint.schemas,
            timeouts: self.timeouts,
        }
    }

    async fn send(&self, request: &ChatRequest) -> Result<ChatReply> {
        let server = self.server();
        let end = self.endpoint.protocol.complete(&server, request).await;
        end.map_err(|error| self.without_key(error))
    }

    /// The vectors of texts, in their order, in one request that is tried once.
    pub async fn embed(&self, model: &ModelName, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        let (server, model, count) = (self.server(), model.model(), texts.len());
        let bytes_max = count.saturating_mul(VECTOR_BYTES_MAX).max(REPLY_BYTES_MAX);
        let end = self.endpoint.protocol.embed(&server, model, texts, bytes_max).await;
        let found = end.map_err(|error| self.without_key(error))?;
        if found.len() != count || !found.iter().flatten().all(|value| value.is_finite()) {
            let message =
                format!("{count} texts were sent but {} vectors were returned", found.len());
            return Err(ProviderError::Malformed { message });
        }
        Ok(found)
    }

    /// Providers like to quote the key they refuse.
    fn without_key(&self, mut error: ProviderError) -> ProviderError {
        if let Some(secret) = &self.secret
            && let Some(message) = error.message_mut()
        {
            *message = secret.removed_from(message);
        }
        error
    }
}

impl Provider for Remote {
    fn complete<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<ChatReply>> {
        Box::pin(self.send(request))
    }
}

/// The HTTP client: ring for cryptography, the machine's own certificates, no redirects (a
/// key must not travel to wherever a server points).
fn transport(timeouts: Timeouts) -> reqwest::Client {
    // A second installation fails, and leaves the first in place.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = || {
        reqwest::Client::builder()
            .connect_timeout(timeouts.connect)
            .timeout(timeouts.reply)
            .redirect(reqwest::redirect::Policy::none())
            .tcp_nodelay(true)
            // What is packed can be a thousand times as long as what is sent.
            .no_gzip()
            .user_agent(concat!("assize/", env!("CARGO_PKG_VERSION")))
    };
    // A machine without certificates can still speak to a server on loopback.
    builder().build().or_else(|_| builder().tls_certs_only([]).build()).expect("settings are sound")
}
