//! A session: the models that can be asked, where replies are kept, and what may be spent.

use std::sync::Arc;

use assize_methods::Ask;
use assize_models::{Budget, Catalogue, EndpointError, ModelName, Recorder, Replay, Timeouts};
use assize_store::{Store, StoreError};

use super::account::{Account, Event};
use super::config::Config;
use super::error::AskError;
use super::judge::{Judge, JudgeSettings, Judges};
use super::lazy_reader::LazyReader;
use super::options::AskOptions;
use super::outcome::{Answered, NoAnswer};
use super::sender::Sender;
use super::stop::Stop;

/// Everything that asking needs, shared by all items of a run. A clone asks through the same
/// connections, within the same limits.
#[derive(Clone)]
pub struct AskSession {
    pub(crate) sender: Arc<Sender>,
    judges: Arc<Judges>,
    recorded: Vec<ModelName>,
    /// How many items are worked on at once.
    pub concurrency: usize,
    /// Which reply to the same question is meant: 0, or for a fresh run the first one free.
    pub attempt: u32,
    /// The wish to stop.
    pub stop: Stop,
    /// What reads for judges without a language model.
    pub(crate) reader: LazyReader,
}

impl AskSession {
    /// Opens the database and what else is needed. Nothing is sent.
    pub async fn open(
        options: &AskOptions,
        config: Config,
        stop: Stop,
        listener: impl Fn(&Event) + Send + Sync + 'static,
    ) -> Result<Self, AskError> {
        let store = match (&options.database, &options.replay) {
            // Who only looks at what it would cost makes no database.
            (Some(place), None) if options.sends_nothing => {
                match Store::open_to_read(place).await {
                    Err(StoreError::Missing { .. }) => None,
                    opened => Some(Arc::new(opened?)),
                }
            }
            (Some(place), None) => Some(Arc::new(Store::open(place).await?)),
            _ => None,
        };
        Self::over(store, options, config, stop, listener).await
    }

    /// The same over a database that is open already.
    pub async fn over(
        store: Option<Arc<Store>>,
        options: &AskOptions,
        config: Config,
        stop: Stop,
        listener: impl Fn(&Event) + Send + Sync + 'static,
    ) -> Result<Self, AskError> {
        let mut settings =
            JudgeSettings { is_undefended: options.is_undefended, ..JudgeSettings::default() };
        settings.timeouts = Timeouts { reply: options.reply_timeout, ..settings.timeouts };
        settings.throttle.concurrency_max =
            u32::try_from(options.concurrency).unwrap_or(u32::MAX).max(1);
        let (judges, recorded) = match &options.replay {
            Some(path) => from_recording(Replay::open(path)?, config.catalogue, settings),
            None if options.sends_nothing => {
                (Judges::unasked(config.endpoints, config.catalogue, settings), Vec::new())
            }
            None => (Judges::new(config.endpoints, config.catalogue, settings), Vec::new()),
        };
        let store = store.filter(|_| options.replay.is_none());
        let attempt = match &store {
            Some(store) if options.is_fresh => {
                store.highest_attempt().await?.map_or(0, |attempt| attempt + 1)
            }
            _ => 0,
        };
        let mut sender = Sender::new(store, Budget::new(options.budget, 0), stop.clone());
        if let Some(path) = &options.record {
            let created = Recorder::create(path);
            sender = sender
                .with_recorder(created.map_err(|error| AskError::Record(path.clone(), error))?);
        }
        let sender = Arc::new(sender.with_listener(listener));
        let (judges, concurrency) = (Arc::new(judges), options.concurrency.max(1));
        let reader = options.reader.clone();
        Ok(Self { sender, judges, recorded, concurrency, attempt, stop, reader })
    }

    /// A session that answers from a transcript in memory: no database, no network.
    pub fn recorded(origin: &str, text: &str) -> Result<Self, AskError> {
        let replay = Replay::from_text(origin, text)?;
        let (judges, recorded) =
            from_recording(replay, Catalogue::built_in(), JudgeSettings::default());
        let stop = Stop::default();
        let sender = Arc::new(Sender::new(None, Budget::new(None, 0), stop.clone()));
        let (judges, reader) = (Arc::new(judges), LazyReader::default());
        Ok(Self { sender, judges, recorded, concurrency: 1, attempt: 0, stop, reader })
    }

    /// The model of that name; its key is read now, and nothing is sent.
    pub fn judge(&self, name: &ModelName) -> Result<Judge, EndpointError> {
        self.judges.judge(name)
    }

    /// Makes sure that all of them can be asked, before the first one is.
    pub fn connect<'a>(
        &self,
        models: impl IntoIterator<Item = &'a ModelName>,
    ) -> Result<(), EndpointError> {
        models.into_iter().try_for_each(|name| self.judge(name).map(drop))
    }

    /// The models whose replies a transcript holds; empty when models are on the network.
    pub(crate) fn recorded_models(&self) -> &[ModelName] {
        &self.recorded
    }

    /// Asks a model, as [`Sender::ask`] does.
    pub async fn ask<A: Ask>(
        &self,
        judge: &Judge,
        ask: &A,
        attempt: u32,
    ) -> Result<Answered<A::Answer>, NoAnswer> {
        self.sender.ask(judge, ask, attempt).await
    }

    /// What was done so far.
    pub fn account(&self) -> Account {
        self.sender.account()
    }
}

fn from_recording(
    replay: Replay,
    catalogue: Catalogue,
    settings: JudgeSettings,
) -> (Judges, Vec<ModelName>) {
    let models = replay.models().cloned().collect();
    (Judges::recorded(replay, catalogue, settings), models)
}
