//! What all calls share: providers, defaults, places to keep things, and the budget.

use assize_engine::asking::{
    AskError, AskOptions, AskSession, Config, ConfigError, Event, Limit, Stop,
};
use assize_engine::configuration::Written;
use assize_engine::council::{OperatorError, OperatorPolicy};
use thiserror::Error;
use tokio::sync::mpsc::UnboundedSender;

use crate::budget::McpBudget;
use crate::progress::ProgressNote;
use crate::settings::Settings;

/// What all calls share.
pub(crate) struct McpState {
    pub(crate) settings: Settings,
    pub(crate) config: Config,
    /// What file and environment say about councils.
    pub(crate) operator: OperatorPolicy,
    pub(crate) budget: McpBudget,
    tell: Box<dyn Fn(&str) + Send + Sync>,
}

/// Why the server cannot begin.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StateError {
    /// The providers or prices cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The council's settings cannot.
    #[error(transparent)]
    Operator(#[from] OperatorError),
}

impl McpState {
    /// Reads file and environment once: a mistake in them is told at the start.
    pub(crate) fn open(
        settings: Settings,
        tell: impl Fn(&str) + Send + Sync + 'static,
    ) -> Result<Self, StateError> {
        let (path, variables) = (settings.config.as_deref(), settings.variables.clone());
        let written = Written::load(path, &variables)?;
        let operator = OperatorPolicy::from_written(&written, &variables)?;
        let config = Config::new(&written, &settings.endpoints, variables)?;
        let budget = McpBudget::new(settings.budget);
        Ok(Self { settings, config, operator, budget, tell: Box::new(tell) })
    }

    /// A session for one call that may spend so much.
    pub(crate) async fn session(
        &self,
        call: &Call,
        budget: Option<Limit>,
    ) -> Result<AskSession, AskError> {
        let Settings { database, replay, concurrency, reply_timeout, .. } = &self.settings;
        let options = AskOptions {
            database: Some(database.clone()),
            budget,
            replay: replay.clone(),
            concurrency: *concurrency,
            reply_timeout: *reply_timeout,
            ..AskOptions::default()
        };
        AskSession::open(&options, self.config.clone(), call.stop.clone(), ignore_event).await
    }

    /// Says something to whoever reads the log.
    pub(crate) fn tell(&self, words: &str) {
        (self.tell)(words);
    }
}

/// One call: how it is told that nobody waits for it any more, and whom it tells how far it is.
pub(crate) struct Call {
    pub(crate) stop: Stop,
    pub(crate) steps: UnboundedSender<ProgressNote>,
}

/// What happens while models are asked is nobody's business but the verdict's.
fn ignore_event(_: &Event) {}
