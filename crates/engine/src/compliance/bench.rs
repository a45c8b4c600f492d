//! Who judges: the rules, or a model with the desk that asks it.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use assize_models::{
    Budget, EndpointError, Limit, ModelName, ModelNameError, Recorder, Replay, ReplayError,
    Timeouts,
};
use assize_store::{Store, StoreError};
use thiserror::Error;

use crate::interview::{Desk, Event, Judge, JudgeSettings, Judges, Stop};
use crate::summary::model::{Config, ConfigError};

/// What the rule judge is called.
const RULES: &str = "rules";

/// Who judges, as it is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Who {
    /// The rule judge: offline and deterministic.
    Rules,
    /// A model.
    Model(ModelName),
}

impl FromStr for Who {
    type Err = ModelNameError;

    fn from_str(text: &str) -> Result<Self, ModelNameError> {
        if text == RULES { Ok(Self::Rules) } else { text.parse().map(Self::Model) }
    }
}

impl fmt::Display for Who {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules => formatter.write_str(RULES),
            Self::Model(name) => name.fmt(formatter),
        }
    }
}

/// How models are asked.
#[derive(Debug, Clone)]
pub struct Options {
    /// What may be spent.
    pub budget: Option<Limit>,
    /// A transcript to write.
    pub record: Option<PathBuf>,
    /// A transcript to answer from, instead of the network.
    pub replay: Option<PathBuf>,
    /// Whether replies that are kept are left aside.
    pub is_fresh: bool,
    /// How many criteria at once.
    pub concurrency: usize,
    /// How long a reply may take.
    pub reply_timeout: Duration,
    /// The configuration file, if one is named.
    pub config: Option<PathBuf>,
    /// Endpoints from the command line: name and URL.
    pub endpoints: Vec<(String, String)>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            budget: None,
            record: None,
            replay: None,
            is_fresh: false,
            concurrency: 8,
            reply_timeout: Duration::from_mins(2),
            config: None,
            endpoints: Vec::new(),
        }
    }
}

/// Why nobody can judge.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BenchError {
    /// The configuration is faulty.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A provider cannot be used.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    /// The store cannot.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The transcript cannot be read.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The transcript cannot be written.
    #[error("the transcript {} could not be begun; one that exists is not overwritten", .0.display())]
    Record(PathBuf, #[source] io::Error),
}

/// Whoever was named, ready to judge.
pub struct Bench {
    /// The desk that every question goes through.
    pub desk: Desk,
    /// How many criteria at once.
    pub concurrency: usize,
    /// Which of several replies to the same question is meant.
    pub attempt: u32,
    /// The wish to stop.
    pub stop: Stop,
    judges: Judges,
}

impl Bench {
    /// Opens a desk. Nothing is sent.
    pub async fn open(
        store: &Arc<Store>,
        options: &Options,
        stop: Stop,
        listener: impl Fn(&Event) + Send + Sync + 'static,
    ) -> Result<Self, BenchError> {
        let config = Config::load(options.config.as_deref(), &options.endpoints)?;
        let mut settings = JudgeSettings::default();
        settings.timeouts = Timeouts { reply: options.reply_timeout, ..settings.timeouts };
        settings.throttle.concurrency_max =
            u32::try_from(options.concurrency).unwrap_or(u32::MAX).max(1);
        let judges = match &options.replay {
            Some(path) => Judges::recorded(Replay::open(path)?, config.catalogue, settings),
            None => Judges::new(config.endpoints, config.catalogue, settings),
        };
        let attempt = if options.is_fresh {
            store.highest_attempt().await?.map_or(0, |attempt| attempt + 1)
        } else {
            0
        };
        let kept = options.replay.is_none().then(|| Arc::clone(store));
        let mut desk = Desk::new(kept, Budget::new(options.budget, 0), stop.clone());
        if let Some(path) = &options.record {
            let recorder =
                Recorder::create(path).map_err(|error| BenchError::Record(path.clone(), error))?;
            desk = desk.recording(recorder);
        }
        let desk = desk.telling(listener);
        Ok(Self { desk, concurrency: options.concurrency.max(1), attempt, stop, judges })
    }

    /// The model of that name; its key is read now.
    pub fn judge(&mut self, name: &ModelName) -> Result<Judge, BenchError> {
        Ok(self.judges.judge(name)?)
    }
}
