//! Who can be asked, through which desk, and under which limits.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use assize_models::{
    Budget, Catalogue, EndpointError, Limit, ModelName, Recorder, Replay, ReplayError, RetryPolicy,
    Timeouts,
};
use assize_store::{Store, StoreError};
use thiserror::Error;

use super::seat::Seat;
use crate::interview::{Account, Desk, Event, Judge, JudgeSettings, Judges, Stop};
use crate::summary::model::{Config, ConfigError};

/// How much several replies of one model may differ.
const SAMPLES_TEMPERATURE: f64 = 0.7;

/// A request that fails is sent so often at most; one that may have been paid for counts twice.
/// A council goes on without a member that is away, so it waits for nobody very long.
const TRIES_MAX: u32 = 3;

/// How models are asked.
#[derive(Debug, Clone)]
pub struct Options {
    /// Where exchanges are kept; nowhere for replays.
    pub store: Option<PathBuf>,
    /// What may be spent.
    pub budget: Option<Limit>,
    /// A transcript to write.
    pub record: Option<PathBuf>,
    /// A transcript to answer from, instead of the network.
    pub replay: Option<PathBuf>,
    /// Whether replies that are kept are left aside.
    pub is_fresh: bool,
    /// How many requests at once, for each provider.
    pub concurrency: usize,
    /// How long a reply may take.
    pub reply_timeout: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            store: None,
            budget: None,
            record: None,
            replay: None,
            is_fresh: false,
            concurrency: 16,
            reply_timeout: Duration::from_mins(2),
        }
    }
}

/// A desk, and a line to everyone who has a seat.
pub struct Session {
    pub(super) desk: Desk,
    pub(super) stop: Stop,
    judges: BTreeMap<ModelName, Judge>,
    first_attempt: u32,
}

/// Why nobody can be asked.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SessionError {
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

impl Session {
    /// Opens everything that is needed to ask those who have a seat. Nothing is sent.
    pub async fn open(
        options: &Options,
        config: Config,
        seats: &[&Seat],
        stop: Stop,
        listener: impl Fn(&Event) + Send + Sync + 'static,
    ) -> Result<Self, SessionError> {
        let mut settings = judge_settings();
        settings.timeouts = Timeouts { reply: options.reply_timeout, ..settings.timeouts };
        settings.throttle.concurrency_max =
            u32::try_from(options.concurrency).unwrap_or(u32::MAX).max(1);
        let judges = match &options.replay {
            Some(path) => Judges::recorded(Replay::open(path)?, config.catalogue, settings),
            None => Judges::new(config.endpoints, config.catalogue, settings),
        };
        let store = match (&options.store, &options.replay) {
            (Some(path), None) => Some(Arc::new(Store::open(path).await?)),
            _ => None,
        };
        let first_attempt = match &store {
            Some(store) if options.is_fresh => store.highest_attempt().await?.map_or(0, |a| a + 1),
            _ => 0,
        };
        let mut desk = Desk::new(store, Budget::new(options.budget, 0), stop.clone());
        if let Some(path) = &options.record {
            let recorder = Recorder::create(path)
                .map_err(|error| SessionError::Record(path.clone(), error))?;
            desk = desk.recording(recorder);
        }
        let judges = connected(judges, seats)?;
        Ok(Self { desk: desk.telling(listener), stop, judges, first_attempt })
    }

    /// A session that answers from a transcript in memory: no store, no network.
    pub fn recorded(origin: &str, text: &str, seats: &[&Seat]) -> Result<Self, SessionError> {
        let replay = Replay::from_text(origin, text)?;
        let judges = Judges::recorded(replay, Catalogue::built_in(), judge_settings());
        let judges = connected(judges, seats)?;
        let stop = Stop::default();
        let desk = Desk::new(None, Budget::new(None, 0), stop.clone());
        Ok(Self { desk, stop, judges, first_attempt: 0 })
    }

    /// What was done so far.
    pub fn account(&self) -> Account {
        self.desk.account()
    }

    /// The model of a seat, and the number of the reply it stands for.
    pub(super) fn line(&self, seat: &Seat) -> (Judge, u32) {
        let judge = self.judges.get(&seat.model).expect("a session has a line to every seat");
        let mut judge = judge.clone();
        if seat.sample > 0 {
            judge.parameters.temperature = Some(SAMPLES_TEMPERATURE);
        }
        (judge, self.first_attempt + seat.sample)
    }
}

fn judge_settings() -> JudgeSettings {
    let retry = RetryPolicy { tries_max: TRIES_MAX, ..RetryPolicy::default() };
    JudgeSettings { retry, ..JudgeSettings::default() }
}

fn connected(
    mut judges: Judges,
    seats: &[&Seat],
) -> Result<BTreeMap<ModelName, Judge>, EndpointError> {
    let mut lines = BTreeMap::new();
    for seat in seats {
        if !lines.contains_key(&seat.model) {
            lines.insert(seat.model.clone(), judges.judge(&seat.model)?);
        }
    }
    Ok(lines)
}
