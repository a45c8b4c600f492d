//! Whose turn it is: so many requests are computed at once, and the others wait in line.
//!
//! Whatever is asked for at once is done no sooner when all of it is under way together: each
//! would only wait for the others at every step, and all of them end late.

use std::sync::Arc;
use std::thread::available_parallelism;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use tokio::sync::Semaphore;

use crate::state::AppState;

/// For each core one that computes and one that waits for the database.
const TURNS_OF_A_CORE: usize = 2;
/// On a small machine too a long request leaves room for others.
const TURNS_MIN: usize = 4;

/// The line.
#[derive(Debug)]
pub struct ConcurrencyLimit(Semaphore);

impl Default for ConcurrencyLimit {
    fn default() -> Self {
        let cores = available_parallelism().map_or(1, usize::from);
        Self(Semaphore::new((cores * TURNS_OF_A_CORE).max(TURNS_MIN)))
    }
}

/// Lets a request wait until it is its turn. The turn ends with the head of the answer: a body
/// that comes piece by piece keeps nobody waiting.
pub(crate) async fn limit_concurrency(
    State(state): State<Arc<AppState>>,
    request: Request,
    next: Next,
) -> Response {
    // The line is never closed.
    let _turn = state.concurrency.0.acquire().await;
    next.run(request).await
}
