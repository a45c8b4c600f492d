//! Probes and figures at an address of their own: no crowd of visitors keeps a probe waiting.

use std::net::SocketAddr;
use std::sync::Arc;

use assize_engine::metrics::Metrics;
use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::get;
use tokio::net::TcpListener;

use super::health;
use super::metrics::{MEDIA_TYPE, metrics};
use crate::state::AppState;

/// Answers `GET /metrics` at an address from now on. Returns where: port 0 takes a free one.
pub async fn listen(address: SocketAddr, metrics: Arc<Metrics>) -> std::io::Result<SocketAddr> {
    let listener = TcpListener::bind(address).await?;
    let address = listener.local_addr()?;
    let answer = move || {
        let text = metrics.text();
        async move { ([(CONTENT_TYPE, MEDIA_TYPE)], text).into_response() }
    };
    let routes = Router::new().route("/metrics", get(answer));
    tokio::spawn(async move {
        // It ends with the program.
        let _ = axum::serve(listener, routes).await;
    });
    Ok(address)
}

/// Answers probes of a server until it stops.
pub(crate) fn answer_probes(listener: TcpListener, state: Arc<AppState>) {
    let stop = state.stop.clone();
    let routes = Router::new()
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .route("/metrics", get(metrics))
        .with_state(state);
    tokio::spawn(async move {
        let stopped = async move { stop.asked().await };
        let _ = axum::serve(listener, routes).with_graceful_shutdown(stopped).await;
    });
}
