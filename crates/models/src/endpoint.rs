//! Where a provider is found, what it speaks and which variable holds its key.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::protocols::Protocol;
use crate::remote::{Remote, Timeouts};
use crate::retry::RetryPolicy;
use crate::secret::{Secret, SecretError, Variables};
use crate::throttle::ThrottleSettings;

/// One provider: known to us, or from a table `[endpoints.NAME]` of the configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Endpoint {
    /// Where it listens, version included: `http://127.0.0.1:8901/v1`.
    pub base_url: String,
    /// What it speaks.
    #[serde(default)]
    pub protocol: Protocol,
    /// The environment variable that holds the key. Neither this nor a file: no key is sent.
    #[serde(default)]
    pub key_variable: Option<String>,
    /// A file that holds the key and that only its owner may read.
    #[serde(default)]
    pub key_file: Option<PathBuf>,
    /// Whether JSON schemas are sent. Switch it off for servers that refuse them.
    #[serde(default = "yes")]
    pub schemas: bool,
    /// What it bears, where that differs from what is usual.
    #[serde(default)]
    pub limits: EndpointLimits,
}

/// What one endpoint bears: a table `[endpoints.NAME.limits]`. What is not said is as usual.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EndpointLimits {
    /// Requests under way at once.
    pub concurrency: Option<u32>,
    /// Requests begun in a minute, by all processes that share a database together.
    pub requests_a_minute: Option<u32>,
    /// Tokens of requests and replies in a minute, by all of them together.
    pub tokens_a_minute: Option<u64>,
    /// How often a request is sent again after a failure.
    pub retries: Option<u32>,
    /// The wait after the first failure; it doubles from one to the next.
    pub first_wait_milliseconds: Option<u64>,
    /// How long making a connection may take.
    pub connect_timeout_seconds: Option<u64>,
    /// How long a reply may take.
    pub reply_timeout_seconds: Option<u64>,
    /// How long a provider that answered before may stay away until the run is stopped.
    pub patience_seconds: Option<u64>,
}

impl EndpointLimits {
    /// How long is waited for this endpoint.
    pub fn timeouts(&self, usual: Timeouts) -> Timeouts {
        let seconds = |said: Option<u64>, usual| said.map_or(usual, Duration::from_secs);
        Timeouts {
            connect: seconds(self.connect_timeout_seconds, usual.connect),
            reply: seconds(self.reply_timeout_seconds, usual.reply),
        }
    }

    /// When a request to it is sent again.
    #[must_use]
    pub fn retry(&self, mut usual: RetryPolicy) -> RetryPolicy {
        if let Some(retries) = self.retries {
            usual.tries_max = retries.saturating_add(1);
        }
        if let Some(wait) = self.first_wait_milliseconds {
            usual.first_wait = Duration::from_millis(wait);
        }
        usual
    }

    /// How many requests it gets, and when it is left alone.
    #[must_use]
    pub fn throttle(&self, mut usual: ThrottleSettings) -> ThrottleSettings {
        if let Some(concurrency) = self.concurrency {
            usual.concurrency_max = usual.concurrency_max.min(concurrency.max(1));
        }
        usual.requests_a_minute = self.requests_a_minute.or(usual.requests_a_minute);
        if let Some(patience) = self.patience_seconds {
            usual.circuit.patience = Duration::from_secs(patience);
            usual.circuit.first_patience = usual.circuit.first_patience.min(usual.circuit.patience);
        }
        usual
    }
}

/// Every provider that a model's name may begin with.
#[derive(Debug, Clone)]
pub struct Endpoints {
    by_name: BTreeMap<String, Endpoint>,
    variables: Variables,
}

/// Why a provider cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EndpointError {
    /// Nobody of that name.
    #[error(
        "unknown provider `{name}`: the known providers are {known}; define others as \
         [endpoints.{name}]"
    )]
    Unknown {
        /// What was asked for.
        name: String,
        /// Who there is.
        known: String,
    },
    /// The address is not one.
    #[error(
        "the base_url of `{name}` must start with http:// or https:// and must not contain a key"
    )]
    Address {
        /// The provider's name.
        name: String,
    },
    /// Its key could not be had.
    #[error("no API key for `{name}`")]
    Secret {
        /// The provider's name.
        name: String,
        /// What is wrong with the variable or file.
        #[source]
        source: SecretError,
    },
}

