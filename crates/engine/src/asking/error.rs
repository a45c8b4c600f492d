//! Why no model can be asked.

use std::io;
use std::path::PathBuf;

use assize_models::{EndpointError, ReplayError};
use assize_store::StoreError;
use thiserror::Error;

use super::config::ConfigError;
use crate::request::FieldError;

/// Why no model can be asked.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AskError {
    /// What is to be judged, by whom and how, does not go together.
    #[error("{0}")]
    Request(#[from] FieldError),
    /// The configuration is faulty.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A provider cannot be used.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The transcript to answer from cannot be read.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The transcript cannot be written.
    #[error("could not create the transcript {}; existing files are not overwritten", .0.display())]
    Record(PathBuf, #[source] io::Error),
    /// No judge was named, and the transcript holds several.
    #[error("no judge given: the transcript contains replies of {0}")]
    WhoseTranscript(String),
    /// There is no model among the judges.
    #[error("no model was given as judge: use provider/model, or panel:A,B,C")]
    NoModel,
}
