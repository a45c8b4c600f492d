//! One harmless request, to see whether a model can be reached.

use std::sync::Arc;
use std::time::{Duration, Instant};

use assize_methods::hello::{Hello, Word};
use assize_models::ModelName;
use assize_wire::models::ModelTested;
use async_recursion::async_recursion as boxed;
use chrono::Utc;

use super::config::Config;
use super::error::AskError;
use super::judge::Judge;
use super::options::AskOptions;
use super::outcome::{Answered, NoAnswer};
use super::session::AskSession;
use super::stop::Stop;
use crate::Workspace;
use crate::error::EngineError;

/// How long a reply may take: less than a request to a server may.
const PATIENCE: Duration = Duration::from_secs(30);

impl AskSession {
    /// Asks a model for one word.
    #[boxed]
    pub async fn greet(&self, judge: &Judge) -> Result<Answered<Word>, NoAnswer> {
        self.ask(judge, &Hello, self.attempt).await
    }
}

impl Workspace {
    /// Asks a model for one word, at the expense of the organisation's day. That it does not
    /// answer is what somebody wants to know, and no failure of the test.
    #[boxed]
    pub async fn test_model(
        &self,
        model: &ModelName,
        (config, options): (Config, AskOptions),
        stop: Stop,
    ) -> Result<ModelTested, AskError> {
        let options = AskOptions { reply_timeout: PATIENCE, ..options };
        let store = Some(Arc::clone(&self.store));
        let mut session = AskSession::over(store, &options, config, stop, |_| {}).await?;
        // Asked anew each time: a reply that is kept says nothing about now.
        let now = Utc::now().timestamp_millis() & i64::from(u32::MAX);
        session.attempt = u32::try_from(now).unwrap_or(u32::MAX);
        let judge = session.judge(model)?;
        let begun = Instant::now();
        let greeted = self.within_day(session.greet(&judge)).await?;
        let seconds = begun.elapsed().as_secs_f64();
        let (answer, tokens, failure) = match greeted {
            Ok(answered) => (Some(answered.answer.word), Some(answered.usage.total()), None),
            Err(NoAnswer::Unscored(unscored)) => (None, None, Some(unscored.because)),
            Err(NoAnswer::Halt(halt)) => (None, None, Some(EngineError::of(&halt).message)),
        };
        Ok(ModelTested { model: model.to_string(), seconds, answer, tokens, failure })
    }
}
