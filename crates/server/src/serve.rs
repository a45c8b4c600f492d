//! The server from its start to its end.

use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use assize_engine::accounts::AccountError;
use assize_engine::store::StoreError;
use axum::Router;
use axum::extract::Request;
use chrono::{TimeDelta, Utc};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use thiserror::Error;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::{select, time};
use tower::ServiceExt;

use crate::crowds::Crowds;
use crate::operations::listen::answer_probes;
use crate::router::router;
use crate::state::{AppState, Settings};
use crate::{background, memory};

/// How long requests may take to come to an end when the server does.
const GRACE: Duration = Duration::from_secs(8);
/// How long a client may take to send the headers of a request.
const HEADERS_TIMEOUT: Duration = Duration::from_secs(10);
/// Connections at once; more wait to be accepted.
const CONNECTIONS_MAX: usize = 2048;
/// Those of one address, unless it is a proxy's; more are closed at once.
const OF_ADDRESS_MAX: usize = 1024;
/// How long to wait after a failure to accept: mostly there are no more file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// How long the link for the first person counts.
const SETUP_COUNTS: TimeDelta = TimeDelta::hours(1);

/// Why the server could not begin.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Nobody can be let in.
    #[error(transparent)]
    Account(#[from] AccountError),
    /// The address is taken, or not one of this machine.
    #[error("cannot listen on {address}")]
    Bind {
        /// Where it should have listened.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
}

/// A server that listens already, and answers once it is [run](Serving::run).
#[derive(Debug)]
pub struct Serving {
    listener: TcpListener,
    probes: Option<TcpListener>,
    /// What every request shares.
    pub state: Arc<AppState>,
    /// Where it listens.
    pub address: SocketAddr,
    /// Where it answers probes besides.
    pub probe_address: Option<SocketAddr>,
    /// The way in for the first person, where accounts are needed and there is none.
    pub setup_link: Option<String>,
}

/// Opens the database and listens.
pub async fn serve(settings: Settings) -> Result<Serving, ServeError> {
    memory::give_back();
    // Listening first: an address that is taken should not leave a fresh database behind.
    let (listener, address) = bound(settings.bind).await?;
    let (probes, probe_address) = match settings.probe_bind {
        Some(address) => Some(bound(address).await?),
        None => None,
    }
    .unzip();
    let state = AppState::open(settings).await?;
    let mut setup_link = None;
    if state.settings.takes_passwords() && state.store.accounts().is_empty().await? {
        setup_link = Some(way_in(&state).await?);
    }
    Ok(Serving { listener, probes, state, address, probe_address, setup_link })
}

/// The address at which the first account is made, for a while.
pub(crate) async fn way_in(state: &AppState) -> Result<String, AccountError> {
    let link = state.everything().offer_setup(Utc::now() + SETUP_COUNTS).await?;
    Ok(format!("/setup?link={link}"))
}

async fn bound(address: SocketAddr) -> Result<(TcpListener, SocketAddr), ServeError> {
    let unbound = |source| ServeError::Bind { address, source };
    let listener = TcpListener::bind(address).await.map_err(unbound)?;
    let address = listener.local_addr().map_err(unbound)?;
    Ok((listener, address))
}

impl Serving {
    /// Answers until `stop` comes to an end, then lets requests that are under way finish.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let Self { listener, probes, state, .. } = self;
        if let Some(probes) = probes {
            answer_probes(probes, Arc::clone(&state));
        }
        let router = router(Arc::clone(&state));
        if let Err(error) = background::start_worker(&state).await {
            tracing::warn!(error = error.detail(), "interrupted runs could not be resumed");
        }
        background::start_sweeps(&state);
        let connections = GracefulShutdown::new();
        let free = Arc::new(Semaphore::new(CONNECTIONS_MAX));
        let crowds = Crowds::new(OF_ADDRESS_MAX);
        let mut stop = pin!(stop);
        loop {
            let accepted = select! {
                accepted = accept(&listener, &free) => accepted,
                () = &mut stop => break,
            };
            let Ok((stream, client, permit)) = accepted else {
                time::sleep(ACCEPT_PAUSE).await;
                continue;
            };
            let ip = client.ip().to_canonical();
            let is_proxy = state.settings.proxy.addresses.contains(&ip);
            let place = crowds.join(ip);
            if place.is_none() && !is_proxy {
                continue;
            }
            let connection = connections.watch(connection(stream, client, router.clone()));
            tokio::spawn(async move {
                // A client that goes away in the middle is its own affair.
                let _ = connection.await;
                drop((permit, place));
            });
        }
        drop(listener);
        state.stop.ask();
        let end = async { tokio::join!(state.background.end(), connections.shutdown()) };
        let _ = time::timeout(GRACE, end).await;
        state.close().await;
    }
}

/// Who is at the other end.
#[derive(Debug, Clone, Copy)]
pub struct Client(pub SocketAddr);

async fn accept(
    listener: &TcpListener,
    free: &Arc<Semaphore>,
) -> io::Result<(TcpStream, SocketAddr, tokio::sync::OwnedSemaphorePermit)> {
    let permit = Arc::clone(free).acquire_owned().await.map_err(io::Error::other)?;
    let (stream, client) = listener.accept().await?;
    // Small answers should not wait for more to come.
    stream.set_nodelay(true)?;
    Ok((stream, client, permit))
}

fn connection(
    stream: TcpStream,
    client: SocketAddr,
    router: Router,
) -> http1::Connection<
    TokioIo<TcpStream>,
    impl hyper::service::HttpService<
        Incoming,
        ResBody = axum::body::Body,
        Error = std::convert::Infallible,
        Future: Send,
    >,
> {
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let mut request: Request = request.map(axum::body::Body::new);
        request.extensions_mut().insert(Client(client));
        router.clone().oneshot(request)
    });
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS_TIMEOUT)
        .serve_connection(TokioIo::new(stream), service)
}
