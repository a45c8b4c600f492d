//! A model that can be asked: its name, its connection, its limits and its price.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use assize_models::{
    BoxFuture, Catalogue, ChatReply, ChatRequest, EndpointError, EndpointLimits, Endpoints,
    ModelName, Parameters, Price, Provider, ProviderError, Replay, RetryPolicy, Throttle,
    ThrottleSettings, Timeouts,
};
use tokio::time::Instant;

/// How much several replies of one model may differ.
const SAMPLES_TEMPERATURE: f64 = 0.7;

/// How judges are to be treated, the same for all.
#[derive(Debug, Clone, Default)]
pub struct JudgeSettings {
    /// How long we wait for a reply.
    pub timeouts: Timeouts,
    /// When we try again.
    pub retry: RetryPolicy,
    /// How many at once, for each provider.
    pub throttle: ThrottleSettings,
    /// How they are to answer.
    pub parameters: Parameters,
    /// Whether prompts are sent without their defences.
    pub is_undefended: bool,
}

/// A model that can be asked.
#[derive(Clone)]
pub struct Judge {
    /// What it is called.
    pub name: ModelName,
    /// Who answers.
    pub provider: Arc<dyn Provider>,
    /// The limits it shares with other models of its provider.
    pub throttle: Arc<Throttle>,
    /// When we try again.
    pub retry: RetryPolicy,
    /// What its endpoint bears.
    pub limits: EndpointLimits,
    /// What it costs, if that is known.
    pub price: Option<Price>,
    /// How it is to answer.
    pub parameters: Parameters,
    /// Whether prompts are sent without their defences.
    pub is_undefended: bool,
    /// When nobody waits any more, if somebody said.
    pub deadline: Option<Instant>,
}

/// All models within reach. Models of one provider share connections and limits.
pub struct Judges {
    settings: JudgeSettings,
    catalogue: Catalogue,
    source: Source,
    connections: Mutex<BTreeMap<String, Connection>>,
}

enum Source {
    Network(Endpoints),
    /// Models that are on the network and are not asked.
    Unasked(Endpoints),
    Recording(Arc<Replay>),
}

#[derive(Clone)]
struct Connection {
    provider: Arc<dyn Provider>,
    throttle: Arc<Throttle>,
    limits: EndpointLimits,
}

impl Judges {
    /// Models on the network.
    pub fn new(endpoints: Endpoints, catalogue: Catalogue, settings: JudgeSettings) -> Self {
        Self {
            settings,
            catalogue,
            source: Source::Network(endpoints),
            connections: Mutex::default(),
        }
    }

    /// Models on the network, for an estimate: nothing is sent to them, so no key is read.
    pub(crate) fn unasked(
        endpoints: Endpoints,
        catalogue: Catalogue,
        settings: JudgeSettings,
    ) -> Self {
        let source = Source::Unasked(endpoints);
        Self { settings, catalogue, source, connections: Mutex::default() }
    }

    /// Models in a recording, and no network.
    pub fn recorded(replay: Replay, catalogue: Catalogue, settings: JudgeSettings) -> Self {
        let source = Source::Recording(Arc::new(replay));
        Self { settings, catalogue, source, connections: Mutex::default() }
    }

    /// The model of that name. Its key is read now; nothing is sent.
    pub fn judge(&self, name: &ModelName) -> Result<Judge, EndpointError> {
        let Connection { provider, throttle, limits } = self.connection(name.provider())?;
        Ok(Judge {
            name: name.clone(),
            provider,
            throttle,
            retry: limits.retry(self.settings.retry.clone()),
            limits,
            price: self.catalogue.price(name),
            parameters: self.settings.parameters.clone(),
            is_undefended: self.settings.is_undefended,
            deadline: None,
        })
    }

    fn connection(&self, name: &str) -> Result<Connection, EndpointError> {
        let mut connections = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(connection) = connections.get(name) {
            return Ok(connection.clone());
        }
        let provider: Arc<dyn Provider> = match &self.source {
            Source::Recording(replay) => Arc::clone(replay) as _,
            Source::Network(endpoints) => Arc::new(endpoints.remote(name, self.settings.timeouts)?),
            Source::Unasked(endpoints) => {
                endpoints.get(name)?;
                Arc::new(Unasked)
            }
        };
        let limits = match &self.source {
            Source::Recording(_) => EndpointLimits::default(),
            Source::Network(endpoints) | Source::Unasked(endpoints) => {
                endpoints.get(name)?.limits.clone()
            }
        };
        let throttle = Throttle::new(limits.throttle(self.settings.throttle.clone()));
        let connection = Connection { provider, throttle, limits };
        connections.insert(name.to_owned(), connection.clone());
        Ok(connection)
    }
}

/// A provider that is not asked: whoever tries finds out.
struct Unasked;

impl Provider for Unasked {
    fn complete<'a>(
        &'a self,
        _: &'a ChatRequest,
    ) -> BoxFuture<'a, Result<ChatReply, ProviderError>> {
        let message = "nothing is sent while the cost is estimated".to_owned();
        Box::pin(std::future::ready(Err(ProviderError::Refused { status: None, message })))
    }
}

impl Judge {
    /// Whether somebody would still wait for what begins after so long.
    pub(super) fn has_time_after(&self, wait: Duration) -> bool {
        self.deadline.is_none_or(|deadline| Instant::now() + wait < deadline)
    }

    /// The same model, one of whose several replies is wanted: they have to differ.
    #[must_use]
    pub(crate) fn sampling(mut self) -> Self {
        self.parameters.temperature = Some(SAMPLES_TEMPERATURE);
        self
    }
}
