//! What can go wrong between documents, criteria and their store.

use assize_documents::DocumentError;
use assize_methods::compliance::RubricError;
use assize_methods::compliance::sections::StructureError;
use assize_methods::compliance::template::AssessTemplateError;
use assize_models::EndpointError;
use assize_store::StoreError;
use serde::Serialize;
use thiserror::Error;

use super::intake::IntakeError;
use crate::asking::AskError;
use crate::request::FieldError;
use crate::runs::RunError;

/// A result with this error, unless another is named.
pub(crate) type Result<T, E = ComplianceError> = std::result::Result<T, E>;

/// Why something about compliance could not be done.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ComplianceError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Run(#[from] RunError),
    /// No model can be asked.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// There is no such thing.
    #[error("there is no {what} `{name}`")]
    Missing {
        /// What kind of thing.
        what: &'static str,
        /// How it was named.
        name: String,
    },
    /// A criteria set of that name is there, and nobody said that it is to be replaced.
    #[error(
        "there is already a criteria set `{name}` with {}; say that it is to be replaced, or choose \
         another name", counted(*criteria, "criterion", "criteria")
    )]
    SetExists {
        name: String,
        /// How many criteria it holds.
        criteria: usize,
    },
    /// A document cannot be read.
    #[error("{name}: {source}")]
    Document {
        name: String,
        /// What the reader or writer found wrong.
        #[source]
        source: DocumentError,
    },
    /// A file of criteria or truth keys cannot be imported.
    #[error("{name} cannot be imported")]
    Intake {
        name: String,
        /// What the reader or writer found wrong.
        #[source]
        source: IntakeError,
    },
    /// Rows of a file cannot be used, and nobody said that they may be left out.
    #[error(
        "{name}: {} cannot be used, so nothing was imported; the first is {first}",
        counted(*rows, "row", "rows")
    )]
    UnusableRows {
        /// The file.
        name: String,
        /// How many they are.
        rows: usize,
        /// The number of the first, and what is wrong with it.
        first: String,
    },
    /// A rubric is not valid.
    #[error("the rubric is not valid: {0}")]
    Rubric(#[from] RubricError),
    /// A response structure is not valid.
    #[error("the response structure is not valid: {0}")]
    Structure(#[from] StructureError),
    /// A template is not valid.
    #[error("the template is not valid: {0}")]
    Template(#[from] AssessTemplateError),
    /// What was asked for makes no sense.
    #[error("{0}")]
    Refused(String),
    /// Something cannot be put into JSON, such as a number that is none.
    #[error("{what} cannot be stored")]
    Unstorable {
        /// In words that begin the message.
        what: &'static str,
        /// What the reader or writer found wrong.
        #[source]
        source: serde_json::Error,
    },
    /// Something stored cannot be understood.
    #[error("{what} in the database cannot be read")]
    Stored {
        /// In words that begin the message.
        what: &'static str,
        /// What the reader or writer found wrong.
        #[source]
        source: serde_json::Error,
    },
}

fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

impl From<EndpointError> for ComplianceError {
    fn from(error: EndpointError) -> Self {
        Self::Ask(error.into())
    }
}

impl From<FieldError> for ComplianceError {
    fn from(error: FieldError) -> Self {
        Self::Ask(error.into())
    }
}

impl ComplianceError {
    /// Refuses a file with rows that cannot be used.
    pub(crate) fn refuse_unusable(name: &str, rows: usize, problems: &[String]) -> Result<()> {
        let Some(first) = problems.first().cloned() else { return Ok(()) };
        Err(Self::UnusableRows { name: name.to_owned(), rows, first })
    }

    pub(crate) fn missing(what: &'static str, name: &str) -> Self {
        Self::Missing { what, name: name.to_owned() }
    }

    /// What is to be stored, as JSON.
    pub(crate) fn json(
        what: &'static str,
        value: &impl Serialize,
    ) -> Result<Option<serde_json::Value>, Self> {
        let json = serde_json::to_value(value);
        json.map(Some).map_err(|source| Self::Unstorable { what, source })
    }

    pub(super) fn document(name: &str, source: DocumentError) -> Self {
        Self::Document { name: name.to_owned(), source }
    }
}
