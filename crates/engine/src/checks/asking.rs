//! The session that checks share: one budget, one transcript, one database for all of them.

use std::sync::Arc;

use tokio::sync::OnceCell;

use crate::asking::{AskError, AskOptions, AskSession, Config, Event, Stop};

/// How models are asked, should a check need one.
pub struct Asking {
    options: AskOptions,
    config: Config,
    stop: Stop,
    tell: fn(&Event),
    session: OnceCell<Arc<AskSession>>,
}

impl Asking {
    /// Nothing is opened yet.
    pub fn new(options: AskOptions, config: Config, stop: Stop, tell: fn(&Event)) -> Self {
        Self { options, config, stop, tell, session: OnceCell::new() }
    }

    /// The session, opened when the first check asks a model.
    pub(super) async fn session(&self) -> Result<Arc<AskSession>, AskError> {
        let open = || async {
            let (config, stop) = (self.config.clone(), self.stop.clone());
            AskSession::open(&self.options, config, stop, self.tell).await.map(Arc::new)
        };
        self.session.get_or_try_init(open).await.cloned()
    }

    /// A session for rules, which ask nobody: no database, no network.
    pub(super) async fn idle(&self) -> Result<AskSession, AskError> {
        let options = AskOptions { reader: self.options.reader.clone(), ..AskOptions::default() };
        AskSession::over(None, &options, self.config.clone(), self.stop.clone(), self.tell).await
    }

    /// The session, if a model was asked.
    pub fn opened(&self) -> Option<&AskSession> {
        self.session.get().map(|session| &**session)
    }

    /// Whether somebody wants everything to end.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.is_asked()
    }
}
