//! Writing a transcript: every exchange of a run, once, as lines of JSON.
//!
//! The first line says what the file is; each further line holds a key, the request, and
//! either a `reply` or a `failure`. Requests hold no keys of providers, so neither does a
//! transcript.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::chat::{ChatReply, ChatRequest};
use crate::error::{ProviderError, Result};
use crate::key::ExchangeKey;

/// The format of transcripts this program writes.
pub(crate) const FORMAT: u32 = 1;

/// The first line of a transcript.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Header {
    pub(crate) assize_transcript: u32,
}

/// Any other line.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Line {
    pub(crate) key: ExchangeKey,
    pub(crate) request: ChatRequest,
    #[serde(flatten)]
    pub(crate) end: End,
}

/// How an exchange ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum End {
    Reply(ChatReply),
    Failure(ProviderError),
}

impl End {
    pub(crate) fn result(self) -> Result<ChatReply> {
        match self {
            Self::Reply(reply) => Ok(reply),
            Self::Failure(error) => Err(error),
        }
    }
}

/// Writes a transcript while a run goes on.
#[derive(Debug)]
pub struct Recorder {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    file: BufWriter<File>,
    written: BTreeSet<ExchangeKey>,
}

impl Recorder {
    /// Begins a new file; one that exists is not overwritten.
    pub fn create(path: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        // It holds the texts that were judged: only its owner may read it.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = BufWriter::new(options.open(path)?);
        write_line(&mut file, &Header { assize_transcript: FORMAT })?;
        Ok(Self { state: Mutex::new(State { file, written: BTreeSet::new() }) })
    }

    /// Writes one exchange down, unless it was written before.
    pub fn record(&self, request: &ChatRequest, end: &Result<ChatReply>) -> io::Result<()> {
        let key = request.key();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if !state.written.insert(key) {
            return Ok(());
        }
        let end = match end {
            Ok(reply) => End::Reply(reply.clone()),
            Err(error) => End::Failure(error.clone()),
        };
        write_line(&mut state.file, &Line { key, request: request.clone(), end })
    }
}

fn write_line(file: &mut BufWriter<File>, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *file, line)?;
    file.write_all(b"\n")?;
    file.flush()
}
