//! What all calls share: providers, defaults, places to keep things, and the purse.

use assize_engine::council::{Choices, ChoicesError};
use assize_engine::interview::{Event, Stop};
use assize_engine::summary::model::{Config, ConfigError};
use thiserror::Error;
use tokio::sync::mpsc::UnboundedSender;

use crate::progress::Told;
use crate::purse::Purse;
use crate::settings::Settings;

/// What all calls share.
pub(crate) struct House {
    pub(crate) settings: Settings,
    pub(crate) config: Config,
    /// The council's choices of file and environment.
    pub(crate) choices: Choices,
    pub(crate) purse: Purse,
    tell: Box<dyn Fn(&str) + Send + Sync>,
}

/// Why the server cannot begin.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HouseError {
    /// The providers or prices cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The council's settings cannot.
    #[error(transparent)]
    Choices(#[from] ChoicesError),
}

impl House {
    /// Reads file and environment once: a mistake in them is told at the start.
    pub(crate) fn open(
        settings: Settings,
        tell: impl Fn(&str) + Send + Sync + 'static,
    ) -> Result<Self, HouseError> {
        let config = Config::load(settings.config.as_deref(), &settings.endpoints)?;
        let file = Choices::from_file(settings.config.as_deref())?;
        let choices = Choices::from_environment()?.over(file);
        let purse = Purse::new(settings.budget);
        Ok(Self { settings, config, choices, purse, tell: Box::new(tell) })
    }

    /// Says something to whoever reads the log.
    pub(crate) fn tell(&self, words: &str) {
        (self.tell)(words);
    }
}

/// One call: how it is told that nobody waits for it any more, and whom it tells how far it is.
pub(crate) struct Call {
    pub(crate) stop: Stop,
    pub(crate) steps: UnboundedSender<Told>,
}

/// What happens while models are asked is nobody's business but the verdict's.
pub(crate) fn unheard(_: &Event) {}
