//! What a tool hands back: data for programs, a few lines for people, or the reason for neither.

use std::error::Error;
use std::fmt;

use assize_engine::EngineError;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::Value;

/// A tool's result.
#[derive(Debug)]
pub(crate) struct Reply {
    /// The same as the command prints as JSON.
    pub(crate) data: Value,
    /// A few lines of it.
    pub(crate) text: String,
    /// Whether the work was done and still failed: a council without any ranking.
    pub(crate) is_failure: bool,
}

/// Why there is no result.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal(pub(crate) EngineError);

impl Refusal {
    /// A reason in words, for what the caller got wrong.
    pub(crate) fn because(words: impl Into<String>) -> Self {
        Self(EngineError::bad_input(words))
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl<E: Error + 'static> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self(EngineError::of(&error))
    }
}

/// In the protocol's form: a refusal is an error of the tool, so that the caller reads it.
pub(crate) fn to_result(end: Result<Reply, Refusal>) -> CallToolResult {
    match end {
        Ok(Reply { data, text, is_failure }) => {
            let mut result = CallToolResult::structured(data);
            result.content = vec![ContentBlock::text(text)];
            result.is_error = Some(is_failure);
            result
        }
        Err(Refusal(error)) => {
            let text = match error.hint {
                Some(hint) => format!("{error}; {hint}"),
                None => error.message.clone(),
            };
            let data = serde_json::to_value(error).unwrap_or_default();
            let mut result = CallToolResult::structured_error(data);
            result.content = vec![ContentBlock::text(text)];
            result
        }
    }
}