/// Providers that need no configuration but a key: name, address, protocol, key variable.
const KNOWN: [(&str, &str, Protocol, Option<&str>); 4] = [
    ("openai", "https://api.openai.com/v1/", Protocol::OpenAi, Some("OPENAI_API_KEY")),
    ("anthropic", "https://api.anthropic.com/v1/", Protocol::Anthropic, Some("ANTHROPIC_API_KEY")),
    (
        "gemini",
        "https://generativelanguage.googleapis.com/v1beta/",
        Protocol::Gemini,
        Some("GEMINI_API_KEY"),
    ),
    ("ollama", "http://localhost:11434/", Protocol::Ollama, None),
];

impl Default for Endpoints {
    fn default() -> Self {
        let known = KNOWN.map(|(name, base_url, protocol, key)| {
            let base_url = base_url.to_owned();
            let key_variable = key.map(str::to_owned);
            let key_file = None;
            (
                name.to_owned(),
                Endpoint {
                    base_url,
                    protocol,
                    key_variable,
                    key_file,
                    schemas: true,
                    limits: EndpointLimits::default(),
                },
            )
        });
        Self { by_name: BTreeMap::from(known), variables: Variables::default() }
    }
}

impl Endpoints {
    /// The known ones, and those of the configuration, which may also replace a known one.
    pub fn with(mut self, configured: BTreeMap<String, Endpoint>) -> Result<Self, EndpointError> {
        for (name, mut endpoint) in configured {
            let rest = ["http://", "https://"].iter().find_map(|scheme| {
                endpoint.base_url.strip_prefix(scheme).filter(|rest| !rest.is_empty())
            });
            let has_key = |rest: &str| rest.split('/').next().unwrap_or(rest).contains('@');
            if rest.is_none_or(has_key) {
                return Err(EndpointError::Address { name });
            }
            endpoint.base_url = closed(endpoint.base_url);
            self.by_name.insert(name, endpoint);
        }
        Ok(self)
    }

    /// The same, with keys looked up there.
    #[must_use]
    pub fn reading(mut self, variables: Variables) -> Self {
        self.variables = variables;
        self
    }

    /// A connection to the provider of that name. Its key is read now, so that a missing one
    /// is noticed before anything is sent.
    pub fn remote(&self, name: &str, timeouts: Timeouts) -> Result<Remote, EndpointError> {
        let endpoint = self.get(name)?;
        let timeouts = endpoint.limits.timeouts(timeouts);
        Ok(Remote::new(endpoint, endpoint.secret(name, &self.variables)?, timeouts))
    }

    /// The provider of that name.
    pub fn get(&self, name: &str) -> Result<&Endpoint, EndpointError> {
        self.by_name.get(name).ok_or_else(|| EndpointError::Unknown {
            name: name.to_owned(),
            known: self.by_name.keys().cloned().collect::<Vec<_>>().join(", "),
        })
    }

    /// Whether there is a provider of that name and its key, if it needs one, can be read.
    pub fn is_usable(&self, name: &str) -> bool {
        self.get(name).is_ok_and(|endpoint| endpoint.secret(name, &self.variables).is_ok())
    }

    /// All of them by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Endpoint)> {
        self.by_name.iter().map(|(name, endpoint)| (name.as_str(), endpoint))
    }
}

impl Endpoint {
    /// A server that speaks chat completions and wants no key.
    pub fn open(base_url: impl Into<String>) -> Self {
        Self {
            base_url: closed(base_url.into()),
            protocol: Protocol::OpenAi,
            key_variable: None,
            key_file: None,
            schemas: true,
            limits: EndpointLimits::default(),
        }
    }

    /// The address as it may be shown: parameters may hold a key.
    pub fn shown_url(&self) -> String {
        match self.base_url.split_once('?') {
            Some((address, _)) => format!("{address}?…"),
            None => self.base_url.clone(),
        }
    }

