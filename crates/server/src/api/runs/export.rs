//! A run as a file, sent while it is written.

use std::io::{self, Write};
use std::sync::Arc;

use assize_engine::runs::export::ExportFormat;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{self, Sender};
use tokio::task::spawn_blocking;

use super::named;
use crate::api::describe::Operation;
use crate::api::take;
use crate::auth::Caller;
use crate::error::AppError;
use crate::state::AppState;

/// Pieces that wait for a slow client.
const PIECES: usize = 8;
/// How large a piece is.
const PIECE_BYTES: usize = 64 << 10;

/// How to export a run.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct How {
    /// The format; defaults to `jsonl`.
    #[serde(default)]
    format: Format,
    /// The version of the verdicts; defaults to the current one.
    #[schemars(range(min = 1))]
    version: Option<i64>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Format {
    /// A line for the run, then one for each item, with evidence and ledger.
    #[default]
    Jsonl,
    /// The same as a single JSON document.
    Json,
    /// One row per item: its subject, outcome and scores.
    Csv,
}

pub(crate) const EXPORT: Operation =
    Operation::new("Export a run as a file").query::<How>().gives_file("*/*");

/// `GET /api/v1/runs/{run}/export`.
pub(crate) async fn run(
    State(state): State<Arc<AppState>>,
    caller: Caller,
    take::Path(name): take::Path<String>,
    take::Query(how): take::Query<How>,
) -> Result<Response, AppError> {
    let registry = state.registry(&caller);
    let run = named(&registry, &name).await?;
    // Refused before the first byte: afterwards there is no way to say so.
    registry.version_of(&run, how.version)?;
    let (format, ending, media_type) = match how.format {
        Format::Jsonl => (ExportFormat::Jsonl, "jsonl", "application/jsonl"),
        Format::Json => (ExportFormat::Json, "json", "application/json"),
        Format::Csv => (ExportFormat::Csv, "csv", "text/csv; charset=utf-8"),
    };
    let attachment = format!("attachment; filename=\"run-{}.{ending}\"", run.number);
    let (sender, receiver) = mpsc::channel(PIECES);
    let handle = Handle::current();
    spawn_blocking(move || {
        let mut pieces = Pieces { sender: sender.clone(), piece: Vec::new() };
        let written = handle.block_on(registry.export_run(&run, how.version, format, &mut pieces));
        if let Err(error) = written {
            // The client sees that the body ends early, and does not take it for all.
            let _ = sender.blocking_send(Err(io::Error::other(error.to_string())));
        }
    });
    let pieces = stream::unfold(receiver, |mut receiver| async {
        receiver.recv().await.map(|piece| (piece, receiver))
    });
    // Compression looks once more after the end.
    let pieces = pieces.fuse();
    let headers = [(CONTENT_TYPE, media_type.to_owned()), (CONTENT_DISPOSITION, attachment)];
    Ok((headers, Body::from_stream(pieces)).into_response())
}

/// Collects what is written, and sends it piece by piece.
struct Pieces {
    sender: Sender<Result<Bytes, io::Error>>,
    piece: Vec<u8>,
}

impl Pieces {
    fn send(&mut self) -> io::Result<()> {
        let piece = std::mem::take(&mut self.piece);
        self.sender.blocking_send(Ok(piece.into())).map_err(io::Error::other)
    }
}

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.piece.extend_from_slice(bytes);
        if self.piece.len() >= PIECE_BYTES {
            self.send()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.piece.len() >= PIECE_BYTES { self.send() } else { Ok(()) }
    }
}

impl Drop for Pieces {
    fn drop(&mut self) {
        if !self.piece.is_empty() {
            let _ = self.send();
        }
    }
}
