//! The server from its start to its end.

use std::time::Duration;

use assize_engine::asking::Stop;
use rmcp::serve_server;
use rmcp::service::ServerInitializeError;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::io::stdio_pipes;
use thiserror::Error;
use tokio::{select, time};

use crate::lines::{Lines, between};
use crate::server::{CALLS_MAX, Server};
use crate::settings::Settings;
use crate::state::{McpState, StateError};

/// How long calls may take to come to an end when the server does.
const GRACE: Duration = Duration::from_secs(5);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The client closed its side.
    Closed,
    /// Somebody asked it to stop.
    Interrupted,
}

/// Why it could not begin or go on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The settings cannot be used.
    #[error(transparent)]
    State(#[from] StateError),
    /// What came in is not this protocol.
    #[error("the client did not start the session as the protocol requires: {0}")]
    Handshake(String),
}

/// Serves one client on standard input and output until either side ends it. Nothing but the
/// protocol is written to standard output; `tell` gets what is worth a line in a log.
pub async fn serve(
    settings: Settings,
    stop: &Stop,
    tell: impl Fn(&str) + Send + Sync + 'static,
) -> Result<Ended, ServeError> {
    let server = Server::new(McpState::open(settings, tell)?);
    let (input, output) = stdio_pipes();
    // The limit is ours: a message that the transport drops leaves its sender waiting.
    let Lines { input, output, written } = between(input, output);
    let transport = AsyncRwTransport::new_server(input, output).with_max_line_length(usize::MAX);
    server.state.tell("serving tools on standard input and output");
    let serving = async {
        match serve_server(server.clone(), transport).await {
            Ok(running) => {
                let _ = running.waiting().await;
                Ok(Ended::Closed)
            }
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(Ended::Closed),
            Err(error) => Err(ServeError::Handshake(error.to_string())),
        }
    };
    let ended = select! {
        ended = serving => ended,
        () = stop.asked() => Ok(Ended::Interrupted),
    };
    // Replies under way are paid for: they are brought home and kept.
    server.closing.ask();
    let _ = time::timeout(GRACE, server.places.acquire_many(CALLS_MAX)).await;
    let _ = time::timeout(GRACE, written).await;
    ended
}
