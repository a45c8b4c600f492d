//! What decides the results of a run, frozen before it begins.

use assize_methods::compliance::score::METHOD;
use assize_methods::compliance::{AssessTemplate, ResponseStructure, Rubric};
use assize_store::{PromptTemplateId, Run};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::context::TOKENS_MAX;
use super::error::{ComplianceError, Result};
use crate::summary::request::is_once;

/// Everything that decides what comes of a document and a criterion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Configuration {
    /// Who judges: `rules`, or `provider/model`.
    pub judge: String,
    /// What scores mean.
    pub rubric: Rubric,
    /// What an answer holds.
    pub structure: ResponseStructure,
    /// The words of the question; rules need none.
    pub template: Option<TemplateUsed>,
    /// How much of a document a model is shown, in tokens.
    pub context_tokens: usize,
    /// Whether the ids of criteria are hidden in the documents.
    pub masks_identifiers: bool,
    /// How often each pair is judged.
    #[serde(default = "once", skip_serializing_if = "is_once")]
    pub repeat: u32,
    /// Which of several replies to the same question counts.
    pub attempt: u32,
    /// The hash of all criteria, in order.
    pub criteria_hash: String,
    /// The hashes of the documents' bytes, in order.
    pub document_hashes: Vec<String>,
}

/// A version of a template, as it was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TemplateUsed {
    /// Which row of the store.
    pub id: PromptTemplateId,
    pub name: String,
    /// Its version, from 1.
    pub version: i64,
    /// Its text.
    pub body: AssessTemplate,
}

impl TemplateUsed {
    /// `name@version`, as it is named on the command line.
    pub fn label(&self) -> String {
        format!("{}@{}", self.name, self.version)
    }
}

impl Configuration {
    /// That of a run. One that was adopted has none: the defaults show its results.
    pub fn of(run: &Run) -> Result<Self> {
        match &run.configuration {
            Some(json) => Self::deserialize(json).map_err(|source| ComplianceError::Stored {
                what: "the configuration of a run",
                source,
            }),
            None => Ok(Self::old()),
        }
    }

    /// The same with the rubric that a later version of the run's labels was made with.
    #[must_use]
    pub(crate) fn relabelled(self, version: Option<&Value>) -> Self {
        let rubric = version.and_then(|json| json.get("rubric"));
        let rubric = rubric.and_then(|json| Rubric::from_json(Some(json)).ok());
        match rubric {
            Some(rubric) => Self { rubric, ..self },
            None => self,
        }
    }

    /// The hash of everything.
    pub fn hash(&self) -> String {
        hash_of([serde_json::to_string(self).unwrap_or_default().as_str()])
    }

    /// The method that makes scores out of what was stated, with its version.
    pub fn method() -> String {
        format!("{} {}", METHOD.name, METHOD.version)
    }

    fn old() -> Self {
        Self {
            judge: "unknown".to_owned(),
            rubric: Rubric::default(),
            structure: ResponseStructure::default(),
            template: None,
            context_tokens: TOKENS_MAX,
            masks_identifiers: false,
            repeat: 1,
            attempt: 0,
            criteria_hash: String::new(),
            document_hashes: Vec::new(),
        }
    }
}

fn once() -> u32 {
    1
}

/// The hash of several texts; where one ends and the next begins counts.
pub(crate) fn hash_of<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let mut bytes = Vec::new();
    for text in texts {
        bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
        bytes.extend_from_slice(text.as_bytes());
    }
    assize_models::key::nonce(&bytes)
}