    /// Its key; a file goes before a variable.
    pub fn secret(
        &self,
        name: &str,
        variables: &Variables,
    ) -> Result<Option<Secret>, EndpointError> {
        let found = match (&self.key_file, &self.key_variable) {
            (Some(path), _) => Secret::from_file(path).map(Some),
            (None, Some(variable)) => Secret::from_variable(variable, variables).map(Some),
            (None, None) => Ok(None),
        };
        found.map_err(|source| EndpointError::Secret { name: name.to_owned(), source })
    }
}

/// An address whose path ends with a slash. Parameters behind it stay as they are.
fn closed(mut base_url: String) -> String {
    let path_end = base_url.find('?').unwrap_or(base_url.len());
    if !base_url[..path_end].ends_with('/') {
        base_url.insert(path_end, '/');
    }
    base_url
}

fn yes() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn configured(toml: &str) -> Result<Endpoints, EndpointError> {
        Endpoints::default().with(toml::from_str(toml).unwrap())
    }

    #[test]
    fn a_named_endpoint_speaks_openai_and_sends_schemas_unless_told_otherwise() {
        let endpoints = configured("[local]\nbase_url = 'http://127.0.0.1:8901/v1'").unwrap();
        let local = endpoints.get("local").unwrap();
        assert_eq!(local, &Endpoint::open("http://127.0.0.1:8901/v1/"));
        assert!(local.secret("local", &Variables::default()).unwrap().is_none());
        assert!(endpoints.is_usable("local"));
        assert!(!endpoints.is_usable("openai") && !endpoints.is_usable("nobody"));
    }

    #[test]
    fn a_known_provider_can_be_pointed_elsewhere() {
        let endpoints = configured("[openai]\nbase_url = 'https://proxy.example/v1'").unwrap();
        assert_eq!(endpoints.get("openai").unwrap().base_url, "https://proxy.example/v1/");
        assert_eq!(endpoints.get("anthropic").unwrap().protocol, Protocol::Anthropic);
    }

    #[test]
    fn an_unknown_provider_is_answered_with_those_there_are() {
        let error = Endpoints::default().get("opneai").unwrap_err().to_string();
        assert!(error.contains("anthropic, gemini, ollama, openai"), "{error}");
        assert!(error.contains("[endpoints.opneai]"), "{error}");
    }

    #[test]
    fn what_an_endpoint_bears_goes_before_what_is_usual() {
        let toml = "[hub]\nbase_url = 'https://hub.example/v1?key=sk-1'\n[hub.limits]\n\
            requests_a_minute = 60\nretries = 1\nconcurrency = 3\npatience_seconds = 5\n\
            reply_timeout_seconds = 9";
        let endpoints = configured(toml).unwrap();
        let hub = endpoints.get("hub").unwrap();
        assert_eq!(hub.limits.retry(RetryPolicy::default()).tries_max, 2);
        let throttle = hub.limits.throttle(ThrottleSettings::default());
        assert_eq!((throttle.concurrency_max, throttle.requests_a_minute), (3, Some(60)));
        assert_eq!(throttle.circuit.first_patience, Duration::from_secs(5));
        let timeouts = hub.limits.timeouts(Timeouts::default());
        assert_eq!((timeouts.connect.as_secs(), timeouts.reply.as_secs()), (10, 9));
        assert_eq!(hub.base_url, "https://hub.example/v1/?key=sk-1");
        assert_eq!(hub.shown_url(), "https://hub.example/v1/?…");
        let usual = EndpointLimits::default();
        assert_eq!(usual.retry(RetryPolicy::default()), RetryPolicy::default());
        assert_eq!(usual.throttle(ThrottleSettings::default()), ThrottleSettings::default());
    }

    #[test]
    fn an_address_without_scheme_or_with_a_key_in_it_is_refused() {
        for url in ["127.0.0.1:8901", "https://", "https://user:sk-1@example.org/v1"] {
            let error = configured(&format!("[local]\nbase_url = '{url}'")).unwrap_err();
            assert!(matches!(error, EndpointError::Address { .. }), "{url}");
            assert!(!error.to_string().contains("sk-1"));
        }
    }
}
