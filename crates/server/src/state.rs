//! What every request shares: the open database, the settings, what is counted, the wish to stop.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use assize_engine::Workspace;
use assize_engine::accounts::secret;
use assize_engine::asking::{AskOptions, Config, JudgeName, JudgeNameError, Stop};
use assize_engine::council::OperatorPolicy;
use assize_engine::database::Place;
use assize_engine::runs::comparisons::Comparisons;
use assize_engine::store::{OrganisationId, Role, Store, StoreError};

use crate::auth::Caller;
#[cfg(feature = "oidc")]
use crate::auth::oidc::{OidcSettings, provider::Provider};
use crate::auth::proxy::ProxySettings;
use crate::auth::rate::Rate;
use crate::auth::throttle::Throttle;
use crate::background::Background;
use crate::bodies::Bodies;
use crate::concurrency::ConcurrencyLimit;
use crate::error::{AppError, Result};
use crate::operations::health::Readiness;
use crate::operations::metrics::Metrics;
use crate::operations::panics;
use crate::response_cache::ResponseCache;

/// Bodies that are larger are refused before they are read.
const BODY_BYTES_MAX: usize = 32 << 20;
/// A request that takes longer is given up.
const REQUEST_TIMEOUT: Duration = Duration::from_mins(1);

/// Requests of one token or person in a second: more than anybody clicks, less than keeps
/// others waiting.
const REQUESTS_PER_SECOND: f64 = 50.0;

/// How the server is run; decided by whoever starts it, never by a request.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where it listens; port 0 takes a free one.
    pub bind: SocketAddr,
    /// Where probes and metrics are answered besides, to whoever can connect; none for nowhere
    /// else.
    pub probe_bind: Option<SocketAddr>,
    /// Where everything is kept.
    pub database: Place,
    /// The largest body of a request.
    pub body_bytes_max: usize,
    /// How long a request may take.
    pub request_timeout: Duration,
    /// Whether whoever connects comes through a proxy with TLS: cookies are only sent so.
    pub is_behind_tls: bool,
    /// Names that the server answers to besides loopback; empty answers to all.
    pub hosts: Vec<String>,
    /// Whether people sign in even on loopback.
    pub needs_accounts: bool,
    /// Which proxies are believed, and whether they sign people in.
    pub proxy: ProxySettings,
    /// Whether nobody may change anything, whoever they are.
    pub is_read_only: bool,
    /// The role of people whom somebody else vouches for and nobody knows yet; none keeps them
    /// out.
    pub newcomers: Option<Role>,
    /// With whom people sign in, if with somebody else.
    #[cfg(feature = "oidc")]
    pub oidc: Option<OidcSettings>,
    /// Requests of one token or person in a second.
    pub requests_per_second: f64,
    /// Which models may be asked, and how.
    pub models: ModelSettings,
}

/// Which models may be asked, and how. No request changes it.
#[derive(Debug, Clone, Default)]
pub struct ModelSettings {
    /// Providers and prices.
    pub config: Config,
    /// Budget, concurrency, patience.
    pub options: AskOptions,
    /// What the operator says about councils: the safety gate can only be made stricter.
    pub councils: OperatorPolicy,
    /// The models that may judge, as `provider/model` or `provider/*`; empty allows all.
    pub allowed: Vec<String>,
}

impl ModelSettings {
    /// Whether the operator allows every model that a judge asks.
    pub(crate) fn allows(&self, judge: &JudgeName) -> Result<()> {
        self.allows_models(judge.models().iter().map(ToString::to_string))
    }

    /// Whether the operator allows all of these models.
    pub(crate) fn allows_models(&self, mut models: impl Iterator<Item = String>) -> Result<()> {
        let is_allowed =
            |name: &str| self.allowed.is_empty() || self.allowed.iter().any(|one| fits(one, name));
        match models.find(|name| !is_allowed(name)) {
            Some(name) => {
                Err(AppError::refused(format!("the operator does not allow the judge `{name}`")))
            }
            None => Ok(()),
        }
    }

    /// A judge by its name, if there is one and the operator allows it; no name is the rules.
    pub(crate) fn judge(&self, name: &str) -> Result<JudgeName> {
        if name.is_empty() {
            return Ok(JudgeName::Rules);
        }
        let judge = name.parse();
        let judge = judge
            .map_err(|error: JudgeNameError| AppError::bad_input(format!("judge: {error}")))?;
        self.allows(&judge)?;
        Ok(judge)
    }
}

fn fits(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => pattern == name,
    }
}

