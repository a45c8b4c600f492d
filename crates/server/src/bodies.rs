//! Bodies on their way in: how long they may pause, how many come from one address at a time, and
//! how much of them is in memory.

use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header::CONNECTION;
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncSeekExt, AsyncWriteExt};
use tokio::sync::Semaphore;
use tokio::time::{Instant, Sleep, sleep};

use crate::api::extract::length;
use crate::crowds::{Crowds, Place};
use crate::error::{AppError, Result};
use crate::serve::Client;
use crate::state::AppState;

/// A body that brings nothing for so long is given up.
const PAUSE_MAX: Duration = Duration::from_secs(10);
/// Bodies on their way from one address.
const OF_ADDRESS_MAX: usize = 64;
/// What all large bodies that are worked on have together, in MiB: one of the largest at a time.
/// Reading a document takes several times as much.
const MEMORY_MIB: u32 = 32;
/// A smaller body waits for nobody.
const SMALL: usize = 1 << 20;
/// What is read from a file at a time.
const PIECE: usize = 64 << 10;

/// What is shared by all.
#[derive(Debug)]
pub struct Bodies {
    coming: Arc<Crowds>,
    memory: Semaphore,
}

impl Default for Bodies {
    fn default() -> Self {
        let memory = Semaphore::new(usize::try_from(MEMORY_MIB).unwrap_or_default());
        Self { coming: Crowds::new(OF_ADDRESS_MAX), memory }
    }
}

/// Refuses a body when too many are on their way from the same address, and gives one up that
/// pauses. Whoever they are: nobody knows yet.
pub(crate) async fn limited(
    State(state): State<Arc<AppState>>,
    request: Request,
    next: Next,
) -> Response {
    let address = request.extensions().get::<Client>().map(|client| client.0.ip());
    let (Some(address), false) = (address, request.body().is_end_stream()) else {
        return next.run(request).await;
    };
    let Some(slow) = Slow::new(&state.bodies, address) else {
        let detail = "too many requests are being sent from this address: wait for them to finish";
        let mut refused = AppError::too_many(detail).into_response();
        // The rest of the body is not waited for.
        refused.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        return refused;
    };
    next.run(request.map(|body| Body::new(Slow { body, ..slow }))).await
}

/// Takes a large body to a file, then has it wait until there is room for it in memory: whoever
/// sends slowly keeps nobody waiting. The room is free again with the answer. Stands behind the
/// door.
pub(crate) async fn in_memory(
    State(state): State<Arc<AppState>>,
    request: Request,
    next: Next,
) -> Result<Response> {
    let bytes_max = state.settings.body_bytes_max;
    let bytes = length(request.headers()).unwrap_or(bytes_max);
    if request.body().is_end_stream() || bytes <= SMALL {
        return Ok(next.run(request).await);
    }
    let (parts, body) = request.into_parts();
    if bytes > bytes_max {
        return Err(too_large());
    }
    let (file, bytes) = spooled(body, bytes_max).await?;
    let room = u32::try_from(bytes.div_ceil(1 << 20)).unwrap_or(MEMORY_MIB).min(MEMORY_MIB);
    // It is never closed.
    let _room = state.bodies.memory.acquire_many(room).await;
    Ok(next.run(Request::from_parts(parts, read_from(file))).await)
}

/// Takes a body to a file that nobody else sees and that is gone with its last reader. Returns how
/// long it is.
async fn spooled(body: Body, bytes_max: usize) -> Result<(File, usize)> {
    let failed = |error: std::io::Error| {
        tracing::error!(%error, "a body could not be kept in a temporary file");
        AppError::our_fault()
    };
    let mut file = File::from_std(tempfile::tempfile().map_err(failed)?);
    let (mut pieces, mut bytes) = (body.into_data_stream(), 0);
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|error| AppError::bad_input(error.to_string()))?;
        bytes += piece.len();
        if bytes > bytes_max {
            return Err(too_large());
        }
        file.write_all(&piece).await.map_err(failed)?;
    }
    file.flush().await.map_err(failed)?;
    file.rewind().await.map_err(failed)?;
    Ok((file, bytes))
}

fn read_from(file: File) -> Body {
    Body::from_stream(stream::try_unfold(file, async |mut file| {
        let mut piece = vec![0; PIECE];
        let count = file.read(&mut piece).await?;
        piece.truncate(count);
        let more = (count > 0).then(|| (Bytes::from(piece), file));
        Ok::<_, std::io::Error>(more)
    }))
}

fn too_large() -> AppError {
    AppError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", "the body is too large")
}

/// A body that is given up when it pauses.
struct Slow {
    body: Body,
    pause: Pin<Box<Sleep>>,
    _place: Place,
}

impl Slow {
    fn new(bodies: &Bodies, address: IpAddr) -> Option<Self> {
        let place = bodies.coming.join(address)?;
        Some(Self { body: Body::empty(), pause: Box::pin(sleep(PAUSE_MAX)), _place: place })
    }
}

impl HttpBody for Slow {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        if frame.is_ready() {
            self.pause.as_mut().reset(Instant::now() + PAUSE_MAX);
            return frame;
        }
        std::task::ready!(self.pause.as_mut().poll(context));
        let because = format!("nothing came for {} seconds", PAUSE_MAX.as_secs());
        Poll::Ready(Some(Err(axum::Error::new(std::io::Error::other(because)))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
