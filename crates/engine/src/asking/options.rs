//! How models are asked, whatever they are asked about.

use std::path::PathBuf;
use std::time::Duration;

use assize_models::Limit;
use assize_store::Place;

use super::LazyReader;

/// How models are asked.
#[derive(Debug, Clone)]
pub struct AskOptions {
    /// Where exchanges are kept; a replay keeps none.
    pub database: Option<Place>,
    /// What may be spent.
    pub budget: Option<Limit>,
    /// A transcript to write.
    pub record: Option<PathBuf>,
    /// A transcript to answer from, instead of the network.
    pub replay: Option<PathBuf>,
    /// Whether replies that are kept are left aside.
    pub is_fresh: bool,
    /// How many requests at once for each provider, and how many items at once.
    pub concurrency: usize,
    /// How long a reply may take.
    pub reply_timeout: Duration,
    /// Whether nothing is sent whatever happens: then no key is needed either.
    pub sends_nothing: bool,
    /// Whether prompts are sent without their defences, to measure what these are worth.
    pub is_undefended: bool,
    /// What reads for judges without a language model.
    pub reader: LazyReader,
}

impl AskOptions {
    /// Enough to keep a hosted provider busy; the throttle lowers it for one that objects.
    pub const CONCURRENCY: usize = 16;
    /// Long replies of slow local models take about a minute.
    pub const REPLY_TIMEOUT: Duration = Duration::from_mins(2);

    /// The same, sending nothing: replies that are kept are used, and no other can be paid.
    #[must_use]
    pub fn sending_nothing(mut self) -> Self {
        self.budget = Some(Limit::Tokens(0));
        self.record = None;
        self.sends_nothing = true;
        self
    }
}

impl Default for AskOptions {
    fn default() -> Self {
        Self {
            database: None,
            budget: None,
            record: None,
            replay: None,
            is_fresh: false,
            concurrency: Self::CONCURRENCY,
            reply_timeout: Self::REPLY_TIMEOUT,
            sends_nothing: false,
            is_undefended: false,
            reader: LazyReader::default(),
        }
    }
}