impl Settings {
    /// The usual ones.
    pub fn new(bind: SocketAddr, database: Place) -> Self {
        Self {
            bind,
            probe_bind: None,
            database,
            body_bytes_max: BODY_BYTES_MAX,
            request_timeout: REQUEST_TIMEOUT,
            is_behind_tls: false,
            hosts: Vec::new(),
            needs_accounts: false,
            proxy: ProxySettings::default(),
            is_read_only: false,
            newcomers: None,
            #[cfg(feature = "oidc")]
            oidc: None,
            requests_per_second: REQUESTS_PER_SECOND,
            models: ModelSettings::default(),
        }
    }

    /// Whether everybody who can connect is the one person whose machine it is. Behind a proxy
    /// that signs people in, with a provider that does, or where accounts are wanted, nobody is.
    pub fn is_open(&self) -> bool {
        let is_signed_in_elsewhere =
            self.proxy.user_header.is_some() || self.identity_provider().is_some();
        self.bind.ip().is_loopback() && !self.needs_accounts && !is_signed_in_elsewhere
    }

    /// What the provider is called with whom people sign in, if there is one.
    pub fn identity_provider(&self) -> Option<&str> {
        self.provider().map(|(name, _)| name)
    }

    /// Whether people sign in here with a password.
    pub fn takes_passwords(&self) -> bool {
        let is_allowed = self.provider().is_none_or(|(_, allows_passwords)| allows_passwords);
        is_allowed && !self.is_open() && self.proxy.user_header.is_none()
    }

    /// What the provider is called, and whether passwords are used beside it.
    #[cfg(feature = "oidc")]
    fn provider(&self) -> Option<(&str, bool)> {
        self.oidc.as_ref().map(|oidc| (oidc.name.as_str(), oidc.allows_passwords))
    }

    #[cfg(not(feature = "oidc"))]
    #[expect(clippy::unused_self, reason = "with the feature there may be one")]
    fn provider(&self) -> Option<(&str, bool)> {
        None
    }
}

/// What every request shares.
#[derive(Debug)]
pub struct AppState {
    /// The open database.
    pub store: Arc<Store>,
    /// How the server is run.
    pub settings: Settings,
    /// Runs that this process works on.
    pub background: Background,
    /// Comparisons of runs that are done.
    pub comparisons: Arc<Comparisons>,
    /// Answers that are kept while nothing changes.
    pub response_cache: ResponseCache,
    /// Whose turn it is.
    pub concurrency: ConcurrencyLimit,
    /// Bodies on their way in.
    pub bodies: Bodies,
    /// How often somebody tried to sign in and failed.
    pub throttle: Throttle,
    /// How often somebody asks.
    pub rate: Rate,
    /// With whom people sign in, if with somebody else.
    #[cfg(feature = "oidc")]
    pub oidc: Option<Provider>,
    /// A secret of this process, from which forms on loopback get theirs.
    pub secret: String,
    /// What is counted for `/metrics`.
    pub metrics: Metrics,
    /// Whether the database took a write a moment ago.
    pub readiness: Readiness,
    /// Asked when the server is to end: streams end, runs are left.
    pub stop: Stop,
}

impl AppState {
    /// Opens the database; a fresh one gets its tables.
    pub async fn open(settings: Settings) -> Result<Arc<Self>, StoreError> {
        panics::count();
        let store = Arc::new(Store::open(&settings.database).await?);
        let secret = secret::random().map_err(|error| StoreError::Refused(error.to_string()))?;
        Ok(Arc::new(Self {
            store,
            rate: Rate::new(settings.requests_per_second),
            #[cfg(feature = "oidc")]
            oidc: settings.oidc.clone().map(Provider::new),
            settings,
            background: Background::default(),
            comparisons: Arc::default(),
            response_cache: ResponseCache::default(),
            concurrency: ConcurrencyLimit::default(),
            bodies: Bodies::default(),
            throttle: Throttle::default(),
            secret,
            metrics: Metrics::new(),
            readiness: Readiness::default(),
            stop: Stop::default(),
        }))
    }

    /// The database before anybody is known: for signing in and for looking up tokens.
    pub(crate) fn everything(&self) -> Workspace {
        Workspace {
            store: Arc::clone(&self.store),
            organisation: OrganisationId::default_organisation(),
            who: "server".to_owned(),
            address: None,
            token: None,
        }
    }

    /// Waits until everything is written.
    pub(crate) async fn close(self: Arc<Self>) {
        if let Ok(state) = Arc::try_unwrap(self)
            && let Ok(store) = Arc::try_unwrap(state.store)
        {
            store.close().await;
        }
    }

    /// The database as a caller sees it: their organisation, and nothing else.
    pub fn workspace(&self, caller: &Caller) -> Workspace {
        Workspace {
            store: Arc::clone(&self.store),
            organisation: caller.organisation.clone(),
            who: caller.who.clone(),
            address: caller.address.clone(),
            token: caller.token.clone(),
        }
    }
}
