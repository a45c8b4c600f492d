//! What the server may do: decided by whoever starts it, not by whoever calls it.

use std::path::PathBuf;
use std::time::Duration;

use assize_engine::asking::{Limit, Variables};
use assize_engine::database::Place;

/// What the server may do.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Providers, prices and the council's defaults; `None` is `assize.toml`, if there is one.
    pub config: Option<PathBuf>,
    /// Servers by name, before those of the file.
    pub endpoints: Vec<(String, String)>,
    /// Where replies are kept.
    pub database: Place,
    /// Where council runs are kept.
    pub runs: PathBuf,
    /// What may be spent by all calls together.
    pub budget: Option<Limit>,
    /// A transcript to answer from, instead of the network.
    pub replay: Option<PathBuf>,
    /// How many requests at once, for each provider.
    pub concurrency: usize,
    /// Where keys and the council's settings are looked up.
    pub variables: Variables,
    /// How long a reply may take.
    pub reply_timeout: Duration,
}
