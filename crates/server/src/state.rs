//! What every request shares: the open database, the settings, what is counted, the wish to stop.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use assize_engine::asking::Stop;
use assize_engine::compliance::Registry;
use assize_engine::database::Place;
use assize_engine::store::{Store, StoreError};

use crate::auth::Caller;
use crate::operations::metrics::Metrics;

/// Bodies that are larger are refused before they are read.
const BODY_BYTES_MAX: usize = 32 << 20;
/// A request that takes longer is given up.
const REQUEST_TIMEOUT: Duration = Duration::from_mins(1);

/// How the server is run; decided by whoever starts it, never by a request.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where it listens; port 0 takes a free one.
    pub bind: SocketAddr,
    /// Where everything is kept.
    pub database: Place,
    /// The largest body of a request.
    pub body_bytes_max: usize,
    /// How long a request may take.
    pub request_timeout: Duration,
}

impl Settings {
    /// The usual ones.
    pub fn new(bind: SocketAddr, database: Place) -> Self {
        Self { bind, database, body_bytes_max: BODY_BYTES_MAX, request_timeout: REQUEST_TIMEOUT }
    }

    /// Whether everybody who can connect is the one person whose machine it is.
    pub fn is_open(&self) -> bool {
        self.bind.ip().is_loopback()
    }
}

/// What every request shares.
#[derive(Debug)]
pub struct AppState {
    /// The open database.
    pub store: Arc<Store>,
    /// How the server is run.
    pub settings: Settings,
    /// What is counted for `/metrics`.
    pub metrics: Metrics,
    /// Asked when the server is to end: streams end, runs are left.
    pub stop: Stop,
}

impl AppState {
    /// Opens the database; a fresh one gets its tables.
    pub async fn open(settings: Settings) -> Result<Arc<Self>, StoreError> {
        let store = Arc::new(Store::open(&settings.database).await?);
        Ok(Arc::new(Self { store, settings, metrics: Metrics::new(), stop: Stop::default() }))
    }

    /// Waits until everything is written.
    pub(crate) async fn close(self: Arc<Self>) {
        if let Ok(state) = Arc::try_unwrap(self)
            && let Ok(store) = Arc::try_unwrap(state.store)
        {
            store.close().await;
        }
    }

    /// The database as a caller sees it: their organisation, and nothing else.
    pub fn registry(&self, caller: &Caller) -> Registry {
        Registry {
            store: Arc::clone(&self.store),
            organisation: caller.organisation.clone(),
            who: caller.who.clone(),
        }
    }
}
