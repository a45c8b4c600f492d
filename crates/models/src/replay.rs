//! Replies from a recorded transcript, and from nowhere else.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::chat::{ChatReply, ChatRequest};
use crate::classify::shortened;
use crate::error::{ProviderError, Result};
use crate::key::ExchangeKey;
use crate::name::ModelName;
use crate::provider::{BoxFuture, Provider};
use crate::record::{End, FORMAT, Header, Line};

/// A recorded provider. It never invents: what was not recorded is an error.
#[derive(Debug)]
pub struct Replay {
    origin: String,
    models: BTreeSet<ModelName>,
    ends: BTreeMap<ExchangeKey, End>,
}

/// Why a transcript was refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// It could not be read.
    #[error("the transcript {0} could not be read")]
    Unreadable(PathBuf, #[source] io::Error),
    /// It is something else.
    #[error("{origin} is not a transcript of format {FORMAT}")]
    NotATranscript {
        /// Which file.
        origin: String,
    },
    /// One line of it is broken.
    #[error("{origin}, line {line}: not a recorded exchange")]
    Line {
        /// Which file.
        origin: String,
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        #[source]
        source: serde_json::Error,
    },
    /// Somebody changed a request after it was recorded.
    #[error("{origin}, line {line}: the key does not match the request")]
    Key {
        /// Which file.
        origin: String,
        /// Which line, from 1.
        line: usize,
    },
}

impl Replay {
    /// Reads a transcript from a file.
    pub fn open(path: &Path) -> Result<Self, ReplayError> {
        let unreadable = |error| ReplayError::Unreadable(path.to_owned(), error);
        let file = File::open(path).map_err(unreadable)?;
        Self::read(&path.display().to_string(), BufReader::new(file)).map_err(|error| match error {
            Failure::Io(error) => unreadable(error),
            Failure::Replay(error) => error,
        })
    }

    /// Reads a transcript that ships with a program.
    pub fn from_text(origin: &str, text: &str) -> Result<Self, ReplayError> {
        Self::read(origin, text.as_bytes()).map_err(|error| match error {
            Failure::Io(error) => ReplayError::Unreadable(origin.into(), error),
            Failure::Replay(error) => error,
        })
    }

    /// Whose replies were recorded.
    pub fn models(&self) -> impl Iterator<Item = &ModelName> {
        self.models.iter()
    }

    fn read(origin: &str, reader: impl BufRead) -> Result<Self, Failure> {
        let origin = origin.to_owned();
        let mut lines = reader.lines();
        let first = lines.next().transpose()?.unwrap_or_default();
        let header: Result<Header, _> = serde_json::from_str(&first);
        if header.map(|header| header.assize_transcript).ok() != Some(FORMAT) {
            return Err(ReplayError::NotATranscript { origin }.into());
        }
        let mut replay = Self { origin, models: BTreeSet::new(), ends: BTreeMap::new() };
        for (index, text) in lines.enumerate() {
            replay.add(index + 2, &text?)?;
        }
        Ok(replay)
    }

    fn add(&mut self, line: usize, text: &str) -> Result<(), ReplayError> {
        if text.trim().is_empty() {
            return Ok(());
        }
        let origin = || self.origin.clone();
        let read: Line = serde_json::from_str(text).map_err(|source| ReplayError::Line {
            origin: origin(),
            line,
            source,
        })?;
        if read.request.key() != read.key {
            return Err(ReplayError::Key { origin: origin(), line });
        }
        self.models.insert(read.request.model);
        self.ends.insert(read.key, read.end);
        Ok(())
    }

    fn look_up(&self, request: &ChatRequest) -> Result<ChatReply> {
        match self.ends.get(&request.key()) {
            Some(end) => end.clone().result(),
            None => Err(ProviderError::NotRecorded { message: self.what_is_missing(request) }),
        }
    }

    fn what_is_missing(&self, request: &ChatRequest) -> String {
        let (model, origin) = (&request.model, &self.origin);
        if !self.models.contains(model) {
            let known: Vec<_> = self.models.iter().map(ModelName::to_string).collect();
            return format!(
                "{origin} contains no replies of {model}, only of {}",
                known.join(", ")
            );
        }
        let words = request.messages.last().map_or("", |message| message.content.as_str());
        let beginning: String = words.chars().take(80).collect();
        let key = request.key();
        format!("{origin} contains no reply of {model} to {key}: “{}…”", shortened(&beginning))
    }
}

impl Provider for Replay {
    fn complete<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<ChatReply>> {
        Box::pin(async move { self.look_up(request) })
    }
}

enum Failure {
    Io(io::Error),
    Replay(ReplayError),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<ReplayError> for Failure {
    fn from(error: ReplayError) -> Self {
        Self::Replay(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::{Message, StopReason, Usage};
    use crate::record::Recorder;

    fn request(words: &str) -> ChatRequest {
        ChatRequest::new("local/tiny".parse().unwrap(), vec![Message::user(words)])
    }

    fn reply(text: &str) -> ChatReply {
        let (stop, usage) = (StopReason::Finished, Usage::default());
        ChatReply { text: text.into(), stop, usage, served_by: None }
    }

    fn recorded() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.jsonl");
        let recorder = Recorder::create(&path).unwrap();
        recorder.record(&request("one"), &Ok(reply("1"))).unwrap();
        recorder.record(&request("one"), &Ok(reply("never written"))).unwrap();
        let refused = ProviderError::Refused { status: Some(400), message: "no".into() };
        recorder.record(&request("two"), &Err(refused)).unwrap();
        (folder, path)
    }

    #[tokio::test]
    async fn what_was_recorded_is_answered_in_the_same_words_failures_too() {
        let (_folder, path) = recorded();
        let replay = Replay::open(&path).unwrap();
        assert_eq!(replay.complete(&request("one")).await, Ok(reply("1")));
        let refused = ProviderError::Refused { status: Some(400), message: "no".into() };
        assert_eq!(replay.complete(&request("two")).await, Err(refused));
    }

    #[tokio::test]
    async fn what_was_not_recorded_is_named() {
        let (_folder, path) = recorded();
        let replay = Replay::open(&path).unwrap();
        let error = replay.complete(&request("three\nlines")).await.unwrap_err().to_string();
        assert!(error.contains("run.jsonl contains no reply of local/tiny"), "{error}");
        assert!(error.contains("“three lines…”"), "{error}");
        let mut other = request("one");
        other.model = "local/large".parse().unwrap();
        let error = replay.complete(&other).await.unwrap_err().to_string();
        assert!(
            error.contains("contains no replies of local/large, only of local/tiny"),
            "{error}"
        );
    }

    #[test]
    fn a_recording_is_never_overwritten() {
        let (_folder, path) = recorded();
        assert!(Recorder::create(&path).is_err());
    }

    #[test]
    fn a_broken_line_or_a_changed_request_is_named_by_its_number() {
        let (_folder, path) = recorded();
        let text = std::fs::read_to_string(&path).unwrap();
        let error = Replay::from_text("t", &format!("{text}{{")).unwrap_err();
        assert_eq!(error.to_string(), "t, line 4: not a recorded exchange");
        let error = Replay::from_text("t", &text.replace("\"one\"", "\"won\"")).unwrap_err();
        assert_eq!(error.to_string(), "t, line 2: the key does not match the request");
        let error = Replay::from_text("t", "{}\n").unwrap_err();
        assert_eq!(error.to_string(), "t is not a transcript of format 1");
    }
}
