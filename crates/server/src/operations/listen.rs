//! Figures of a program that answers nothing else.

use std::net::SocketAddr;
use std::sync::Arc;

use assize_engine::metrics::Metrics;
use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::get;
use tokio::net::TcpListener;

use super::metrics::MEDIA_TYPE;

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
