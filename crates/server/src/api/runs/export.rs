//! A run as a file, sent while it is written.

use std::io;

use assize_engine::Workspace;
use assize_engine::runs::RunError;
use assize_engine::runs::export::ExportFormat;
use assize_engine::store::Run;
use axum::body::{Body, Bytes};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::sync::mpsc;

use super::named;
use crate::api::describe::Operation;
use crate::api::extract;
use crate::auth::Org;
use crate::error::{AppError, Result};

/// Pieces that wait for a slow client.
const PIECES: usize = 8;

/// How to export a run.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct How {
    /// The format: `jsonl`, `json` or `csv`; for compliance runs also `xlsx`, `pdf`, `pdf-full`,
    /// `oscal` and `poam`. Defaults to `jsonl`.
    format: Option<String>,
    /// The version of the verdicts; defaults to the current one.
    #[schemars(range(min = 1))]
    version: Option<i64>,
}

pub(crate) const EXPORT: Operation =
    Operation::new("Export a run as a file").query::<How>().gives_file("*/*");

/// `GET /api/v1/runs/{run}/export`.
pub(crate) async fn run(
    Org(workspace): Org,
    extract::Path(name): extract::Path<String>,
    extract::Query(how): extract::Query<How>,
) -> Result<Response> {
    let run = named(&workspace, &name).await?;
    let format = how.format.as_deref().unwrap_or("jsonl").parse::<ExportFormat>();
    let format = format.map_err(|error| AppError::bad_input(format!("format: {error}")))?;
    file(workspace, run, how.version, format)
}

/// A run as a file, sent while it is written. The pages give the same bytes.
pub(crate) fn file(
    workspace: Workspace,
    run: Run,
    version: Option<i64>,
    format: ExportFormat,
) -> Result<Response> {
    // Refused before the first byte: afterwards there is no way to say so.
    workspace.check_export(&run, workspace.version_of(&run, version)?, format)?;
    let attachment = format!("attachment; filename=\"{}\"", format.file_name(&run));
    let (sender, receiver) = mpsc::channel::<io::Result<Option<Bytes>>>(PIECES);
    tokio::spawn(async move {
        let take = |piece: Vec<u8>| {
            let sender = sender.clone();
            async move {
                let gone = |_| RunError::Refused("the client is gone".to_owned());
                sender.send(Ok(Some(piece.into()))).await.map_err(gone)
            }
        };
        let end = match workspace.export_run(&run, version, format, take).await {
            Ok(_) => Ok(None),
            Err(error) => Err(io::Error::other(error.to_string())),
        };
        let _ = sender.send(end).await;
    });
    let pieces = stream::unfold(Some(receiver), |receiver| async {
        let mut receiver = receiver?;
        match receiver.recv().await {
            Some(Ok(Some(piece))) => Some((Ok(piece), Some(receiver))),
            Some(Ok(None)) => None,
            Some(Err(error)) => Some((Err(error), None)),
            // Whoever wrote it is gone without a word: what came so far is not all.
            None => Some((Err(io::Error::other("the export ended early")), None)),
        }
    });
    // Compression looks once more after the end.
    let pieces = pieces.fuse();
    let headers =
        [(CONTENT_TYPE, format.media_type().to_owned()), (CONTENT_DISPOSITION, attachment)];
    Ok((headers, Body::from_stream(pieces)).into_response())
}
