//! A model that can be asked: its name, its line, its limits and its price.

use std::collections::BTreeMap;
use std::sync::Arc;

use assize_models::{
    Catalogue, EndpointError, Endpoints, ModelName, Parameters, Price, Provider, Remote, Replay,
    RetryPolicy, Throttle, ThrottleSettings, Timeouts,
};

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
    /// What it costs, if that is known.
    pub price: Option<Price>,
    /// How it is to answer.
    pub parameters: Parameters,
}

/// All models within reach. Models of one provider share connections and limits.
pub struct Judges {
    settings: JudgeSettings,
    catalogue: Catalogue,
    source: Source,
    lines: BTreeMap<String, Line>,
}

enum Source {
    Network(Endpoints),
    Recording(Arc<Replay>),
}

#[derive(Clone)]
struct Line {
    provider: Arc<dyn Provider>,
    throttle: Arc<Throttle>,
}

impl Judges {
    /// Models on the network.
    pub fn new(endpoints: Endpoints, catalogue: Catalogue, settings: JudgeSettings) -> Self {
        let (source, lines) = (Source::Network(endpoints), BTreeMap::new());
        Self { settings, catalogue, source, lines }
    }

    /// Models in a recording, and no network.
    pub fn recorded(replay: Replay, catalogue: Catalogue, settings: JudgeSettings) -> Self {
        let (source, lines) = (Source::Recording(Arc::new(replay)), BTreeMap::new());
        Self { settings, catalogue, source, lines }
    }

    /// The model of that name. Its key is read now; nothing is sent.
    pub fn judge(&mut self, name: &ModelName) -> Result<Judge, EndpointError> {
        let line = match self.lines.get(name.provider()) {
            Some(line) => line.clone(),
            None => self.connect(name.provider())?,
        };
        Ok(Judge {
            name: name.clone(),
            provider: line.provider,
            throttle: line.throttle,
            retry: self.settings.retry.clone(),
            price: self.catalogue.price(name),
            parameters: self.settings.parameters.clone(),
        })
    }

    fn connect(&mut self, name: &str) -> Result<Line, EndpointError> {
        let provider: Arc<dyn Provider> = match &self.source {
            Source::Recording(replay) => Arc::clone(replay) as _,
            Source::Network(endpoints) => {
                Arc::new(Remote::new(name, endpoints.get(name)?, self.settings.timeouts)?)
            }
        };
        let throttle = Throttle::new(self.settings.throttle.clone());
        let line = Line { provider, throttle };
        self.lines.insert(name.to_owned(), line.clone());
        Ok(line)
    }
}
