//! What can go wrong between documents, criteria and their store.

use assize_documents::DocumentError;
use assize_methods::compliance::RubricError;
use assize_methods::compliance::sections::StructureError;
use assize_methods::compliance::template::AssessTemplateError;
use assize_models::EndpointError;
use assize_store::StoreError;
use thiserror::Error;

use crate::asking::AskError;
use crate::runs::RunError;

/// Why something about compliance could not be done.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ComplianceError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// No model can be asked.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// There is no such thing.
    #[error("there is no {what} `{name}`; {hint}")]
    Missing {
        /// What kind of thing.
        what: &'static str,
        /// How it was named.
        name: String,
        /// Where to look.
        hint: &'static str,
    },
    /// A document cannot be read.
    #[error("{name}: {source}")]
    Document {
        /// Its name.
        name: String,
        /// Why.
        #[source]
        source: DocumentError,
    },
    /// A rubric is not valid.
    #[error("the rubric is refused: {0}")]
    Rubric(#[from] RubricError),
    /// A response structure is not valid.
    #[error("the response structure is refused: {0}")]
    Structure(#[from] StructureError),
    /// A template is not valid.
    #[error("the template is refused: {0}")]
    Template(#[from] AssessTemplateError),
    /// What was asked for makes no sense.
    #[error("{0}")]
    Refused(String),
    /// Something stored cannot be understood.
    #[error("{what} of the store cannot be understood")]
    Stored {
        /// What.
        what: &'static str,
        /// Why.
        #[source]
        source: serde_json::Error,
    },
}

impl From<EndpointError> for ComplianceError {
    fn from(error: EndpointError) -> Self {
        Self::Ask(error.into())
    }
}

impl ComplianceError {
    /// Whether the database is why: it cannot be opened, does not answer, or fails.
    pub fn is_database(&self) -> bool {
        match self {
            Self::Store(error) | Self::Ask(AskError::Store(error)) => error.is_failure(),
            Self::Run(error) => error.is_database(),
            _ => false,
        }
    }

    pub(super) fn missing(what: &'static str, name: &str) -> Self {
        let hint = match what {
            "criteria set" => "`assize criteria list` shows them",
            "document set" | "document" => "`assize documents list` shows them",
            "run" => "`assize runs list` shows them",
            "template" => "`assize criteria template list` shows them",
            "criterion" => "`assize criteria show SET` shows them",
            _ => "look again",
        };
        Self::Missing { what, name: name.to_owned(), hint }
    }

    pub(super) fn document(name: &str, source: DocumentError) -> Self {
        Self::Document { name: name.to_owned(), source }
    }
}
